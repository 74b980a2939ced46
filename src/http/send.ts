import { Failure } from '../core/errors.ts';
import { Sealed } from '../core/sealed.ts';
import { either, orAborted } from './abort.ts';
import { attempt } from './attempt.ts';
import type { Proof, Signer } from './auth/signer.ts';
import { encodeBody, sealedIn } from './encodings/encode.ts';
import { HttpFailure, unprovenFailure } from './failure.ts';
import { redirected } from './redirect.ts';
import { RequestHeaders } from './request-headers.ts';
import { requestUrl } from './request-url.ts';
import { withRetries } from './retry.ts';
import type { Api, Prepared, Shared } from './shared.ts';
import { frozen } from './shared-reads.ts';
import type { Answer, Body, Joined, ProviderBlock, RequestSpec, SendOptions } from './types.ts';

/** Sends one request of a line: shared where it may be, repeated where that is harmless, once more after a 401. */
export async function sendRequest(shared: Shared, api: Api, request: RequestSpec, options: SendOptions): Promise<Answer> {
  const { id, signer } = options.bare ? { id: '', signer: null } : api.signer();
  const prepared = prepare(shared, api, signer, request, options);
  const origin = shared.originOf(prepared.url);
  origin.declare(options.bare ? undefined : api.block.concurrency);
  const isLook = prepared.method === 'GET' || prepared.graphql !== null;
  if (options.share === undefined || prepared.write || !isLook) return new Sending(shared, prepared).answer();

  // One caller's signal must not end the read for those who joined it: each waits under its own.
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
  const reading = options.share ? origin.shared.join(key, read) : origin.shared.next(key, read);
  return await orAborted(reading, signal, shared.signal);
}

/** What several reads of one API give, joined as one read is. */
export function joinReads<T>(shared: Shared, api: Api, { name, signal, share }: Joined, read: () => Promise<T>): Promise<T> {
  const base = URL.parse(api.block.base_url);
  if (base === null) return read();
  const key = `${accessOf(api)} ${name}`;
  const reads = shared.originOf(base).shared;
  return orAborted(share ? reads.join(key, read) : reads.next(key, read), signal, shared.signal);
}

/** Equal for those whose requests carry the same credential and the same headers. */
export const accessOf = (api: Api): string => `${api.signer().id} ${blockText(api.block)}`;

const blockTexts = new WeakMap<ProviderBlock, string>();

/** All that an API block may say of a request. Thousands of lines use one block. */
function blockText(block: ProviderBlock): string {
  const text = blockTexts.get(block) ?? JSON.stringify(block);
  blockTexts.set(block, text);
  return text;
}

/** One request until it has its answer, with what its attempts leave to each other. */
class Sending {
  readonly #shared: Shared;
  readonly #prepared: Prepared;
  /** A write that waits to be sent again is not sent once the run ends; a write that was sent is only left by its own signal. */
  readonly #signal: AbortSignal;
  #lost: HttpFailure | null = null;
  #attempts = 0;
  #proof: Proof = {};
  #rounds = 0;

  constructor(shared: Shared, prepared: Prepared) {
    this.#shared = shared;
    this.#prepared = prepared;
    this.#signal = either(shared.signal, prepared.options.signal);
  }

  answer(): Promise<Answer> {
    const { clock, random } = this.#shared;
    const { options, write } = this.#prepared;
    const rule = { retry: options.retry ?? 'table', idempotent: isIdempotent(this.#prepared) };
    return withRetries(rule, { clock, random, signal: this.#signal, write }, () => this.#renewing(false));
  }

  /** A 401 means that nothing happened: with another token the request is sent once more, whatever its method. */
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

  /** A redirect means that nothing happened: elsewhere it is the same request. */
  async #following(at: Prepared, again: boolean, visited: readonly string[]): Promise<Answer> {
    try {
      return await this.#attempt(at, again);
    } catch (thrown) {
      if (thrown instanceof HttpFailure && !thrown.sent) throw thrown;
      const next = redirected(at, thrown, visited);
      if (next !== null) return await this.#following(next, true, [...visited, next.url.href]);
      if (thrown instanceof HttpFailure) {
        if (thrown.unanswered) this.#lost = thrown;
        at.options.onFailure?.(thrown);
      }
      // The run ended before this attempt was sent, and an earlier one may have landed: that is the news.
      if (this.#lost !== null && this.#signal.aborted && isStop(thrown)) throw this.#lost;
      throw thrown;
    }
  }

  /** The signer that gave a proof for this attempt hears how it ended. */
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
      const answer = await attempt(this.#shared, at, { number: this.#attempts, lostBefore, again, idle: this.#signal, prove });
      ended(answer);
      return answer;
    } catch (thrown) {
      ended(thrown instanceof HttpFailure && thrown.status !== null ? { status: thrown.status, headers: thrown.headers } : null);
      throw thrown instanceof HttpFailure && proof === null && signer !== null ? unprovenFailure(thrown, lostBefore) : thrown;
    }
  }
}

function isUnproven({ status, headers, body }: HttpFailure, signer: Signer | null): boolean {
  return status !== null && (status === 401 || signer?.isUnproven?.({ status, headers, body }) === true);
}

/** Not sent because the run is over; what a lease, a lock or a credential says is news of its own. */
const isStop = (thrown: unknown): boolean => !(thrown instanceof Failure) || thrown.code === 'INTERRUPTED';

function isIdempotent({ method, options }: Prepared): boolean {
  if (options.idempotencyKey !== undefined) return true;
  return options.idempotent ?? (method === 'GET' || method === 'HEAD' || method === 'PUT' || method === 'DELETE');
}

function prepare(shared: Shared, api: Api, signer: Signer | null, request: RequestSpec, options: SendOptions): Prepared {
  const { block } = api;
  const bare = options.bare === true;
  const { method } = request;
  const named = requestUrl(block, request, bare);
  const url = signer?.address?.(named) ?? named;
  const content = contentOf(request);
  for (const sealed of [...sealedIn(content), ...Object.values(request.headers ?? {}).filter((value) => value instanceof Sealed)]) {
    shared.redactor.add(sealed);
  }
  const encoding = request.graphql ? 'json' : (request.encoding ?? (bare ? 'json' : (block.encoding ?? 'json')));
  const hasBody = content !== undefined && content !== null;
  if (hasBody && (method === 'GET' || method === 'HEAD')) {
    throw new Failure('PLAN_INVALID', {
      detail: `A ${method} request to ${block.api} cannot have a body.`,
      fix: 'Use POST, or move the values into the path.',
    });
  }
  const encoded = hasBody ? encodeBody(content ?? null, encoding, block.form_arrays) : null;

  const headers = new RequestHeaders([
    ['user-agent', 'pilotfish'],
    ['accept', encoding === 'xml' ? 'application/xml' : 'application/json'],
  ]);
  const mediaType = bare || encoding !== 'json' ? undefined : block.media_type;
  if (mediaType !== undefined) headers.set('accept', mediaType);
  if (encoded) headers.set('content-type', mediaType ?? encoded.type);
  for (const [name, value] of Object.entries((bare ? null : block.headers) ?? {})) setHeader(headers, name, value, block);
  if (!encoded) headers.delete('content-type');
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    setHeader(headers, name, value instanceof Sealed ? value.reveal() : value, block);
  }
  if (options.idempotencyKey !== undefined) setHeader(headers, 'idempotency-key', options.idempotencyKey, block);

  const body = encoded?.text ?? null;
  const signed = { method, url, headers, ...(body !== null && { body }) };
  return {
    block,
    line: api.line,
    known: api.known,
    method,
    url,
    headers,
    body,
    graphql: request.graphql ?? null,
    signed,
    signer,
    options,
    write: options.purpose === 'write',
  };
}

function contentOf({ body, graphql }: RequestSpec): Body | undefined {
  return graphql ? { query: graphql.query, variables: graphql.variables ?? {} } : body;
}

/** Refused here, because the header would only fail when it is sent, with its value in the error text. */
function setHeader(headers: RequestHeaders, name: string, value: string, block: ProviderBlock): void {
  try {
    headers.set(name, value);
  } catch {
    throw new Failure('PARAM_INVALID', {
      detail: `The header ${JSON.stringify(name)} of a request to ${block.api} has a name or value that no header can carry, such as a line break.`,
      fix: 'Correct the header.',
    });
  }
}
