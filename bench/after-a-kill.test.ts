import { join } from 'node:path';
import { Agent, type Dispatcher } from 'undici';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../src/core/clock.ts';
import { runApply } from '../src/engine/run.ts';
import type { RunWorld } from '../src/engine/types.ts';
import { openLocalStore } from '../src/ledger/stores/local/local-store.ts';
import type { Store } from '../src/ledger/stores/store.ts';
import { fastClock } from '../test/support/fast-clock.ts';
import { runRequest } from '../test/support/run-request.ts';
import { type Counted, openCounted } from './counted.ts';
import { chain, entries, independent, variables } from './wants.ts';
import type { Wanted } from './wish.ts';

// A run that is killed leaves an intent for each line. What the next one asks must not be a list for each of them.

/** Of each answer, in milliseconds. Without it a whole list is read before all lines have asked for it. */
const latency = 40;

/** At a list. Two, and more where the machine is so busy that some lines begin after both. */
const looks = 4;

type Command = 'apply' | 'destroy';

interface Killed {
  readonly command: Command;
  /** Of the writes that it would have sent. */
  readonly writes: number;
  readonly next: Command;
}

interface After {
  /** Of the killed run and the next one. */
  readonly reads: number;
  readonly writes: number;
  readonly flaws: readonly string[];
  /** How often the next run read the ledger of another scope. */
  readonly readOther: number;
}

async function afterAKill(wanted: Wanted, { command, writes, next }: Killed): Promise<After> {
  const counted = await openCounted(wanted, latency);
  if (command === 'destroy') {
    await runApply(runRequest(counted.cwd, counted.env), { repository: null });
    await counted.counters();
  }
  await die(counted, command, writes);
  // A hundred times as fast, so that the lease of the dead run ends in 0.3 s, and its own lasts for six.
  const env = { ...counted.env, PILOTFISH_REQUEST_DEADLINE_MS: '200000', PILOTFISH_LEASE_MS: '600000' };
  const other = 'pilotfish-receipts/preview/pr-99';
  const ledger = ledgerOf(counted);
  await ledger.append(other, new Map([['README.md', 'Another pull request.']]), null, 'begun');
  let readOther = 0;
  const read: Store['read'] = (branch) => {
    if (branch === other) readOther += 1;
    return ledger.read(branch);
  };
  const world = { repository: null, clock: fastClock(100), store: { ...ledger, read } };
  const document = await runApply(
    runRequest(counted.cwd, env, { destroy: next === 'destroy', leaseTimeoutMs: 900_000, waitTimeoutMs: 900_000 }),
    world,
  );
  expect(document, JSON.stringify(document.error)).toMatchObject({ ok: true });
  const { reads, writes: sent } = await counted.counters();
  return { reads, writes: sent, flaws: await counted.flaws(next === 'destroy' ? 'destroy' : 'first apply'), readOther };
}

const ledgerOf = ({ cwd }: Pick<Counted, 'cwd'>): Store => openLocalStore({ folder: join(cwd, '.pilotfish/ledger') });

/** A run whose computer is gone once so many writes have left it: nothing that it begins from then on ever ends. */
async function die({ cwd, env }: Counted, command: Command, writes: number): Promise<void> {
  const died = Promise.withResolvers<void>();
  const never = new Promise<never>(() => undefined);
  let left = writes;
  const ifAlive = <T>(work: () => Promise<T>): Promise<T> => (left < 0 ? never : work());
  const dispatch: Dispatcher.DispatcherComposeInterceptor = (next) => (options, handler) => {
    if (options.method !== 'GET') left -= 1;
    if (left >= 0) return next(options, handler);
    died.resolve();
    return true;
  };
  const ledger = ledgerOf({ cwd });
  const store: Store = {
    ...ledger,
    append: (...given) => ifAlive(() => ledger.append(...given)),
  };
  const world: RunWorld = {
    repository: null,
    store,
    dispatcher: new Agent().compose(dispatch),
    clock: { ...systemClock, sleep: (ms, signal) => ifAlive(() => systemClock.sleep(ms, signal)) },
  };
  const terms = { ...env, PILOTFISH_REQUEST_DEADLINE_MS: '10000', PILOTFISH_LEASE_MS: '30000' };
  const run = runApply(runRequest(cwd, terms, { destroy: command === 'destroy' }), world);
  run.then(({ status }) => died.reject(new Error(`the run ended as ${status} before it could be killed`)), died.reject);
  await died.promise;
}

describe('after a run that was killed', () => {
  it('a few looks at a list find what it made of it, however many lines it announced', async () => {
    for (const count of [60, 600]) {
      const made = count / 3;
      const { reads, writes, flaws, readOther } = await afterAKill(independent(count), { command: 'apply', writes: made, next: 'apply' });
      expect({ writes, flaws }).toEqual({ writes: count, flaws: [] });
      // The look of the dead run, and two of pages of 100: whoever asks while the first is under way takes the second.
      expect(reads).toBeLessThanOrEqual(1 + looks * Math.ceil((made + 1) / 100));
      // Another scope may have made it: its ledger is read as the list is.
      expect(readOther).toBeGreaterThan(0);
      expect(readOther).toBeLessThanOrEqual(10);
    }
  });

  it('a destroy finds it as well', async () => {
    const { reads, writes, flaws } = await afterAKill(independent(600), { command: 'apply', writes: 200, next: 'destroy' });
    expect({ writes, flaws }).toEqual({ writes: 400, flaws: [] });
    expect(reads).toBeLessThanOrEqual(1 + looks * 3);
  });

  it('a chain is looked for link by link', async () => {
    const { reads, writes, flaws } = await afterAKill(chain(10), { command: 'apply', writes: 4, next: 'apply' });
    expect({ writes, flaws }).toEqual({ writes: 10, flaws: [] });
    expect(reads).toBeLessThanOrEqual(5 + 10);
  });

  it('the variables of a project are one list', async () => {
    const { reads, writes, flaws } = await afterAKill(variables(200), { command: 'apply', writes: 2, next: 'apply' });
    // Fifty in a write.
    expect({ writes, flaws }).toEqual({ writes: 4, flaws: [] });
    expect(reads).toBeLessThanOrEqual(1 + looks * 2);
  });

  it('the entries of an object are read with it', async () => {
    const { reads, writes, flaws } = await afterAKill(entries(100, 5), { command: 'apply', writes: 2, next: 'apply' });
    expect({ writes, flaws }).toEqual({ writes: 5, flaws: [] });
    // 15 each: to look, under the lock, and what was written.
    expect(reads).toBeLessThanOrEqual(2 * 15);
  });

  it('a destroy that was killed is ended with a few looks at what is still there', async () => {
    const { reads, writes, flaws } = await afterAKill(independent(1200), { command: 'destroy', writes: 800, next: 'destroy' });
    expect(flaws).toEqual([]);
    // What is gone already, and not yet recorded as gone, is asked for once more.
    expect(writes).toBeGreaterThanOrEqual(1200);
    expect(writes).toBeLessThanOrEqual(2000);
    expect(reads).toBeLessThanOrEqual(30);
  });

  it('what a killed destroy took away is made again', async () => {
    const { reads, writes, flaws } = await afterAKill(independent(600), { command: 'destroy', writes: 200, next: 'apply' });
    expect({ writes, flaws }).toEqual({ writes: 400, flaws: [] });
    expect(reads).toBeLessThanOrEqual(1 + looks * 5);
  });
});
