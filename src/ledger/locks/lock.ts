import { bounds } from '../../core/bounds.ts';
import type { Clock } from '../../core/clock.ts';
import { Failure } from '../../core/errors.ts';
import type { Lease } from '../model/facts.ts';
import { parseLease } from '../model/state.ts';
import { HeadMoved, type Store, type Tree } from '../stores/store.ts';
import { awaitLease, Elapsed, isHeldByAnother, type LeaseTerms, leaseFact } from '../writer/lease.ts';
import { Tries } from '../writer/tries.ts';

const file = 'lock.json';

/** A lock that is held; `check` throws when it may have run out. */
export interface HeldLock {
  check(): void;
  /** `quietForMs`: how long an unanswered write under this lock may still land; the next holder waits that long. */
  release(quietForMs: number): Promise<void>;
}

/**
 * Takes the lock of a parent object between runs and repositories: one branch a parent, taken and released by fast-forward
 * commits, so that two pull requests that touch one application both end up in its list.
 */
export async function acquireLock(o: {
  store: Store;
  branch: string;
  /** The name of the lock for people. */
  name: string;
  clock: Clock;
  terms: LeaseTerms;
  timeoutMs: number;
  signal: AbortSignal;
  onWait: (detail: string) => void;
  /**
   * Tells how long a write of `run` may still land, once this run has taken the lease of its scope; `null` when that run may be alive.
   * Every write needs both the lease and the lock. So the lock of a run without a lease protects nothing, and nobody waits for it again.
   */
  outlived?: (run: string) => number | null;
  /** The time since the first of several waits for one lock. It counts against `timeoutMs`. */
  waited?: Elapsed;
}): Promise<HeldLock> {
  const waited = o.waited ?? new Elapsed(o.clock);
  const tries = new Tries({ ...o, branch: `the lock on ${o.name}`, location: o.store.location });
  /** The head that our last push was built on, when this push came too late. */
  let missed: string | null | undefined;
  for (let renewal = 1; ; renewal++) {
    const { tree, lease } = await readLock(o.store, o.branch);
    if (missed !== undefined) await tries.again({ hasMoved: (tree?.head ?? null) !== missed });
    missed = undefined;
    // Our own release is no exception: a write of the batch before may still land.
    let quietMs = lease?.released?.quietForMs ?? 0;
    if (tree && isHeldByAnother(lease, o.terms.run)) {
      const left = o.outlived?.(lease.run) ?? null;
      if (left === null) {
        const head = (): Promise<string | null> => o.store.head(o.branch);
        const outcome = await awaitLease({ ...o, lease, seenHead: tree.head, head, waited });
        if (outcome === 'moved') continue;
      }
      quietMs = left ?? lease.deadlineMs;
    }
    const held = new Elapsed(o.clock);
    // The quiet moment adds to the duration: nothing is written in that moment, and a batch needs its full time for writing.
    const wholeMs = o.terms.durationMs + quietMs;
    const fact = leaseFact({ ...o.terms, durationMs: Math.min(wholeMs, bounds.lease) }, renewal, o.clock.now());
    try {
      const head = await o.store.append(o.branch, new Map([[file, text(fact, o.name)]]), tree?.head ?? null, `lock ${o.name}`);
      const lock = lockOf(o, held, fact, head);
      await quiet(o, lock, quietMs);
      if (fact.durationMs === wholeMs) return lock;
      // Other runs honour no lock of that length. The quiet moment is over, so this run takes its own lock again.
    } catch (error) {
      if (!(error instanceof HeadMoved)) {
        // The push may have taken the lock although its answer was lost.
        await isGivenBack(o, quietMs).catch(() => false);
        throw error;
      }
      missed = tree?.head ?? null;
      await o.clock.sleep(10 + Math.random() * 40, o.signal);
    }
  }
}

/** Refuses damage, because a damaged lock must not count as free. The fix differs from that of a scope: a lock may be deleted. */
export async function readLock(store: Store, branch: string): Promise<{ readonly tree: Tree | null; readonly lease: Lease | null }> {
  try {
    const tree = await store.read(branch);
    const content = tree?.files.get(file);
    return { tree, lease: content === undefined ? null : parseLease(content, file, branch) };
  } catch (cause) {
    if (!(cause instanceof Failure) || cause.code !== 'LEDGER_CORRUPT') throw cause;
    throw new Failure(cause.code, { detail: cause.detail, fix: `Delete the ref ${branch} on the remote when no run is under way.`, cause });
  }
}

/** Waits until no write of an earlier holder can still land. A run that is stopped meanwhile hands the rest of the wait to the next one. */
async function quiet(o: Parameters<typeof acquireLock>[0], lock: HeldLock, ms: number): Promise<void> {
  if (ms <= 0) return;
  const since = o.clock.mono();
  try {
    await o.clock.sleep(ms, o.signal);
  } catch (error) {
    await lock.release(ms - (o.clock.mono() - since));
    throw error;
  }
}

function lockOf(o: Parameters<typeof acquireLock>[0], held: Elapsed, fact: Lease, head: string): HeldLock {
  return {
    check: () => {
      if (held.ms() + o.terms.deadlineMs > fact.durationMs) {
        throw new Failure('LEASE_LOST', { detail: `The lock on ${o.name} ran out before the write was sent.` });
      }
    },
    release: async (quietForMs) => {
      const released: Lease = { ...fact, released: { quietForMs: Math.max(0, Math.ceil(quietForMs)) } };
      try {
        await o.store.append(o.branch, new Map([[file, text(released, o.name)]]), head, `release ${o.name}`);
      } catch (error) {
        // Another run took the lock over after it ran out, so this run must not release the lock.
        if (error instanceof HeadMoved) return;
        if (!(await isGivenBack(o, quietForMs).catch(() => false))) throw error;
      }
    },
  };
}

/** Looks whether the lock is ours, and releases it; true when it is no longer held by this run. */
async function isGivenBack(o: Parameters<typeof acquireLock>[0], quietForMs: number): Promise<boolean> {
  const { tree, lease } = await readLock(o.store, o.branch);
  if (!tree || !lease || lease.run !== o.terms.run || lease.released) return true;
  const released: Lease = { ...lease, released: { quietForMs: Math.max(0, Math.ceil(quietForMs)) } };
  await o.store.append(o.branch, new Map([[file, text(released, o.name)]]), tree.head, `release ${o.name}`);
  return true;
}

const text = (lease: Lease, name: string): string => `${JSON.stringify({ ...lease, name }, null, 2)}\n`;
