import { Headers } from 'undici';
import { Failure } from '../core/errors.ts';
import { type Following, follow, orAborted } from './abort.ts';
import { attempt } from './attempt.ts';
import type { Proof, Signer } from './auth/signer.ts';
import { HttpFailure, unprovenFailure } from './failure.ts';
import { prepare } from './prepare.ts';
import { redirectTarget } from './redirect.ts';
import { withRetries } from './retry.ts';
import type { Api, Prepared, Shared } from './shared.ts';
import { frozen } from './shared-reads.ts';
import type { Answer, Joined, ProviderBlock, RequestSpec, SendOptions } from './types.ts';

/** Sends one request of a line: shared where it may be, repeated where a repeat is harmless, once more after a 401. */
export async function sendRequest(shared: Shared, api: Api, request: RequestSpec, options: SendOptions): Promise<Answer> {
  const { id, signer } = options.bare ? { id: '', signer: null } : api.signer();
  const prepared = prepare(shared, api, signer, request, options);
  const origin = shared.originOf(prepared.url);
  origin.declare(options.bare ? undefined : api.block.concurrency);
  const isLook = prepared.method === 'GET' || prepared.graphql !== null;
  if (options.share === undefined || prepared.write || !isLook) return new Sending(shared, prepared).answer();

  // One caller's signal must not end a read that others joined. Each caller waits under its own signal.
  const { signal, ...joined } = options;
  const key = JSON.stringify([
    prepared.method,
    prepared.url.href,
    [...prepared.headers],
    id,
    options.accept ?? [],
    ...(prepared.graphql ? [prepared.body, prepared.graphql.data_path] : []),
  ]);
  const read = () => new Sending(shared, { ...prepared, options: joined }).answer().then(frozen);
  const reading = options.share ? keptOr(api, key, () => origin.shared.join(key, read)) : origin.shared.next(key, read);
  return await orAborted(reading, signal, shared.signal);
}

/** Joins several reads of one API and their result, as one read is joined. */
export function joinReads<T>(shared: Shared, api: Api, { name, signal, share }: Joined, read: () => Promise<T>): Promise<T> {
  const base = URL.parse(api.block.base_url);
  if (base === null) return read();
  const key = `${accessOf(api)} ${name}`;
  const reads = shared.originOf(base).shared;
  return orAborted(share ? keptOr(api, key, () => reads.join(key, read)) : reads.next(key, read), signal, shared.signal);
}

const keptOr = <T>({ kept }: Api, key: string, read: () => Promise<T>): Promise<T> => (kept ? kept.join(key, read) : read());

/** Equal for lines whose requests carry the same credential and the same headers. */
export const accessOf = (api: Api): string => `${api.signer().id} ${blockText(api.block)}`;

const blockTexts = new WeakMap<ProviderBlock, string>();

/** The parts of an API block that shape a request, as one text. Thousands of lines use one block, so the text is kept. */
function blockText(block: ProviderBlock): string {
  const text = blockTexts.get(block) ?? JSON.stringify(block);
  blockTexts.set(block, text);
  return text;
}

/** One request until it has its answer, with the facts that its attempts share. */
class Sending {
  readonly #shared: Shared;
  readonly #prepared: Prepared;
  /** The run's signal. It stops a write that waits to be sent again. A write under way ends only by its own signal. */
  readonly #run: Following;
  #lost: HttpFailure | null = null;
  #attempts = 0;
  #proof: Proof = {};
  #rounds = 0;

  constructor(shared: Shared, prepared: Prepared) {
    this.#shared = shared;
    this.#prepared = prepared;
    this.#run = follow([shared.signal, prepared.options.signal]);
  }

  async answer(): Promise<Answer> {
    const { clock, random } = this.#shared;
    const { options, write } = this.#prepared;
    const { signal, release } = this.#run;
    const rule = { retry: options.retry ?? 'table', idempotent: isIdempotent(this.#prepared) };
    try {
      return await withRetries(rule, { clock, random, signal, write }, () => this.#renewing(false));
    } finally {
      release();
    }
  }

  /** A 401 means that nothing happened, so a request of any method is sent once more with another token. */
  async #renewing(again: boolean): Promise<Answer> {
    const { signer, url } = this.#prepared;
    const refused = await this.#following(this.#prepared, again, [url.href]).then(
      (answer) => (answer.status === 401 ? answer : { done: answer }),
      (thrown: unknown) => {
        if (thrown instanceof HttpFailure && isUnproven(thrown, signer)) return thrown;
        throw thrown;
      },
    );
    if ('done' in refused) return refused.done;
    if (this.#rounds < (signer?.rounds ?? 1) && (await signer?.refresh?.(this.#proof, refused.headers)) === true) {
      this.#rounds += 1;
      return this.#renewing(true);
    }
    if (refused instanceof HttpFailure) throw refused;
    return refused;
  }

  /** A redirect means that nothing happened, so the same request goes to the other address. */
  async #following(at: Prepared, again: boolean, visited: readonly string[]): Promise<Answer> {
    try {
      return await this.#attempt(at, again);
    } catch (thrown) {
      if (thrown instanceof HttpFailure && !thrown.sent) throw thrown;
      const next = thrown instanceof HttpFailure ? redirected(at, thrown, visited, this.#shared.addressOf(at.block)) : null;
      if (next !== null) return await this.#following(next, true, [...visited, next.url.href]);
      if (thrown instanceof HttpFailure) {
        if (thrown.unanswered) this.#lost = thrown;
        at.options.onFailure?.(thrown);
      }
      // The run ended before this attempt was sent. Report the earlier attempt, because that one may have landed.
      if (this.#lost !== null && this.#run.signal.aborted && isStop(thrown)) throw this.#lost;
      throw thrown;
    }
  }

  /** Sends one attempt. The signer that gave its proof hears how the attempt ended. */
  async #attempt(at: Prepared, again: boolean): Promise<Answer> {
    const { signer } = at;
    const lostBefore = this.#lost !== null;
    let proof: Proof | null = null;
    const prove = async () => {
      proof = (await signer?.headers(at.signed)) ?? {};
      this.#proof = proof;
      return proof;
    };
    const ended = (answer: Pick<Answer, 'status' | 'headers'> | null): void => {
      if (proof !== null) signer?.ended?.(proof, answer);
    };
    this.#attempts += 1;
    try {
      const answer = await attempt(this.#shared, at, { number: this.#attempts, lostBefore, again, idle: this.#run.signal, prove });
      ended(answer);
      return answer;
    } catch (thrown) {
      ended(thrown instanceof HttpFailure && thrown.status !== null ? { status: thrown.status, headers: thrown.headers } : null);
      throw thrown instanceof HttpFailure && proof === null && signer !== null ? unprovenFailure(thrown, lostBefore) : thrown;
    }
  }
}

/** The request at its redirect address. It gets a new proof and signature, because a signature holds for one address. */
function redirected(at: Prepared, refused: HttpFailure, visited: readonly string[], base: string): Prepared | null {
  const { options, signer } = at;
  const target = redirectTarget({ ...at, bare: options.bare === true, base }, refused, visited);
  if (target === null) return null;
  const url = signer?.address?.(target) ?? target;
  const headers = new Headers(at.headers);
  return { ...at, url, headers, signed: { ...at.signed, url, headers } };
}

function isUnproven({ status, headers, body }: HttpFailure, signer: Signer | null): boolean {
  return status !== null && (status === 401 || signer?.isUnproven?.({ status, headers, body }) === true);
}

/** Whether an attempt was not sent because the run is over. The refusal of a lease, a lock or a credential is another error. */
const isStop = (thrown: unknown): boolean => !(thrown instanceof Failure) || thrown.code === 'INTERRUPTED';

function isIdempotent({ method, options }: Prepared): boolean {
  if (options.idempotencyKey !== undefined) return true;
  return options.idempotent ?? (method === 'GET' || method === 'HEAD' || method === 'PUT' || method === 'DELETE');
}
