import { expect, it } from 'vitest';
import { ends, lines, planOf } from './shop.ts';
import { openTown, second } from './town.ts';

/** What a runner that vanished may cost the next run, with the terms that hold when nobody sets any. */
const most = 200 * second;

it.for<readonly [when: string, method: string, path: RegExp, phase: 'before' | 'sent']>([
  ['before its create left', 'POST', /dns_records$/, 'before'],
  ['with its create under way', 'POST', /dns_records$/, 'sent'],
  ['with the lock of a shared list, before its write', 'PATCH', /\/clients\//, 'before'],
  ['with the lock of a shared list, and its write under way', 'PATCH', /\/clients\//, 'sent'],
])('a runner that vanishes %s costs the next run at most 3 minutes and 20 seconds', async ([, method, path, phase]) => {
  const { computer, abandon, clock, verify, close } = await openTown(planOf(lines.dns, lines.alias, lines.callback, lines.logout));
  const [dead, next] = [computer(), computer()];
  dead.machine.at(phase, method, path, () => dead.machine.kill());
  abandon(dead.apply());
  await dead.machine.stopped;
  const began = clock.mono();
  const ended = await next.apply();
  expect(ended.status, ends(ended).join('\n')).toBe('complete');
  expect(clock.mono() - began).toBeLessThanOrEqual(most);
  verify();
  await close();
});
