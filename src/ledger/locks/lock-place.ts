import { Failure } from '../../core/errors.ts';
import { lockBranch, lockPlace } from '../model/names.ts';
import { BranchRefused, HeadMoved, type Store } from '../stores/store.ts';
import { awaitLease, Elapsed, isHeldByAnother } from '../writer/lease.ts';
import { acquireLock, type HeldLock, readLock } from './lock.ts';

export type SharedLock = Omit<Parameters<typeof acquireLock>[0], 'branch' | 'waited'>;

/** `waited`: the time since the lock was asked for. All places where the lock may stand share this time. */
type Asked = SharedLock & { readonly waited: Elapsed };

/** Remotes whose locks stand below `refs/heads`, each with the heads of hidden locks that nobody acts under any more. */
const onBranches = new WeakMap<Store, Set<string>>();

/**
 * Takes a lock where the remote keeps its locks: out of sight below `refs/pilotfish`, or below `refs/heads` where the host
 * refuses such refs. All runs must agree on the place, so the first refused run records it in the remote, as the branch `lockPlace`.
 *
 * Hosts may refuse one credential and not another, so both places can be in use for a while. A run with a hidden lock then looks for
 * the mark, and gives the lock back when the mark is there. A run with a lock below `refs/heads` saw the mark before, and then looks
 * at the hidden lock. So of two runs at least one sees the other.
 */
export async function acquireSharedLock(lock: SharedLock): Promise<HeldLock> {
  const o = { ...lock, waited: new Elapsed(lock.clock) };
  if (onBranches.has(o.store)) return await takeBranch(o);
  let hidden: HeldLock | null = null;
  try {
    hidden = await acquireLock({ ...o, branch: lockBranch(o.name) });
  } catch (error) {
    if (!(error instanceof BranchRefused)) throw error;
    await markPlace(o.store);
  }
  try {
    if (hidden && (await o.store.head(lockPlace)) === null) return hidden;
  } catch (error) {
    await hidden?.release(0);
    throw error;
  }
  onBranches.set(o.store, new Set());
  await hidden?.release(0);
  return await takeBranch(o);
}

/** The mark is never taken back. Another run may have set it at the same moment. */
async function markPlace(store: Store): Promise<void> {
  const text = `${JSON.stringify({ v: 1, locks: 'refs/heads/pilotfish-locks' }, null, 2)}\n`;
  try {
    await store.append(lockPlace, new Map([['place.json', text]]), null, 'locks stand below refs/heads, because the host refuses others');
  } catch (error) {
    if (!(error instanceof HeadMoved)) throw error;
  }
}

async function takeBranch(o: Asked): Promise<HeldLock> {
  for (;;) {
    const lock = await acquireLock({ ...o, branch: lockBranch(o.name, 'branch') });
    let next: (() => Promise<void>) | null;
    try {
      next = await hiddenHolder(o);
    } catch (error) {
      await lock.release(0);
      throw error;
    }
    if (next === null) return lock;
    await lock.release(0);
    if (o.waited.ms() >= o.timeoutMs) {
      throw new Failure('LEASE_HELD', {
        detail: `Other runs took the lock on ${o.name} again and again, at the place that they use for locks.`,
      });
    }
    await next();
  }
}

/** Gives the wait for the run that holds, or just held, the hidden lock; `null` when no run does. */
async function hiddenHolder(o: Asked): Promise<(() => Promise<void>) | null> {
  const branch = lockBranch(o.name);
  const gone = onBranches.get(o.store);
  const head = await o.store.head(branch);
  if (head === null || gone?.has(head)) return null;
  const { lease, tree } = await readLock(o.store, branch);
  if (!lease || !tree) return null;
  const seenHead = tree.head;
  const isOver = async (quietMs: number): Promise<void> => {
    await o.clock.sleep(quietMs, o.signal);
    gone?.add(seenHead);
  };
  const quietMs = lease.released?.quietForMs ?? 0;
  if (quietMs > 0) return () => isOver(quietMs);
  if (!isHeldByAnother(lease, o.terms.run)) return null;
  const left = o.outlived?.(lease.run) ?? null;
  if (left !== null) return () => isOver(left);
  return async () => {
    const newest = (): Promise<string | null> => o.store.head(branch);
    const outcome = await awaitLease({ ...o, lease, seenHead, head: newest });
    if (outcome === 'expired') await isOver(lease.deadlineMs);
  };
}
