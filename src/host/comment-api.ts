/** A comment on a pull request, as its code host holds it. */
export interface HostComment {
  readonly id: string;
  /** Markdown, as it was sent. */
  readonly body: string;
  /** Whether the account of this run's token wrote it. Anybody may write a comment that looks like ours. */
  readonly isOwn: boolean;
}

/** The comments of one pull request or merge request. Each call throws `Failure` for what the host refuses. */
export interface CommentApi {
  /** All of them, oldest first. */
  list(signal: AbortSignal): Promise<readonly HostComment[]>;
  create(body: string, signal: AbortSignal): Promise<HostComment>;
  update(id: string, body: string, signal: AbortSignal): Promise<void>;
  remove(id: string, signal: AbortSignal): Promise<void>;
  /** Longest body that the host takes, in UTF-16 units. */
  readonly longest: number;
  /** The time at the host (ms since 1970); `null` while none of its answers told it. */
  now?(): number | null;
}
