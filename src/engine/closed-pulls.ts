import type { ErrorData } from '../core/errors.ts';
import type { CodeHost } from '../host/code-host.ts';
import { isEarlierName } from '../host/moved-repository.ts';
import { openPulls } from '../host/open-pulls.ts';
import { askPullRequest, type PullAnswer, type PullNow } from '../host/pull-request.ts';
import type { Client } from '../http/client.ts';
import { type Wanting, whyUnwanted } from './timing/wanted.ts';

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

  /** One of these that the list shows as open, with the right to a preview; `null` when it shows none. */
  async openOf(pulls: readonly number[], wanting: Wanting | undefined): Promise<number | null> {
    const open = await this.open();
    const isWanted = (pull: PullNow | undefined): boolean => pull !== undefined && !(wanting && whyUnwanted(pull, wanting) !== null);
    return pulls.find((pull) => isWanted(open.get(pull))) ?? null;
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

/** Why a scope may end: all its pull requests are closed, or those that are open have no right to a preview any more. */
export interface MayEnd {
  /** As the end of "it ends, because …". */
  readonly why: string;
  readonly isOpen: boolean;
}

/** The reason why a scope stays, or why it may end. A pull request that the host does not show may be open. */
export async function judgePulls(
  pulls: readonly number[],
  ask: (pull: number) => Promise<PullAnswer>,
  wanting: Wanting | undefined,
): Promise<Stay | MayEnd> {
  let unwanted: string | null = null;
  for (const pull of pulls) {
    const answer = await ask(pull);
    if (answer.state === 'unknown') {
      const { why, isMissing, error } = answer;
      return isMissing ? { outcome: 'kept', why, isMissing } : { outcome: 'failed', why, error: error.toData() };
    }
    if (answer.state === 'closed') continue;
    const why = wanting ? whyUnwanted(answer, wanting) : null;
    if (why === null) return { outcome: 'kept', why: whyOpen(pull) };
    unwanted = `the pull request ${pull} ${why}`;
  }
  return unwanted === null ? { why: `${numbers(pulls)} closed`, isOpen: false } : { why: unwanted, isOpen: true };
}

export const stays = (judged: Stay | MayEnd): judged is Stay => 'outcome' in judged;

const numbers = (pulls: readonly number[]): string =>
  pulls.length === 1 ? `the pull request ${pulls[0]} is` : `the pull requests ${pulls.join(', ')} are`;

export const whyOpen = (pull: number): string => `the pull request ${pull} is open`;
