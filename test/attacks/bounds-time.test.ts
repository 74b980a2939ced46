import { describe, expect, it } from 'vitest';
import { acquireLock } from '../../src/ledger/locks/lock.ts';
import { paths } from '../../src/ledger/model/state.ts';
import { LedgerMoved } from '../../src/ledger/writer/ledger-moved.ts';
import { MemoryRemote } from '../support/memory-store.ts';
import { rest, VirtualClock } from '../support/virtual-clock.ts';
import { branch, outcome, scope } from '../support/writer-scope.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
/** As a command line has it that names none. */
const usualTimeout = 15 * minute;

const planted = (released: null | { readonly quietForMs: number } = null, renewal = 1): string =>
  JSON.stringify({
    v: 1,
    holder: 'nobody',
    run: 'planted',
    durationMs: day,
    deadlineMs: day,
    renewal,
    released,
    at: '9999-12-31T23:59:59.999Z',
  });

async function push(remote: MemoryRemote, of: string, path: string, text: string): Promise<void> {
  const store = remote.open();
  await store.append(of, new Map([[path, text]]), await store.head(of), 'planted');
}

describe('a lease that asks for a day', () => {
  it('of nobody is over after ten minutes, and so is what its holder may have sent', async () => {
    const { remote, clock, run } = scope();
    await push(remote, branch, paths.lease, planted());
    const { writer } = run('a', { leaseTimeoutMs: usualTimeout });
    const begun = writer.begin();
    begun.catch(() => undefined);
    await clock.advance(10 * minute - 1);
    expect(writer.holdsLease).toBe(false);
    await clock.advance(10_000);
    await begun;
    expect(writer.holdsLease).toBe(true);
    expect(writer.late.left()).toBeLessThanOrEqual(200_000);
  });

  it('tells whoever gives up earlier how long to wait', async () => {
    const { remote, clock, run } = scope();
    await push(remote, branch, paths.lease, planted());
    const begun = run('a', { leaseTimeoutMs: minute }).writer.begin();
    begun.catch(() => undefined);
    await clock.advance(minute + 10_000);
    expect(await outcome(begun)).toMatchObject({ code: 'LEASE_HELD', fix: expect.stringContaining('`--lease-timeout` above 600s') });
  });

  it('and that is renewed without end is waited for as long as any other', async () => {
    const { remote, clock, run } = scope();
    await push(remote, branch, paths.lease, planted());
    const begun = run('a', { leaseTimeoutMs: usualTimeout }).writer.begin();
    begun.catch(() => undefined);
    for (let n = 2; n < 22; n += 1) {
      await clock.advance(minute);
      await push(remote, branch, paths.lease, planted(null, n));
    }
    expect(await outcome(begun)).toMatchObject({ code: 'LEASE_HELD' });
  });

  it('given back and taken again between two looks, it is no other wait', async () => {
    const { remote, clock, run } = scope();
    await push(remote, branch, paths.lease, planted({ quietForMs: 0 }));
    const { writer } = run('a', { leaseTimeoutMs: usualTimeout });
    await writer.begin();
    // Each push of this run finds that somebody took the scope just before, and each wait ends after nine minutes.
    let renewal = 2;
    const takeItBefore = (): void => {
      remote.before = async () => {
        remote.before = () => undefined;
        renewal += 1;
        await push(remote, branch, paths.lease, planted(null, renewal));
      };
    };
    takeItBefore();
    // Where the ledger moved, its lines begin anew and ask again.
    const ask = (): Promise<void> =>
      writer.ensureLease().catch((thrown: unknown) => (thrown instanceof LedgerMoved ? ask() : Promise.reject(thrown)));
    const taken = ask();
    taken.catch(() => undefined);
    let waits = 0;
    for (; waits < 10 && (await outcome(taken)) === 'open'; waits += 1) {
      await clock.advance(9 * minute);
      renewal += 1;
      await push(remote, branch, paths.lease, planted({ quietForMs: 0 }, renewal));
      takeItBefore();
      await clock.advance(10_000);
    }
    expect(waits).toBe(2);
    expect(await outcome(taken)).toMatchObject({ code: 'LEASE_HELD' });
  });

  it('is no longer quiet for a day after its release', async () => {
    const { remote, run } = scope();
    await push(remote, branch, paths.lease, planted({ quietForMs: day }));
    const { writer } = run('a');
    await writer.begin();
    expect(writer.late.left()).toBe(10 * minute);
  });
});

describe('a lock of a shared list', () => {
  const lockBranch = 'refs/pilotfish/locks/abc';
  const terms = { holder: 'host', run: 'a', durationMs: 10 * minute, deadlineMs: 30_000 };

  function take(remote: MemoryRemote, clock: VirtualClock) {
    const name = 'https://api.acme.example/apps/1';
    const signal = new AbortController().signal;
    const asked = {
      store: remote.open(),
      branch: lockBranch,
      name,
      clock,
      terms,
      timeoutMs: usualTimeout,
      signal,
      onWait: () => undefined,
    };
    const taking = acquireLock(asked);
    taking.catch(() => undefined);
    return taking;
  }

  it('that asks for a day is over after ten minutes and the time of one request', async () => {
    const remote = new MemoryRemote();
    const clock = new VirtualClock();
    await push(remote, lockBranch, 'lock.json', planted());
    const taking = take(remote, clock);
    await clock.advance(10 * minute - 1);
    expect(remote.on(lockBranch)).toHaveLength(1);
    await clock.advance(200_000 + 20_000);
    (await taking).check();
  });

  it('is honoured while its head moves, and waited for no longer than for a lease', async () => {
    const remote = new MemoryRemote();
    const clock = new VirtualClock();
    await push(remote, lockBranch, 'lock.json', planted());
    const taking = take(remote, clock);
    for (let n = 2; n < 22; n += 1) {
      await clock.advance(minute);
      await push(remote, lockBranch, 'lock.json', planted(null, n));
    }
    expect(await outcome(taking)).toMatchObject({ code: 'LEASE_HELD' });
  });

  it('is taken anew after a quiet moment that is as long as a lock: others would honour no longer one', async () => {
    const remote = new MemoryRemote();
    const clock = new VirtualClock();
    await push(remote, lockBranch, 'lock.json', planted({ quietForMs: day }));
    const taking = take(remote, clock);
    await clock.advance(9 * minute);
    const durations = () => [JSON.parse(remote.filesOf(lockBranch).get('lock.json') ?? '').durationMs, remote.on(lockBranch).length];
    expect(durations()).toEqual([10 * minute, 2]);
    await clock.advance(2 * minute);
    await rest();
    expect(durations()).toEqual([10 * minute, 3]);
    (await taking).check();
  });
});
