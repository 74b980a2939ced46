import type { GitObject } from './git-object.ts';

/**
 * A git remote as the store needs it, below retries: over http by isomorphic-git, over everything else by the system's git.
 * Throws `RemoteTrouble` for what may pass, `Failure` for what will not.
 */
export interface GitRemote {
  /** Heads of all refs that start with `prefix` (a full ref). */
  refs(prefix: string): Promise<ReadonlyMap<string, string>>;
  /** Head of one ref as who pushes is shown it, so that the next push need not ask; `null` when there is no such ref. */
  headForPush(ref: string): Promise<string | null>;
  /** Brings the newest commits of a ref into the cache repository and gives the head; `null` when there is no such ref. */
  fetch(ref: string, depth: number): Promise<string | null>;
  /** One attempt to move `ref` from `expect` (`null`: absent) to a child of it. */
  push(what: PushedCommit): Promise<PushOutcome | Refused>;
  /** One attempt to remove `ref` while it is at `expect`; `absent` when there is no such ref. */
  remove(ref: string, expect: string): Promise<PushOutcome | 'absent' | Refused>;
  close(): Promise<void>;
}

/** A new commit with everything in it that the remote may lack. */
export interface PushedCommit {
  readonly oid: string;
  readonly ref: string;
  readonly expect: string | null;
  readonly objects: readonly GitObject[];
}

/** `landed` also when the ref was at `oid` already, because the answer to an earlier attempt was lost. */
export type PushOutcome = 'landed' | 'moved';

/** The remote took the request and refused the ref. Its words tell people why; only its head tells whether the ref moved. */
export interface Refused {
  readonly refused: string;
}

/** The remote gave no usable answer; another attempt may get one. */
export class RemoteTrouble extends Error {
  /** A push was sent: it may have landed, or may still land. */
  readonly wasSent: boolean;
  readonly retryAfterMs: number | null;
  constructor(message: string, options: { readonly wasSent: boolean; readonly retryAfterMs?: number | null; readonly cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = 'RemoteTrouble';
    this.wasSent = options.wasSent;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/** Where in the cache repository the last seen head of a ref of the remote stands. */
export const seenRef = (ref: string): string => ref.replace(/^refs\//, 'refs/seen/');
