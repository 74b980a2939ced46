import { Failure, type FailureOptions } from '../../core/errors.ts';

/** The files of one branch at one commit: path → text. Paths use `/` and are never absolute. */
export type Files = ReadonlyMap<string, string>;

/** How a commit came about. Absent in a store that cannot tell. */
export interface CommitFacts {
  /** The head below the commit, `null` for the first commit of a branch. Also absent where a history ends before it is told. */
  readonly parent?: string | null;
  /** The commit has a second parent. No run makes such a commit, and its author hides what stands below that parent. */
  readonly isMerge?: true;
  readonly message?: string;
}

/** A branch as read: its head, and every file of it. */
export interface Tree extends CommitFacts {
  /** Opaque; equal heads hold equal files. */
  readonly head: string;
  readonly files: Files;
}

/** One file of a commit. */
export interface FileThen extends CommitFacts {
  readonly head: string;
  readonly text: string | undefined;
}

/** The memory of this machine for a branch. */
export interface Remembered {
  readonly head: string;
  /** Head of the commit that `readAt` gives although the branch has lost that commit; `null` when there is no copy. */
  readonly copy: string | null;
  /** For people: the file to remove so that this machine forgets the branch. */
  readonly place: string;
}

/** A branch of a bulk read: its files, or the reason why they cannot be read. */
export type ReadBranch = { readonly branch: string } & ({ readonly tree: Tree } | { readonly error: Failure });

/** The changes of one append: a path to its new text, or to `null` when it is removed. */
export type Change = ReadonlyMap<string, string | null>;

/** The head was not the expected one: nothing was written. Read again and decide anew. */
export class HeadMoved extends Error {
  readonly branch: string;
  constructor(branch: string) {
    super(`the head of ${branch} moved`);
    this.name = 'HeadMoved';
    this.branch = branch;
  }
}

/** A branch that does not lead back to the commit that this machine knows: somebody made it anew, or took commits of it away. */
export class HistoryLost extends Failure {
  /** The branch as it stands. */
  readonly tree: Tree;
  readonly known: Remembered;
  constructor({ branch, location, tree, known }: { branch: string; location: string; tree: Tree; known: Remembered }) {
    super('LEDGER_CORRUPT', {
      fix: `Restore the commit ${known.head} on the branch, or remove ${known.place} to accept the branch as it is.`,
      detail: `The ledger ${branch} on ${location} is at ${tree.head.slice(0, 12)}, which does not lead back to ${known.head.slice(0, 12)}, the commit that this machine last saw there. The branch was made anew or rewritten, and a run would leave behind the objects that only its lost commits name. Nothing was written.`,
    });
    this.tree = tree;
    this.known = known;
  }
}

/** A rule of the host refuses writes to this branch; the host may take another branch. */
export class BranchRefused extends Failure {
  constructor(options: FailureOptions) {
    super('LEDGER_REFUSED', options);
  }
}

/**
 * A versioned file tree per branch with compare-and-swap: the contract of every ledger store.
 * `test/support/describe-store.ts` holds every store to this contract.
 *
 * A branch is a short name (`pilotfish-receipts/preview/pr-12`, below `refs/heads/`) or a full ref (`refs/pilotfish/locks/…`):
 * both name the same branch where they mean the same ref. `names.ts` makes them.
 */
export interface Store {
  readonly kind: 'git-branch' | 'local' | 'postgres' | 's3' | `plugin:${string}`;
  /** For people: the remote without user info, or the folder. */
  readonly location: string;
  /** `null` when the branch does not exist. Throws `LEDGER_CORRUPT`, `LEDGER_REFUSED` (unreachable, not permitted). */
  read(branch: string): Promise<Tree | null>;
  /**
   * Writes one commit on `branch` and resolves with its head once it is durable where the next machine will see it.
   * `expect`: the head that the change was made from, `null` when the branch must not exist.
   * Throws `HeadMoved`, or `LEDGER_REFUSED` (permission, network, disk; `BranchRefused` for a rule about this branch). The store reads
   * again after a lost answer, so the returned promise never leaves open whether the commit is there.
   * `base`: an older commit from `readAt`. The change builds on its files in place of those of `expect`, which may be damaged.
   */
  append(branch: string, change: Change, expect: string | null, message: string, base?: string): Promise<string>;
  /**
   * An older commit of the same branch, by its head or the start of it (7 characters or more); `null` when that commit is not in
   * the branch's history. Each store decides how far back this reaches: a git branch keeps everything, a local one its last 32 commits.
   * A store may also give the copy that `remembered` names.
   */
  readAt(branch: string, head: string): Promise<Tree | null>;
  /**
   * Removes the branch while its head is `expect`, throws `HeadMoved` otherwise. Only for branches of scopes that were destroyed
   * long ago, outside of any run of theirs.
   */
  remove(branch: string, expect: string): Promise<void>;
  /** Branches that start with `prefix`, with their heads, named in the form of the prefix (short, or full ref). */
  list(prefix: string): Promise<readonly { readonly branch: string; readonly head: string }[]>;
  /**
   * All branches of a prefix, in the order of their names, by as few questions as the place allows. Only a few trees are in memory at a time.
   * A branch that cannot be read comes with its error and keeps no other away. This tells nothing of a lost history: a caller that acts on
   * a branch reads the branch again. Absent in a store that has no faster way than `read`; `read-all.ts` serves every store.
   */
  readAll?(prefix: string): AsyncIterable<ReadBranch>;
  /** Heads of the last commits of a branch, newest first: 50 at most, or `most`. A store may keep fewer. */
  history?(branch: string, most?: number): Promise<readonly string[]>;
  /**
   * One file of the last commits of a branch, newest first; `isAll` where the branch has no more. Absent in a store that reads a whole
   * commit as fast.
   */
  past?(branch: string, path: string, most: number): Promise<{ readonly commits: readonly FileThen[]; readonly isAll: boolean }>;
  /**
   * The memory of this machine for a branch, also for one that is gone; `null` when the machine never saw it. Absent in a store that keeps
   * nothing between runs.
   */
  remembered?(branch: string): Promise<Remembered | null>;
  /**
   * The message of a commit that the place still holds, whether a branch leads to it or not; `null` where it holds none, or will not show
   * it. Absent in a store that cannot tell.
   */
  message?(commit: string): Promise<string | null>;
  /** A commit that the place still holds, whether a branch leads to it or not; `null` where it holds or shows none. Absent as above. */
  recall?(commit: string): Promise<Tree | null>;
  /** The loss that the last read of a branch found: `null` when the branch leads back to the commit that this machine remembers. */
  lost?(branch: string): HistoryLost | null;
  /** Only the head, without its files; cheap to poll. Works for a damaged branch too. */
  head(branch: string): Promise<string | null>;
  /** One `read` is one fetch, a `readAll` one or a few, one `append` one push, those of locks apart; `head`, `list` and reads of locks are not counted. */
  readonly stats: { fetches: number; pushes: number; lockPushes: number };
  close(): Promise<void>;
}

/** Gives the branch as `read` does, and throws `HistoryLost` when it does not lead back to what this machine remembers. */
export async function readSound(store: Store, branch: string): Promise<Tree | null> {
  const tree = await store.read(branch);
  const lost = store.lost?.(branch) ?? null;
  if (lost !== null) throw lost;
  return tree;
}

/** Refuses a path that would leave the tree of a branch. Such a path is a defect of the caller, never of the user. */
export function checkPaths(paths: Iterable<string>): void {
  for (const path of paths) {
    const isPlain = path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && part.toLowerCase() !== '.git');
    if (!isPlain || path.includes('\\') || path.includes('\0')) {
      throw new Failure('INTERNAL', { detail: `${JSON.stringify(path)} is not a path of a ledger file.` });
    }
  }
}

/** Runs `task` for every item, a few at a time. */
export async function inBatches<T>(items: readonly T[], size: number, task: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const worker = async (): Promise<void> => {
    for (const item of rest) await task(item);
  };
  await Promise.all(Array.from({ length: Math.min(size, items.length) }, worker));
}
