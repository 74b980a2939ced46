import type { Clock } from '../../core/clock.ts';
import { Failure } from '../../core/errors.ts';
import type { Lease } from '../model/facts.ts';
import { movedChange, movedPath, movedTo } from '../model/moved.ts';
import { parseState } from '../model/state.ts';
import { listsIn, sealsPath } from '../seals/lists.ts';
import { searchOlder } from '../seals/older.ts';
import { type Change, type Files, HeadMoved, readSound, type Store, type Tree } from '../stores/store.ts';
import { Elapsed } from '../writer/lease.ts';

/** One side of a move. */
export interface Side {
  readonly store: Store;
  /** The place as it may be told. */
  readonly place: string;
}

export interface Move {
  readonly from: Side;
  readonly to: Side;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** How long a run that holds a scope is waited for. */
  readonly patienceMs: number;
}

/** `copied`: by this run. `present`: an earlier attempt copied it. `busy`: a run holds the scope. */
export type CopyEnd = 'copied' | 'present' | 'busy';

/** A look at the lease of a busy scope is this long after the one before. */
const lookMs = 2_000;

/**
 * Copies the ledger of one scope, holds the copy against it, and marks it as moved. The mark is a compare-and-swap on the commit that was
 * copied, so no run can write behind it. Any of these steps may be the last of a process: the next attempt finds what stands.
 */
export async function copyBranch(move: Move, branch: string): Promise<CopyEnd> {
  const { from, to, clock } = move;
  const begun = new Elapsed(clock);
  for (;;) {
    const tree = await readSound(from.store, branch);
    if (tree === null) return 'present';
    if (movedTo(tree.files) === to.place) return await mustBeThere(move, branch);
    const hold = await whetherHeld(move, branch, tree, begun);
    if (hold === 'held') return 'busy';
    if (hold === 'moved') continue;
    try {
      await writeCopy(move, branch, tree);
      await from.store.append(
        branch,
        movedChange(to.place, new Date(clock.now()).toISOString()),
        tree.head,
        `the ledger is at ${to.place}`,
      );
      return 'copied';
    } catch (error) {
      // A run wrote meanwhile, and its facts must come along; or another process moves the same ledger.
      if (!(error instanceof HeadMoved)) throw error;
      if (begun.ms() >= move.patienceMs) return 'busy';
    }
  }
}

async function mustBeThere({ from, to }: Move, branch: string): Promise<CopyEnd> {
  if ((await to.store.head(branch)) !== null) return 'present';
  throw new Failure('LEDGER_CORRUPT', {
    detail: `The ledger ${branch} of ${from.place} says that it was moved to ${to.place}, and is not there.`,
    fix: `Restore the branch there, or remove ${movedPath} from ${branch} of ${from.place} to copy it again.`,
  });
}

/** `free`: nobody holds the lease, or its holder has not moved it for as long as it holds. `moved`: somebody wrote meanwhile. */
async function whetherHeld(
  { from, clock, signal, patienceMs }: Move,
  branch: string,
  tree: Tree,
  begun: Elapsed,
): Promise<'free' | 'held' | 'moved'> {
  const lease = leaseOf(tree, branch);
  if (lease === null || lease.released !== null) return 'free';
  const still = new Elapsed(clock);
  while (still.ms() < lease.durationMs) {
    if (begun.ms() >= patienceMs) return 'held';
    await clock.sleep(Math.min(lookMs, lease.durationMs), signal);
    if ((await from.store.head(branch)) !== tree.head) return 'moved';
  }
  return 'free';
}

/** `null` too for a lease that cannot be read: no run reads its ledger, and the copy is as it stands. */
export function leaseOf({ files }: Tree, branch: string): Lease | null {
  try {
    const text = files.get('lease.json');
    return text === undefined ? null : parseState(new Map([['lease.json', text]]), branch).lease;
  } catch {
    return null;
  }
}

/** Brings the branch there to the files of `tree`. Facts that a seal names and that somebody took away come first, as an older commit. */
async function writeCopy({ from, to }: Move, branch: string, tree: Tree): Promise<void> {
  const files = without(tree.files, movedPath);
  const message = `copy of ${tree.head.slice(0, 12)} from ${from.place}`;
  let there = await to.store.read(branch);
  const isThere = there !== null && difference(there.files, files).size === 0;
  const missing = isThere ? new Map<string, string>() : await missingFacts(from.store, branch, files);
  if (missing.size > 0) {
    const whole = difference(there?.files ?? new Map(), new Map([...files, ...missing]));
    if (whole.size > 0) await to.store.append(branch, whole, there?.head ?? null, `${message}: facts that its seals name`);
    there = await to.store.read(branch);
  }
  const change = difference(there?.files ?? new Map(), files);
  if (there === null || change.size > 0) await to.store.append(branch, change, there?.head ?? null, message);
  const copy = await to.store.read(branch);
  if (copy === null || difference(copy.files, files).size > 0) {
    throw new Failure('LEDGER_CORRUPT', {
      detail: `The copy of ${branch} at ${to.place} was read back and differs from ${from.place}. Nothing was marked as moved.`,
      fix: 'Run the same command again. If it ends so again, report the store.',
    });
  }
}

/** The facts that seal lists name and the ledger lacks, from older commits. A run that looks for them must find them in the copy too. */
async function missingFacts(store: Store, branch: string, files: Files): Promise<Files> {
  const wanted = new Set(listsIn(files.get(sealsPath)).flatMap(({ facts }) => Object.keys(facts).filter((path) => !files.has(path))));
  const found = new Map<string, string>();
  const rest = (): readonly string[] => [...wanted].filter((path) => !found.has(path));
  const take = (older: Files): void => {
    for (const path of rest()) {
      const text = older.get(path);
      if (text !== undefined) found.set(path, text);
    }
  };
  if (wanted.size > 0) await searchOlder(store, branch, { heads: new Set(), lost: [], rest, take });
  return found;
}

const without = (files: Files, path: string): Files => new Map([...files].filter(([name]) => name !== path));

/** The change that makes the files of `now` those of `wanted`. */
function difference(now: Files, wanted: Files): Change {
  const changed = [...wanted].filter(([path, text]) => now.get(path) !== text);
  const gone = [...now.keys()].filter((path) => !wanted.has(path)).map((path) => [path, null] as const);
  return new Map<string, string | null>([...changed, ...gone]);
}
