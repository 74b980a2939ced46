import type { ErrorData } from '../core/errors.ts';
import type { CodeHost } from '../host/code-host.ts';
import { isEarlierName } from '../host/moved-repository.ts';
import { openPulls } from '../host/open-pulls.ts';
import { askPullRequest, type PullAnswer, type PullNow } from '../host/pull-request.ts';
import type { Client } from '../http/client.ts';

/** The reason why a scope stays for now. `isMissing`: the host does not show one of its pull requests. */
export interface Stay {
  readonly outcome: 'kept' | 'failed';
  readonly why: string;
  readonly isMissing?: boolean;
  readonly error?: ErrorData;
}

/** A sweep asks for at most this many other names of its repository. */
const mostNames = 5;

/**
 * The pull requests of one sweep. The list of the open ones is read once, and only when a scope needs it. It spares all other questions:
 * a pull request that was closed since is the next sweep's, and one that the list lacks is asked for alone before anything goes.
 */
export class SweepPulls {
  readonly #client: Client;
  readonly #host: CodeHost;
  readonly #signal: AbortSignal;
  readonly #names = new Map<string, Promise<boolean>>();
  #open: Promise<ReadonlyMap<number, PullNow>> | null = null;

  constructor(client: Client, host: CodeHost, signal: AbortSignal) {
    this.#client = client;
    this.#host = host;
    this.#signal = signal;
  }

  /** The open pull requests. Throws `Failure` where the list cannot be read. */
  open(): Promise<ReadonlyMap<number, PullNow>> {
    this.#open ??= openPulls(this.#client, this.#host, this.#signal);
    return this.#open;
  }

  /** One of these that the list shows as open; `null` when it shows none. */
  async openOf(pulls: readonly number[]): Promise<number | null> {
    const open = await this.open();
    return pulls.find((pull) => open.has(pull)) ?? null;
  }

  /** Whether the host leads from another name of a repository, which has this pull request, to the repository of the sweep. */
  isEarlierName(slug: string, pull: number): Promise<boolean> {
    const known = this.#names.get(slug);
    if (known) return known;
    // Anybody who can push can write thousands of names into ledgers.
    if (this.#names.size >= mostNames) return Promise.resolve(false);
    const asking = isEarlierName(this.#client, this.#host, { slug, pull }, this.#signal);
    this.#names.set(slug, asking);
    return asking;
  }

  /** Asks the host for one pull request as it is now. */
  ask(pull: number): Promise<PullAnswer> {
    return askPullRequest(this.#client, this.#host, pull, this.#signal);
  }
}

/** The reason why a scope stays; `null` when all its pull requests are closed. One that the host does not show may be open. */
export async function whyNotClosed(pulls: readonly number[], ask: (pull: number) => Promise<PullAnswer>): Promise<Stay | null> {
  for (const pull of pulls) {
    const answer = await ask(pull);
    if (answer.state === 'unknown') {
      const { why, isMissing, error } = answer;
      return isMissing ? { outcome: 'kept', why, isMissing } : { outcome: 'failed', why, error: error.toData() };
    }
    if (answer.state === 'open') return { outcome: 'kept', why: whyOpen(pull) };
  }
  return null;
}

export const whyOpen = (pull: number): string => `the pull request ${pull} is open`;
