import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { MemoryRemote } from '../../../test/support/memory-store.ts';
import { rest, VirtualClock } from '../../../test/support/virtual-clock.ts';
import { Failure } from '../../core/errors.ts';
import type { LeaseTerms } from '../writer/lease.ts';
import { acquireLock, type HeldLock } from './lock.ts';

const branch = 'refs/pilotfish/locks/abc';

/** Some runs that share one parent object, each on a machine of its own. */
function parent() {
  const remote = new MemoryRemote();
  const clock = new VirtualClock();
  const lock = (
    run: string,
    o: {
      timeoutMs?: number;
      durationMs?: number;
      stop?: AbortController;
      waits?: string[];
      outlived?: (run: string) => number | null;
    } = {},
  ) => {
    const terms: LeaseTerms = { holder: `host-${run}`, run, durationMs: o.durationMs ?? 120_000, deadlineMs: 30_000 };
    const taking = acquireLock({
      store: remote.open(),
      branch,
      name: 'https://api.acme.example/apps/1',
      clock,
      terms,
      timeoutMs: o.timeoutMs ?? 600_000,
      signal: (o.stop ?? new AbortController()).signal,
      onWait: (detail) => void o.waits?.push(detail),
      ...(o.outlived && { outlived: o.outlived }),
    });
    taking.catch(() => undefined);
    return taking;
  };
  return { remote, clock, lock, fact: () => JSON.parse(remote.filesOf(branch).get('lock.json') ?? 'null') };
}

/** Whether a lock has been taken by now. */
async function isTaken(taking: Promise<HeldLock>): Promise<boolean> {
  let taken = false;
  taking.then(
    () => (taken = true),
    () => undefined,
  );
  await rest();
  return taken;
}

describe('the lock of a shared parent', () => {
  it('is taken and released by one commit each, and names what it locks', async () => {
    const { remote, lock, fact } = parent();
    const held = await lock('a');
    expect(fact()).toMatchObject({ run: 'a', released: null, name: 'https://api.acme.example/apps/1' });
    await held.release(0);
    expect(fact().released).toEqual({ quietForMs: 0 });
    expect(remote.on(branch)).toHaveLength(2);
  });

  it('is held by one run at a time, and the next one gets it after the release', async () => {
    const { clock, lock } = parent();
    const held = await lock('a');
    const waits: string[] = [];
    const second = lock('b', { waits });
    await clock.advance(60_000);
    expect(await isTaken(second)).toBe(false);
    expect(waits[0]).toContain('run a of host-a');
    await held.release(0);
    await clock.advance(5_000);
    expect(await isTaken(second)).toBe(true);
  });

  it('is free once no write of its holder can land, when that run lost its lease; any other holder is waited for', async () => {
    const { clock, lock, fact } = parent();
    await lock('a');
    const waits: string[] = [];
    const stranger = lock('c', { outlived: () => null });
    const second = lock('b', { waits, outlived: (run) => (run === 'a' ? 7_000 : null) });
    await clock.advance(6_000);
    expect(await isTaken(second)).toBe(false);
    expect(fact().run).toBe('b');
    await clock.advance(1_000);
    expect([await isTaken(second), await isTaken(stranger), waits]).toEqual([true, false, []]);
  });

  it('goes to exactly one of many that ask at once', async () => {
    const { clock, lock } = parent();
    const all = ['a', 'b', 'c', 'd'].map((run) => lock(run));
    await clock.advance(100);
    const taken = await Promise.all(all.map(isTaken));
    expect(taken.filter(Boolean)).toHaveLength(1);
  });

  it('is taken over when its holder was silent for the whole duration, after a quiet moment', async () => {
    const { clock, lock } = parent();
    await lock('a', { durationMs: 90_000 });
    const second = lock('b');
    await clock.advance(90_000);
    expect(await isTaken(second)).toBe(false);
    await clock.advance(29_000);
    expect(await isTaken(second)).toBe(false);
    await clock.advance(1_000);
    expect(await isTaken(second)).toBe(true);
  });

  it('passes to no run, not even the same one, while a write under it may still land', async () => {
    const { clock, lock } = parent();
    await (await lock('a')).release(7_000);
    const again = lock('a');
    await clock.advance(6_999);
    expect(await isTaken(again)).toBe(false);
    await clock.advance(1);
    await (await again).release(7_000);
    const other = lock('b');
    await clock.advance(6_999);
    expect(await isTaken(other)).toBe(false);
    await clock.advance(1);
    expect(await isTaken(other)).toBe(true);
  });

  it('is handed on with the rest of the quiet moment by a run that is stopped in it', async () => {
    const { clock, lock, fact } = parent();
    await clock.advance(1_000);
    await (await lock('a')).release(10_000);
    const stop = new AbortController();
    const stopped = lock('b', { stop });
    await clock.advance(4_000);
    stop.abort(new Error('SIGINT'));
    await expect(stopped).rejects.toThrow('SIGINT');
    expect(fact()).toMatchObject({ run: 'b', released: { quietForMs: 6_000 } });
  });

  it('is not left to run out when the answer to the push that took or released it is lost for good', async () => {
    const { lock, fact, remote } = parent();
    const refuse = (nth: number): void => {
      let count = 0;
      remote.after = () => {
        count += 1;
        if (count === nth) throw new Failure('LEDGER_REFUSED', { detail: 'whether it landed is not known' });
      };
    };
    refuse(1);
    await expect(lock('a')).rejects.toMatchObject({ code: 'LEDGER_REFUSED' });
    expect(fact()).toMatchObject({ run: 'a', released: { quietForMs: 0 } });
    refuse(2);
    await (await lock('b')).release(5_000);
    expect(fact()).toMatchObject({ run: 'b', released: { quietForMs: 5_000 } });
  });

  it('that could not be released at the first try is released at the second', async () => {
    const { lock, fact, remote } = parent();
    const held = await lock('a');
    let isRefused = false;
    remote.before = () => {
      if (isRefused) return;
      isRefused = true;
      throw new Failure('LEDGER_REFUSED', { detail: 'the host stumbled' });
    };
    await held.release(0);
    expect(fact()).toMatchObject({ run: 'a', released: { quietForMs: 0 } });
  });

  it('is LEASE_HELD when it was not free in time', async () => {
    const { clock, lock } = parent();
    await lock('a');
    const second = lock('b', { timeoutMs: 20_000 });
    await clock.advance(20_000);
    await expect(second).rejects.toMatchObject({ code: 'LEASE_HELD' });
  });

  it('lets no write out when less than one request’s deadline is left', async () => {
    const { clock, lock } = parent();
    const held = await lock('a', { durationMs: 90_000 });
    await clock.advance(60_000);
    expect(() => held.check()).not.toThrow();
    await clock.advance(1);
    expect(() => held.check()).toThrow(expect.objectContaining({ code: 'LEASE_LOST' }));
  });

  it('lasts as long after a quiet moment as without one, and others wait that long', async () => {
    const { clock, lock, fact } = parent();
    await (await lock('a')).release(80_000);
    const waiting = lock('b', { durationMs: 90_000 });
    await clock.advance(80_000);
    const held = await waiting;
    expect(fact().durationMs).toBe(170_000);
    await clock.advance(60_000);
    expect(() => held.check()).not.toThrow();
    await clock.advance(1);
    expect(() => held.check()).toThrow(expect.objectContaining({ code: 'LEASE_LOST' }));
  });

  it('that somebody else took over is not released by its old holder', async () => {
    const { clock, lock, fact } = parent();
    const first = await lock('a', { durationMs: 90_000 });
    const second = lock('b');
    await clock.advance(120_000);
    await second;
    await first.release(0);
    expect(fact()).toMatchObject({ run: 'b', released: null });
  });

  it('goes to everybody in turn, after short waits of different lengths', async () => {
    const { remote, clock, lock, fact } = parent();
    const held: HeldLock[] = [];
    for (const run of ['a', 'b', 'c']) void lock(run).then((one) => held.push(one));
    for (const turn of [1, 2, 3]) {
      await clock.advance(6_000);
      expect([held.length, fact().released]).toEqual([turn, null]);
      await held.at(-1)?.release(0);
    }
    expect(remote.commits.map(({ message }) => message.split(' ')[0])).toEqual(['lock', 'release', 'lock', 'release', 'lock', 'release']);
    expect(remote.commits[0]?.message).toBe('lock https://api.acme.example/apps/1');
    // The loser of the race tries again after 10 to 50 ms.
    const short = clock.asked.filter((ms) => ms < 250);
    expect(short.length).toBeGreaterThan(0);
    for (const ms of short) expect([ms >= 10, ms <= 50]).toEqual([true, true]);
  });

  it('is tried for again after a random while', async () => {
    const { clock, lock } = parent();
    const chance = vi.spyOn(Math, 'random').mockReturnValue(0.5);
    onTestFinished(() => chance.mockRestore());
    for (const run of ['a', 'b']) void lock(run);
    await clock.advance(5);
    expect(clock.asked).toEqual([30]);
  });

  it('counts how often it was tried for, so that each try is another commit', async () => {
    const { clock, lock, fact } = parent();
    const first = await lock('a');
    expect(fact().renewal).toBe(1);
    const waiting = lock('b');
    await clock.advance(1_000);
    await first.release(0);
    await clock.advance(6_000);
    await waiting;
    expect(fact().renewal).toBe(2);
  });

  it('is neither taken nor given back by a push that is refused', async () => {
    const { remote, lock, fact } = parent();
    const refuse = () => {
      throw new Error('no permission');
    };
    remote.before = refuse;
    await expect(lock('a')).rejects.toThrow('no permission');
    remote.before = () => undefined;
    const held = await lock('b');
    remote.before = refuse;
    await expect(held.release(0)).rejects.toThrow('no permission');
    expect(fact()).toMatchObject({ run: 'b', released: null });
  });

  it('that ran out is named', async () => {
    const { clock, lock } = parent();
    const held = await lock('a');
    await clock.advance(90_001);
    expect(() => held.check()).toThrow(
      expect.objectContaining({ detail: 'The lock on https://api.acme.example/apps/1 ran out before the write was sent.' }),
    );
  });

  it('that cannot be read is damage and not a free lock', async () => {
    const { remote, lock } = parent();
    await remote.open().append(branch, new Map([['lock.json', '{"half":']]), null, 'damage');
    await expect(lock('a')).rejects.toMatchObject({ code: 'LEDGER_CORRUPT', fix: expect.stringContaining(branch) });
  });

  it.each([
    ['of another shape', { run: 'x', durationMs: 1 }, 'LEDGER_CORRUPT'],
    ['that never ends', { v: 1, holder: 'h', run: 'x', durationMs: 0, deadlineMs: 1, renewal: 1, released: null }, 'LEDGER_CORRUPT'],
    ['of a newer version', { v: 3 }, 'LEDGER_VERSION'],
  ])('%s is refused and not taken', async (_, content, code) => {
    const { remote, lock } = parent();
    await remote.open().append(branch, new Map([['lock.json', JSON.stringify(content)]]), null, 'damage');
    const refusal = await lock('a').catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code });
    // The fix must not delete a lock that only another version can read.
    expect(JSON.stringify(refusal).includes('Delete the ref')).toBe(code === 'LEDGER_CORRUPT');
    expect(remote.on(branch)).toHaveLength(1);
  });
});
