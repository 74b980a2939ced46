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
  if (options.share === undefined || prepared.write || !isLook) return perform(shared, prepared);

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
  const read = () => perform(shared, { ...prepared, options: joined }).then(frozen);
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

async function perform(shared: Shared, prepared: Prepared): Promise<Answer> {
  const { options, signer, write } = prepared;
  const rule = { retry: options.retry ?? 'table', idempotent: isIdempotent(prepared) };
  // A write that waits to be sent again is not sent once the run ends; a write that was sent is only left by its own signal.
  const signal = either(shared.signal, options.signal);
  let lost: HttpFailure | null = null;
  let number = 0;
  let proof: Proof = {};
  let rounds = 0;

  const once = async (at: Prepared, again: boolean, visited: readonly string[]): Promise<Answer> => {
    number += 1;
    let proved: Proof | null = null;
    const prove = async () => {
      proof = (await signer?.headers(at.signed)) ?? {};
      proved = proof;
      return proof;
    };
    const ended = (answer: Pick<Answer, 'status' | 'headers'> | null): void => {
      if (proved !== null) signer?.ended?.(proved, answer);
    };
    try {
      const answer = await attempt(shared, at, { number, lostBefore: lost !== null, again, idle: signal, prove });
      ended(answer);
      return answer;
    } catch (thrown) {
      ended(thrown instanceof HttpFailure && thrown.status !== null ? { status: thrown.status, headers: thrown.headers } : null);
      if (thrown instanceof HttpFailure && proved === null && signer !== null) throw unprovenFailure(thrown, lost !== null);
      // A redirect means that nothing happened: elsewhere it is the same request.
      const next = redirected(at, thrown, visited);
      if (next !== null) return await once(next, true, [...visited, next.url.href]);
      if (thrown instanceof HttpFailure && thrown.sent) {
        if (thrown.unanswered) lost = thrown;
        options.onFailure?.(thrown);
      }
      // The run ended before this attempt was sent, and an earlier one may have landed: that is the news.
      if (lost !== null && signal.aborted && isStop(thrown)) throw lost;
      throw thrown;
    }
  };

  const renewing = async (again = false): Promise<Answer> => {
    const refused = await once(prepared, again, [prepared.url.href]).then(
      (answer) => (answer.status === 401 ? answer : { done: answer }),
      (thrown: unknown) => {
        if (thrown instanceof HttpFailure && isUnproven(thrown, signer)) return thrown;
        throw thrown;
      },
    );
    if ('done' in refused) return refused.done;
    // A 401 means that nothing happened: with another token the request is sent once more, whatever its method.
    if (rounds < (signer?.rounds ?? 1) && (await signer?.refresh?.(proof, refused.headers)) === true) {
      rounds += 1;
      return renewing(true);
    }
    if (refused instanceof HttpFailure) throw refused;
    return refused;
  };

  return withRetries(rule, { clock: shared.clock, random: shared.random, signal, write }, () => renewing());
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
