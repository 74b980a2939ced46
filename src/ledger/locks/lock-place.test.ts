import { describe, expect, it } from 'vitest';
import { MemoryRemote } from '../../../test/support/memory-store.ts';
import { rest, VirtualClock } from '../../../test/support/virtual-clock.ts';
import { Failure } from '../../core/errors.ts';
import { lockBranch, lockPlace } from '../model/names.ts';
import { BranchRefused, type Store } from '../stores/store.ts';
import { acquireSharedLock } from './lock-place.ts';

const name = 'https://api.acme.example/apps/1';
const hidden = lockBranch(name);
const visible = lockBranch(name, 'branch');

/** Machines that share one parent; those named in `refused` may not write hidden refs. */
function parent(refused: readonly string[]) {
  const remote = new MemoryRemote();
  const clock = new VirtualClock();
  const tried: string[] = [];
  const open = (run: string): Store => {
    const inner = remote.open();
    const append: Store['append'] = async (branch, ...rest) => {
      tried.push(`${run} ${branch}`);
      if (refused.includes(run) && !branch.startsWith('refs/heads/')) {
        throw new BranchRefused({ detail: 'The remote refused the push. It said: deny updating a hidden ref.' });
      }
      return inner.append(branch, ...rest);
    };
    return { ...inner, append };
  };
  const lock = (run: string, store = open(run)) => {
    const taking = acquireSharedLock({
      store,
      name,
      clock,
      terms: { holder: `host-${run}`, run, durationMs: 120_000, deadlineMs: 30_000 },
      timeoutMs: 600_000,
      signal: new AbortController().signal,
      onWait: () => undefined,
    });
    taking.catch(() => undefined);
    return taking;
  };
  return { remote, clock, lock, open, tried };
}

const isTaken = async (taking: Promise<unknown>): Promise<boolean> => {
  let taken = false;
  taking.then(
    () => {
      taken = true;
    },
    () => undefined,
  );
  await rest();
  return taken;
};

describe('the place of locks', () => {
  it('is out of sight, where the host lets them', async () => {
    const { remote, lock } = parent([]);
    await (await lock('a')).release(0);
    expect([...remote.branches.keys()]).toEqual([hidden]);
  });

  it('is below refs/heads where the host refuses other refs, and the remote says so to everybody', async () => {
    const { remote, lock, open, tried } = parent(['a', 'b']);
    const store = open('a');
    await (await lock('a', store)).release(0);
    expect([...remote.branches.keys()].sort()).toEqual([lockPlace, visible].sort());
    tried.length = 0;
    await (await lock('a', store)).release(0);
    expect(tried).toEqual([`a ${visible}`, `a ${visible}`]);
    await (await lock('b')).release(0);
    expect(remote.on(lockPlace)).toHaveLength(1);
  });

  it('is the same for a run that may write hidden refs, once another one may not', async () => {
    const { remote, clock, lock } = parent(['a']);
    const held = await lock('a');
    const second = lock('b');
    await clock.advance(30_000);
    expect(await isTaken(second)).toBe(false);
    expect(JSON.parse(remote.filesOf(hidden).get('lock.json') ?? '')).toMatchObject({ run: 'b', released: { quietForMs: 0 } });
    await held.release(0);
    await clock.advance(30_000);
    expect(await isTaken(second)).toBe(true);
  });

  it('changes only when the one who holds a hidden lock is done, and what it left can no longer land', async () => {
    const { clock, lock } = parent(['b']);
    const held = await lock('a');
    const second = lock('b');
    await clock.advance(60_000);
    expect(await isTaken(second)).toBe(false);
    await held.release(10_000);
    await clock.advance(9_000);
    expect(await isTaken(second)).toBe(false);
    await clock.advance(10_000);
    expect(await isTaken(second)).toBe(true);
  });

  it('a hidden lock whose holder died is waited out once, with what may still land', async () => {
    const { clock, lock, open } = parent(['b']);
    await lock('a');
    const store = open('b');
    const second = lock('b', store);
    await clock.advance(120_000);
    expect(await isTaken(second)).toBe(false);
    await clock.advance(160_000);
    expect(await isTaken(second)).toBe(true);
    await (await second).release(0);
    expect(await isTaken(lock('b', store))).toBe(true);
  });

  it('a host that refuses both is an error, and nothing is held', async () => {
    const { remote, lock } = parent([]);
    remote.before = () => {
      throw new BranchRefused({ detail: 'It said: no.' });
    };
    await expect(lock('a')).rejects.toMatchObject({ code: 'LEDGER_REFUSED' });
    remote.before = () => {
      throw new Failure('LEDGER_REFUSED', { detail: 'not reached' });
    };
    await expect(lock('b')).rejects.toThrow('not reached');
    expect(remote.commits).toEqual([]);
  });
});
