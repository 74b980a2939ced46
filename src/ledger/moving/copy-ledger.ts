import { Failure } from '../../core/errors.ts';
import { movedTo } from '../model/moved.ts';
import { placeBranch, receiptsPrefix } from '../model/names.ts';
import { type NamedPlace, placeChange, placeIn } from '../stores/place/place-file.ts';
import { stands } from '../stores/place/stands.ts';
import { readAll } from '../stores/read-all.ts';
import { HeadMoved, readSound, type Store } from '../stores/store.ts';
import { type CopyEnd, copyBranch, leaseOf, type Move } from './copy-branch.ts';

export interface LedgerMove extends Move {
  /** The git remote, whose branch names the place; `null` for a checkout without one. */
  readonly git: Store | null;
  readonly isDryRun: boolean;
  /** Is told of each branch when its turn ends. */
  readonly tell?: (branch: string, end: BranchEnd) => void;
}

export type BranchEnd = CopyEnd | 'would copy' | 'failed';

export interface CopiedBranch {
  readonly branch: string;
  readonly end: BranchEnd;
  readonly files: number;
  readonly bytes: number;
  /** Why the branch was not copied. */
  readonly error: Failure | null;
}

export interface CopiedLedger {
  readonly branches: readonly CopiedBranch[];
  /** The place that the git remote names from now on. */
  readonly place: string;
}

/** Branches that are copied side by side. */
const atOnce = 4;
/** Runs that began before the move may make branches while it goes on. */
const mostRounds = 10;

/**
 * Moves the ledger of a repository: names the move on the git remote, which keeps new runs away, copies branch by branch, then names the new
 * place. Everything that it leaves stands for the next attempt. Throws `LEDGER_REFUSED` where another ledger stands in the way.
 */
export async function copyLedger(move: LedgerMove): Promise<CopiedLedger> {
  const { from, to, git, isDryRun } = move;
  const named = git && placeIn(await readSound(git, placeBranch), git.location);
  mustBeHere(named, move);
  const isBegun = named?.moving === to.place || named?.place === to.place;
  if (!isBegun) await mustBeFree(move);
  if (isDryRun) return { branches: await looked(move), place: named?.place ?? from.place };
  if (git && !isBegun) await name(git, move, { place: from.place, moving: to.place });
  const branches = await copyAll(move);
  const isDone = branches.every(({ end }) => end === 'copied' || end === 'present');
  if (git && isDone && named?.place !== to.place) await name(git, move, { place: to.place });
  return { branches, place: isDone ? to.place : from.place };
}

function mustBeHere(named: NamedPlace | null, { from, to }: LedgerMove): void {
  const { place = from.place, moving = to.place } = named ?? {};
  if ((place === from.place && moving === to.place) || place === to.place) return;
  const detail =
    place === from.place
      ? `The ledger of this repository is being moved from ${place} to ${moving}, and this would move it to ${to.place}.`
      : `The ledger of this repository is at ${place}, and not at ${from.place}.`;
  const fix =
    place === from.place
      ? `Run \`pilotfish ledger copy ${place} ${moving}\` to its end first.`
      : `Run \`pilotfish ledger copy ${place} ${to.place}\`.`;
  throw new Failure('LEDGER_REFUSED', { detail, fix });
}

/** A ledger of its own at the new place would be mixed with this one. What was moved away from there may come back. */
async function mustBeFree({ from, to }: LedgerMove): Promise<void> {
  for await (const read of readAll(to.store, receiptsPrefix)) {
    if (read.branch === placeBranch || ('tree' in read && (movedTo(read.tree.files) === from.place || !stands(read.tree, read.branch))))
      continue;
    throw new Failure('LEDGER_REFUSED', {
      detail: `${to.place} holds a ledger already: ${read.branch} has objects of its own.`,
      fix: 'Choose an empty place, or destroy the scopes that stand there first.',
    });
  }
}

/** Writes the name, unless another process that moves the same ledger has written it, or has ended the move. */
async function name(git: Store, move: LedgerMove, place: Pick<NamedPlace, 'place' | 'moving'>): Promise<void> {
  const words = place.moving === undefined ? `the ledger is at ${place.place}` : `the ledger moves to ${place.moving}`;
  for (;;) {
    const tree = await readSound(git, placeBranch);
    const named = placeIn(tree, git.location);
    mustBeHere(named, move);
    if (named?.place === move.to.place || (named !== null && named.moving === place.moving)) return;
    try {
      const at = new Date(move.clock.now()).toISOString();
      await git.append(placeBranch, placeChange({ v: 1, ...place, at }), tree?.head ?? null, words);
      return;
    } catch (error) {
      if (!(error instanceof HeadMoved)) throw error;
    }
  }
}

const branchesOf = async (store: Store): Promise<readonly string[]> =>
  (await store.list(receiptsPrefix))
    .map(({ branch }) => branch)
    .filter((branch) => branch !== placeBranch)
    .sort();

/** Copies until a look finds no branch that was not copied. */
async function copyAll(move: LedgerMove): Promise<readonly CopiedBranch[]> {
  const done = new Map<string, CopiedBranch>();
  for (let round = 1; round <= mostRounds; round += 1) {
    const rest = (await branchesOf(move.from.store)).filter((branch) => !done.has(branch));
    if (rest.length === 0) break;
    const turns = rest.values();
    const worker = async (): Promise<void> => {
      for (const branch of turns) {
        move.signal.throwIfAborted();
        done.set(branch, await copyOne(move, branch));
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, rest.length) }, worker));
  }
  return [...done.values()].sort((a, b) => (a.branch < b.branch ? -1 : 1));
}

/** What is wrong with one branch keeps no other from being copied. */
async function copyOne(move: LedgerMove, branch: string): Promise<CopiedBranch> {
  try {
    const end = await copyBranch(move, branch);
    move.tell?.(branch, end);
    return { branch, end, ...(await sizeOf(move.to.store, branch)), error: null };
  } catch (error) {
    if (!(error instanceof Failure) || move.signal.aborted) throw error;
    move.tell?.(branch, 'failed');
    return { branch, end: 'failed', files: 0, bytes: 0, error };
  }
}

async function looked({ from, to }: LedgerMove): Promise<readonly CopiedBranch[]> {
  const found: CopiedBranch[] = [];
  for await (const read of readAll(from.store, receiptsPrefix)) {
    const { branch } = read;
    if (branch === placeBranch) continue;
    if (!('tree' in read)) {
      found.push({ branch, end: 'failed', files: 0, bytes: 0, error: read.error });
      continue;
    }
    const lease = leaseOf(read.tree, branch);
    const isHeld = lease !== null && lease.released === null;
    const end = movedTo(read.tree.files) === to.place ? 'present' : isHeld ? 'busy' : 'would copy';
    found.push({ branch, end, ...measured(read.tree.files), error: null });
  }
  return found;
}

async function sizeOf(store: Store, branch: string) {
  return measured((await store.read(branch))?.files ?? new Map());
}

const measured = (files: ReadonlyMap<string, string>) => ({
  files: files.size,
  bytes: [...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0),
});
