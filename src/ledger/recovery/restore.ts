import type { Clock } from '../../core/clock.ts';
import { door } from '../../core/door.ts';
import { Failure } from '../../core/errors.ts';
import type { Lease } from '../model/facts.ts';
import { toText } from '../model/file-text.ts';
import { isLedgerDamage, parseLease, parseState, paths } from '../model/state.ts';
import { type Change, type Files, HeadMoved, HistoryLost, readSound, type Store, type Tree } from '../stores/store.ts';
import { awaitLease, Elapsed, type LeaseTerms } from '../writer/lease.ts';
import { Tries } from '../writer/tries.ts';

/** The shortest prefix of a commit id that names the commit. */
const shortest = 7;

export interface RestoreOptions {
  readonly store: Store;
  readonly branch: string;
  readonly commit: string;
  readonly clock: Clock;
  readonly terms: LeaseTerms;
  readonly leaseTimeoutMs: number;
  readonly signal: AbortSignal;
  readonly onWait: (detail: string) => void;
}

/**
 * Makes an older commit of a receipts branch the newest one. Its files go into a new commit on top of the branch, so nothing is forced
 * and nothing is lost. Readable history lines stay. A branch that was made anew keeps its own facts, and also gets those of the lost
 * commit. Gives the head of the new commit.
 *
 * The lease of a damaged ledger may be unreadable, and some run may hold it. So this waits for the lease to run out, as for any other.
 * The new commit releases the lease with the time that an unanswered write of its holder may still need. Throws `USAGE` for a commit
 * that is not of the branch, `LEDGER_CORRUPT` for a damaged one, `LEASE_HELD` while a live run holds the scope.
 */
export async function restoreLedger(o: RestoreOptions): Promise<string> {
  const older = await soundCommit(o);
  const waited = new Elapsed(o.clock);
  const tries = new Tries({ ...o, timeoutMs: o.leaseTimeoutMs, location: o.store.location });
  /** The head that our last push was built on, when this push came too late. */
  let missed: string | null | undefined;
  for (;;) {
    const { head, files, isOther } = await readNow(o);
    if (missed !== undefined) await tries.again({ hasMoved: head !== missed });
    missed = undefined;
    const lease = leaseNow(o, head, files);
    if (lease !== null && lease.released === null && !(await waitOut(o, lease, head, waited))) continue;
    const change = restoringChange(o, older, { files, isOther }, lease);
    try {
      const message = `${o.branch}: restored from ${older.head.slice(0, 12)}`;
      if (head !== null) return await o.store.append(o.branch, change, head, message, older.head);
      return await o.store.append(o.branch, new Map([...older.files, ...change]), null, message);
    } catch (error) {
      if (!(error instanceof HeadMoved)) throw error;
      missed = head;
    }
  }
}

async function soundCommit(o: RestoreOptions): Promise<Tree> {
  const older = o.commit.length < shortest ? null : await o.store.readAt(o.branch, o.commit.toLowerCase());
  if (older === null) {
    throw new Failure('USAGE', {
      detail: `${door.named('restore-ledger')} names ${o.commit}, but the history of ${o.branch} on ${o.store.location} holds no such commit. Nothing was written.`,
      fix: `Give at least ${shortest} characters of a commit of ${o.branch}.`,
    });
  }
  try {
    parseState(older.files, `${o.branch} at ${older.head.slice(0, 12)}`);
  } catch (error) {
    if (!isLedgerDamage(error)) throw error;
    throw new Failure(error.code, { detail: error.detail, fix: 'Name an older commit, from before the damage.', cause: error });
  }
  return older;
}

/** The branch as it is: its head, and its files where they can be read at all. */
async function readNow(o: RestoreOptions): Promise<Now & { readonly head: string | null }> {
  try {
    const tree = await readSound(o.store, o.branch);
    return { head: tree?.head ?? null, files: tree?.files ?? null, isOther: false };
  } catch (error) {
    if (error instanceof HistoryLost) return { ...error.tree, isOther: true };
    if (!isLedgerDamage(error)) throw error;
    return { head: await o.store.head(o.branch), files: null, isOther: false };
  }
}

interface Now {
  readonly files: Files | null;
  /** Others made the branch anew: it records their work, and nothing that the lost commits name. */
  readonly isOther: boolean;
}

/** The lease that may be held now. An unreadable lease, or that of a deleted branch, counts as one with our terms. */
function leaseNow(o: RestoreOptions, head: string | null, files: Files | null): Lease | null {
  const unknown: Lease = { v: 1, ...o.terms, holder: 'an unknown holder', run: 'unknown', renewal: 0, released: null, at: '' };
  if (head === null || files === null) return unknown;
  try {
    const text = files.get(paths.lease);
    if (text !== undefined) return parseLease(text, paths.lease, o.branch);
    parseState(files, o.branch);
    return null;
  } catch (error) {
    if (!isLedgerDamage(error)) throw error;
    return unknown;
  }
}

/** Whether the lease ran out; `false` when another run wrote meanwhile. */
async function waitOut(o: RestoreOptions, lease: Lease, head: string | null, waited: Elapsed): Promise<boolean> {
  const absent = 'absent';
  const now = async (): Promise<string> => (await o.store.head(o.branch)) ?? absent;
  const outcome = await awaitLease({ ...o, timeoutMs: o.leaseTimeoutMs, lease, seenHead: head ?? absent, head: now, waited });
  return outcome === 'expired';
}

function restoringChange(o: RestoreOptions, older: Tree, { files, isOther }: Now, lease: Lease | null): Change {
  const change = new Map<string, string | null>(isOther && files !== null ? factsToKeep(o, older, files) : []);
  if (older.files.has(paths.snapshot)) change.set(paths.snapshot, null);
  const history = files?.get(paths.history) ?? '';
  const before = older.files.get(paths.history) ?? '';
  if (history !== before && history.startsWith(before) && isReadable(o, history)) change.set(paths.history, history);
  if (lease === null) {
    if (older.files.has(paths.lease)) change.set(paths.lease, null);
  } else {
    const quietForMs = lease.released?.quietForMs ?? lease.deadlineMs;
    change.set(paths.lease, toText({ ...lease, released: { quietForMs } } satisfies Lease));
  }
  return change;
}

/** Keeps the facts of both histories, because objects of either may stand at a provider. Of one object the newer branch knows more. */
function factsToKeep(o: RestoreOptions, older: Tree, files: Files): ReadonlyMap<string, string> {
  try {
    parseState(files, o.branch);
  } catch {
    return new Map();
  }
  const isKept = (path: string): boolean => /^(records|intents|left)\//.test(path) || path === paths.receipt;
  const [before, now] = [older.files, files].map((from) => (from.get(paths.history) ?? '').split('\n').filter((line) => line !== ''));
  const lines = [...new Set([...(before ?? []), ...(now ?? [])])];
  const history = lines.length === 0 ? [] : [[paths.history, `${lines.join('\n')}\n`] as const];
  return new Map([...[...files].filter(([path]) => isKept(path)), ...history]);
}

function isReadable(o: RestoreOptions, history: string): boolean {
  try {
    parseState(new Map([[paths.history, history]]), o.branch);
    return true;
  } catch {
    return false;
  }
}
