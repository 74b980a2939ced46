import { afterEach, describe, expect, it } from 'vitest';
import type { RunRequest } from '../../src/engine/types.ts';
import { lines, openShop, planOf, type Shop } from '../lifecycle/shop.ts';
import { cutAt, effectsOf, onceAt } from './cut.ts';

/** The callback stands in a list that all scopes share, under a lock. */
const plan = planOf(lines.dns, lines.callback);
const [lease, deadline] = [120_000, 30_000];
/** The longest wait that docs/ci.md promises after a killed job. */
const promised = 200_000;

let shop: Shop;
afterEach(async () => {
  shop.verify();
  await shop.close();
});

/** A job with the times that runs have where nobody sets them. */
const job = (change: Partial<RunRequest> = {}): Partial<RunRequest> => ({
  leaseTimeoutMs: 15 * 60_000,
  waitTimeoutMs: 15 * 60_000,
  ...change,
  env: { ...shop.request().env, PILOTFISH_LEASE_MS: String(lease), PILOTFISH_REQUEST_DEADLINE_MS: String(deadline) },
});
const purposes = { apply: {}, destroy: { destroy: true } } as const;
const nothing = async (): Promise<void> => undefined;
const cuts = {
  apply: await effectsOf(plan, nothing, (one) => one.apply()),
  destroy: await effectsOf(
    plan,
    (one) => one.apply(),
    (one) => one.destroy(),
  ),
};
const moments = (['apply', 'destroy'] as const).flatMap((purpose) => cuts[purpose].map((cut) => [purpose, ...cut] as const));

/** A shop in which the purpose has something to do. */
async function opened(purpose: keyof typeof purposes): Promise<void> {
  shop = await openShop(plan);
  if (purpose === 'destroy') await shop.apply(job());
}

/** Another scope takes the same list, and then the close event comes. Nobody helps. Gives the time of each of the two jobs. */
async function goOn(): Promise<readonly number[]> {
  const waited: number[] = [];
  for (const change of [{ scope: 'pr-13' }, { destroy: true }]) {
    const began = shop.clock.mono();
    expect((await shop.apply(job(change))).status).toBe('complete');
    waited.push(shop.clock.mono() - began);
  }
  expect(shop.records().map(({ name }) => name)).toEqual(['pr-13.acme.example']);
  expect(shop.callbacks()).not.toContain('https://pr-12.acme.example/callback');
  return waited;
}

describe('a job that is killed', () => {
  it.each(moments)('in %s %s %s (%i) leaves no lock that a person has to break', async (purpose, ...cut) => {
    await opened(purpose);
    const state = cutAt(shop, cut);
    await shop.apply(job(purposes[purpose])).catch(() => undefined);
    expect(state.happened).toBe(true);
    shop.crash.over();
    expect(Math.max(...(await goOn()))).toBeLessThanOrEqual(promised);
  });
});

describe('a job that is cancelled', () => {
  it.each(moments)('in %s %s %s (%i) gives back its lease and its locks', async (purpose, ...cut) => {
    await opened(purpose);
    const cancel = new AbortController();
    const state = onceAt(shop, cut, () => cancel.abort(new Error('SIGINT')));
    await shop.apply(job(purposes[purpose]), undefined, cancel.signal).catch(() => undefined);
    expect(state.happened).toBe(true);
    const held = [...shop.remote.branches].flatMap(([name, { files }]) =>
      ['lease.json', 'lock.json'].flatMap((file) => {
        const text = files.get(file);
        return text !== undefined && JSON.parse(text).released === null ? [`${name}: ${file}`] : [];
      }),
    );
    expect(held).toEqual([]);
    expect(Math.max(...(await goOn()))).toBeLessThanOrEqual(deadline + 10_000);
  });
});
