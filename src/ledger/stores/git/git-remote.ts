import type { GitCache } from './git-cache.ts';
import type { Head } from './git-many-trees.ts';
import type { GitObject } from './git-object.ts';

/**
 * A git remote as the store uses it, one attempt at a time: over http by git's protocol and isomorphic-git, over everything else by the
 * system's git. Throws `RemoteTrouble` for what may pass, `Failure` for what will not.
 */
export interface GitRemote {
  /**
   * Heads of the refs that start with `prefix` (a full ref). `isForPush` asks as a push does: then a push of a ref in this answer need not ask
   * again.
   */
  heads(prefix: string, o: { readonly isForPush: boolean }): Promise<ReadonlyMap<string, string>>;
  /** All heads as the remote told them to this process for a push; `null` where it was not asked, or may have others now. */
  shown?(): ReadonlyMap<string, string> | null;
  /** Brings the newest commits of a ref into the cache repository and gives the head; `null` when there is no such ref. */
  fetch(ref: string, depth: number): Promise<string | null>;
  /** A commit that the remote holds, whether a ref leads to it or not, as git keeps it; `null` where it holds or shows none. */
  held(oid: string): Promise<string | null>;
  /** Brings a commit into the cache repository, whether a ref leads to it or not; `false` where the remote holds or shows none. */
  bring(oid: string): Promise<boolean>;
  /**
   * Brings the newest commits of many branches into a cache of their own by one fetch; `false` where the remote can bring only one at a time.
   * It brings all or throws: the caller asks for fewer then.
   */
  bringAll(heads: readonly Head[], into: GitCache): Promise<boolean>;
  push(what: Push): Promise<PushOutcome | Refused>;
}

/** Moves `ref` from `expect` (`null`: it is absent) to a child of it, or removes it. */
export interface Push {
  readonly ref: string;
  readonly expect: string | null;
  /** The new commit with every object that the remote may lack; `null` removes the ref. */
  readonly to: { readonly oid: string; readonly objects: readonly GitObject[] } | null;
}

/** `already`: the ref was where this push would bring it, perhaps by an earlier attempt whose answer was lost. */
export type PushOutcome = 'landed' | 'moved' | 'already';

/** The remote took the request and refused the ref. Its words tell people why; only its head tells whether the ref moved. */
export interface Refused {
  readonly refused: string;
}

/** The ref of the cache repository that holds the last seen head of a remote's ref. */
export const seenRef = (ref: string): string => ref.replace(/^refs\//, 'refs/seen/');
