import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openShop } from './shop.ts';

const preview = await readFile(join(import.meta.dirname, '../../examples/preview/release.plan.yaml'), 'utf8');
const plan = preview.replace(/^version: 1$/m, 'version: 1\nexports: { DATABASE_URL: { from: database.connection_uri } }');

it('a script runs after an apply with the values of the preview, and the log never holds them', async (context) => {
  const shop = await openShop(context);
  const sha = await shop.open(12, plan);
  const script = 'echo "url=$DATABASE_URL token=${PILOTFISH_JOB_TOKEN-none}"\nfalse | true; echo never';
  const inputs = { run: script, 'run-on': 'first' };
  const first = await shop.run(await shop.pullEvent(12, 'opened'), { inputs });
  expect(first.log).toContain('url=*** token=none');
  expect(first.log).not.toContain('never');
  expect(first.log).toContain('The script of `run` ended with 1. The apply stands.');
  expect([first.code, first.outputs.status]).toEqual([1, 'failed']);
  for (const secret of shop.secrets()) expect(first.log.replaceAll(/::add-mask::.*/g, '')).not.toContain(secret);

  const good = { ...inputs, run: 'echo "seeded $(test -n "$DATABASE_URL" && echo with)"' };
  shop.build(sha);
  const again = await shop.run(await shop.pullEvent(12, 'synchronize'), { inputs: good });
  expect([again.code, again.log.includes('seeded')]).toEqual([0, false]);
  const each = await shop.run(await shop.pullEvent(12, 'synchronize'), { inputs: { run: good.run } });
  expect([each.code, each.log.includes('seeded with')]).toEqual([0, true]);

  shop.close(12);
  const closed = await shop.run(await shop.pullEvent(12, 'closed'), { inputs: good });
  expect([closed.code, closed.log.includes('seeded')]).toEqual([0, false]);
  expect(closed.log).toContain('These inputs are only for an apply and were not used: `run`');
  expect(shop.added()).toEqual({});
});

it.for<[Readonly<Record<string, string>>, string]>([
  [{ run: 'true', command: 'plan' }, 'The input `run` is for an apply, and this step has `command: plan`.'],
  [{ run: 'true', closed: 'true' }, 'The input `run` is for an apply, and this step has `closed: true`.'],
  [{ 'run-on': 'first' }, 'The input `run-on` says when the script of `run` runs, and there is none.'],
  [{ run: 'true', 'run-on': 'once' }, 'The input `run-on` is "once".'],
])('%j is refused', async ([inputs, words], context) => {
  const shop = await openShop(context);
  await shop.open(12, plan);
  const told = await shop.run(await shop.pullEvent(12, 'opened'), { inputs });
  expect([told.code, told.outputs['exit-code']]).toEqual([2, '2']);
  expect(told.log).toContain(words);
});
