import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';
import { openPulls, type Pulls, shaA } from './pulls.ts';
import { lines, planOf } from './shop.ts';

let pulls: Pulls;
beforeEach(async () => {
  pulls = await openPulls(planOf(lines.dns));
  pulls.pulls.world.open(12, shaA);
});
afterEach(async () => {
  pulls.verify();
  expectContracts([pulls.pulls]);
  await pulls.close();
});

const quarter = 15 * 60_000;
/** The job of a push to the pull request, and how long the host's limit held it up. */
const push = async (waitTimeoutMs = quarter) => {
  const began = pulls.clock.now();
  const doc = await pulls.onPull('synchronize', { waitTimeoutMs });
  return { status: doc.status, warnings: doc.warnings, ms: pulls.clock.now() - began };
};

describe('a limit of the code host is waited out before anything is written', () => {
  it.each([
    [403, 'retry-after', 20_000, 20_000],
    [429, 'retry-after', 50_000, 50_000],
    [403, 'message', 10_000, 60_000],
    [429, 'message', 10_000, 60_000],
  ] as const)('%d with %s for %d ms takes %d ms', async (status, how, forMs, takes) => {
    await pulls.onPull('opened');
    pulls.pulls.world.slowDown(forMs, how, status);
    const { status: end, warnings, ms } = await push();
    expect([end, warnings]).toEqual(['complete', []]);
    expect(ms).toBeGreaterThanOrEqual(takes);
    expect(ms).toBeLessThan(takes + 2_000);
  });

  it('an hour that is nearly over', async () => {
    await pulls.onPull('opened');
    pulls.pulls.world.spend(0, 45_000);
    const { status, warnings, ms } = await push();
    expect([status, warnings]).toEqual(['complete', []]);
    expect(ms).toBeGreaterThanOrEqual(45_000);
  });

  it('what the host says after it counts: the pull request was closed meanwhile', async () => {
    await pulls.onPull('opened');
    const env = await pulls.pullEvent('synchronize');
    pulls.pulls.world.close(12);
    pulls.pulls.world.slowDown(30_000);
    expect(await pulls.apply(pulls.asked(env, { waitTimeoutMs: quarter }))).toMatchObject({ status: 'stale' });
  });
});

describe('a limit that is too long is told, and history decides', () => {
  it('an hour that has just begun', async () => {
    await pulls.onPull('opened');
    pulls.pulls.world.spend(0, 3_000_000);
    const { status, warnings, ms } = await push();
    expect(status).toBe('complete');
    expect(warnings).toEqual([expect.stringContaining('answered 403 for the pull request 12. History and ancestry decide.')]);
    expect(ms).toBeLessThan(2_000);
  });

  it('one that ends after the run would', async () => {
    await pulls.onPull('opened');
    pulls.pulls.world.slowDown(50_000);
    const { status, warnings, ms } = await push(10_000);
    expect(status).toBe('complete');
    expect(warnings).toEqual([expect.stringContaining('the code host gave no answer in the time that this run has.')]);
    expect(ms).toBeLessThanOrEqual(20_000);
  });

  it('a host that is down for good holds a run up for a minute and a half', async () => {
    await pulls.onPull('opened');
    pulls.pulls.world.slowDown(9_000_000, 'message');
    const { status, ms } = await push();
    expect(status).toBe('complete');
    expect(ms).toBeLessThanOrEqual(91_000);
  });
});
