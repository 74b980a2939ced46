import { bounds, inMb } from '../core/bounds.ts';
import type { ErrorKind } from '../core/error-kinds.ts';
import { type ErrorCode, Failure, type FailureOptions } from '../core/errors.ts';
import type { Redactor } from '../core/redact.ts';
import { credentialVariables } from './auth/variables.ts';
import { DeadlinePassed } from './deadline.ts';
import { type BodyFlaw, BodyTooLong, isPage } from './encodings/decode.ts';
import { excerpt } from './excerpt.ts';
import type { HostClock } from './host-clock.ts';
import { networkFault } from './network-fault.ts';
import { redirectWords } from './redirect.ts';
import { isQuota, isThrottled, retryAfter } from './retry-after.ts';
import type { Answer, HttpFailureFacts, Known, Method, ProviderBlock } from './types.ts';

/** The requests that may be sent again after a failure like this: any, those whose repeat is harmless, unsent ones, none. */
export type Repeat = 'any' | 'idempotent' | 'unsent' | 'never';

/** A request that did not get the answer it needs, with the facts that the engine needs to go on. */
export class HttpFailure extends Failure implements HttpFailureFacts {
  declare readonly status: number | null;
  readonly unanswered: boolean;
  readonly repeatable: boolean;
  readonly retryAfter: number | null;
  readonly repeat: Repeat;
  /** Whether the attempt that failed may have left this machine. */
  readonly sent: boolean;
  /** Private, so that printing or serialising the error does not show a provider's text unredacted. */
  readonly #body: unknown;
  readonly #headers: Answer['headers'];
  /** Private, because a query may hold more than a person should see. */
  readonly #url: URL | null;

  constructor(
    code: ErrorCode,
    options: FailureOptions,
    facts: HttpFailureFacts & {
      readonly repeat: Repeat;
      readonly sent?: boolean;
      readonly headers?: Answer['headers'];
      readonly url?: URL;
    },
  ) {
    super(code, { ...options, status: facts.status });
    this.name = 'HttpFailure';
    this.unanswered = facts.unanswered;
    this.repeatable = facts.repeatable;
    this.retryAfter = facts.retryAfter;
    this.repeat = facts.repeat;
    this.sent = facts.sent ?? true;
    this.#body = facts.body;
    this.#headers = facts.headers ?? {};
    this.#url = facts.url ?? null;
  }

  get body(): unknown {
    return this.#body;
  }

  /** The headers of the refusal, in memory only; empty where no answer came. */
  get headers(): Answer['headers'] {
    return this.#headers;
  }

  /** Whether the refused request named `name`, as a part of its path or as a value of its query. */
  asksFor(name: string): boolean {
    if (this.#url === null || name === '') return false;
    const path = `${this.#url.pathname}/`;
    return [name, encodeURIComponent(name)].some((one) => path.includes(`/${one}/`)) || [...this.#url.searchParams.values()].includes(name);
  }
}

/** The request a failure is about. */
export interface Call {
  readonly block: ProviderBlock;
  readonly method: Method;
  readonly url: URL;
  readonly write: boolean;
  readonly known?: Known;
  /** True for a request without the credential of the block, such as an action that names a URL of its own. */
  readonly bare: boolean;
  readonly redactor: Redactor;
  /** The clock of its host. */
  readonly time: HostClock;
  /** An earlier attempt of the same request was sent and got no answer. It may still land, even when this attempt is refused. */
  readonly lostBefore: boolean;
  /** Why this refusal is the credential's fault, where the form of the credential can tell more than the status does. */
  readonly explain?: (answer: Answer) => { readonly detail: string; readonly fix: string } | null;
}

/** The failure of an answer with a bad status. `isTranslated`: the status comes from the body, and HTTP had another one. */
export function statusFailure(call: Call, answer: Answer, isTranslated = false): HttpFailure {
  const { status, headers, body } = answer;
  const isFull =
    isQuota(status, headers) ||
    (call.write && !call.bare && call.known?.isFull?.({ method: call.method, path: call.url.pathname, status, body }) === true);
  // Waiting makes no room, even where status and headers ask for a wait.
  const wait = isFull ? null : retryAfter(status, headers, call.time, body);
  const said = excerpt(body, call.redactor);
  const because = call.explain?.(answer) ?? null;
  const repeat = because || isFull ? 'never' : repeatOf(status, headers, body);
  const unanswered = call.lostBefore || (call.write && gatewayGaveUp.has(status));
  const moved = status >= 300 && status < 400 ? redirectWords(call, status, headers.location) : null;
  const page = isPage(body);
  const detail = moved
    ? `${nameOf(call)} answered ${show(call)} with ${moved.detail}`
    : `${nameOf(call)}${page ? hostOf(call) : ''} answered ${isTranslated ? `an error like a ${status}` : status} to ${show(call)}${page ? ' with a web page' : ''}${said === '' ? '.' : `: ${closed(said)}`}`;
  const host = call.redactor.text(call.url.host);
  const usual = fixFor(call, status, wait);
  const blocked = page && (status === 401 || status === 403) && !call.bare ? [flawFix.web_page(host), usual ?? ''].join(' ').trim() : usual;
  const fix = because ? because.fix : isFull ? null : blocked;
  return new HttpFailure(
    because ? 'PROVIDER_AUTH' : isFull ? 'PROVIDER_QUOTA' : codeOf(status, headers, body),
    {
      detail: because ? `${detail} ${call.redactor.text(because.detail)}` : detail,
      kind: because || isFull ? undefined : kindOf(answer),
      ...(fix !== null && { fix }),
      ...(fix === null && moved?.fix != null && { fixByHand: moved.fix }),
    },
    { status, headers, body, unanswered, repeatable: repeat === 'any' || unanswered, retryAfter: wait, repeat, url: call.url },
  );
}

const smaller = 'Ask for less at once: add a parameter for smaller pages, or a filter, to the request of this line.';

/** The failure of a request whose answer did not come, or did not come whole. */
export function networkFailure(call: Call, thrown: unknown): HttpFailure {
  if (thrown instanceof BodyTooLong)
    return unreadableFailure(call, thrown.status, `more than ${inMb(bounds.answer)}, and pilotfish reads no more`, { fixByHand: smaller });
  const fault = networkFault(thrown);
  const sent = fault.kind === 'cut';
  const unanswered = call.lostBefore || (call.write && sent);
  const lost = unanswered ? ` ${sent ? 'The request' : 'An earlier attempt'} may have taken effect.` : '';
  const failed =
    fault.kind === 'malformed'
      ? `${show(call)} was not sent to ${nameOf(call)}`
      : `${nameOf(call)} did not answer ${show(call)}${sent ? '' : hostOf(call)}`;
  return new HttpFailure(
    fault.kind === 'malformed' ? 'PARAM_INVALID' : 'PROVIDER_TRANSIENT',
    {
      detail: `${failed}: ${fault.reason}.${lost}`,
      kind: fault.kind === 'malformed' || (sent && thrown instanceof DeadlinePassed) ? undefined : sent ? 'cut' : 'unreachable',
      ...(fault.fix && { fix: fault.fix }),
      cause: thrown,
    },
    {
      status: null,
      body: null,
      unanswered,
      repeatable: unanswered,
      retryAfter: null,
      repeat: sent ? 'idempotent' : fault.kind === 'unsent' ? 'unsent' : 'never',
      sent,
    },
  );
}

/**
 * pilotfish could not get the credential of a request, so this attempt was never sent. The request for the credential was repeated as the
 * table allows. `lostBefore`: an earlier attempt may still land.
 */
export function unprovenFailure(failure: HttpFailure, lostBefore: boolean): HttpFailure {
  const { code, kind, detail, fix, fixByHand, hasOwnFix, status, body, retryAfter, headers } = failure;
  const facts = { status, body, headers, retryAfter, unanswered: lostBefore, repeatable: lostBefore };
  return new HttpFailure(
    code,
    { detail, kind, ...(hasOwnFix && { fix }), ...(fixByHand !== undefined && { fixByHand }), cause: failure },
    { ...facts, repeat: 'never', sent: false },
  );
}

/** The caller stopped waiting for a write under way. This says nothing about the provider. */
export class AbandonedWrite extends HttpFailure {}

export function abandonedFailure(call: Call, reason: Error): AbandonedWrite {
  return new AbandonedWrite(
    'PROVIDER_TRANSIENT',
    {
      detail: `${show(call)} was sent to ${nameOf(call)}, and the run ended before its answer came. The request may have taken effect.`,
      cause: reason,
    },
    { status: null, body: null, unanswered: true, repeatable: true, retryAfter: null, repeat: 'never' },
  );
}

/** The failure of an answer that came whole but cannot be read. About a write it tells no more than a missing answer. */
export function unreadableFailure(
  call: Call,
  status: number,
  why: string,
  { kind, fixByHand }: { readonly kind?: BodyFlaw | undefined; readonly fixByHand?: string } = {},
): HttpFailure {
  const unanswered = call.lostBefore || call.write;
  const fix = kind && flawFix[kind](call.redactor.text(call.url.host));
  return new HttpFailure(
    'PROVIDER_RESPONSE',
    {
      detail: `${nameOf(call)}${hostOf(call)} answered ${status} to ${show(call)} with ${call.redactor.text(why)}.`,
      kind,
      ...(fix !== undefined && { fix }),
      ...(fixByHand !== undefined && { fixByHand }),
    },
    { status, body: null, unanswered, repeatable: unanswered, retryAfter: null, repeat: 'never' },
  );
}

const flawFix: { readonly [kind in BodyFlaw]: (host: string) => string } = {
  web_page: (host) =>
    `See which proxy, firewall or sign-in page answers for ${host} on this network, and whether ${host} is the address of the API.`,
  empty: (host) => `Run again. If the answer stays empty, see whether ${host} is the address of the API.`,
  truncated: (host) => `Run again. If the answer stays cut off, see which proxy stands before ${host}.`,
};

/** The gateway did not get the answer either. The write behind it may have landed or be under way (520 and 524 are Cloudflare's). */
export const gatewayGaveUp: ReadonlySet<number> = new Set([502, 504, 520, 524]);

/** The title of an answer with a bad status, where its code has several. */
function kindOf({ status, headers, body }: Answer): ErrorKind | undefined {
  if (isThrottled(status, headers, body)) return 'rate_limit';
  if (status === 423 || status === 425) return 'busy';
  if (status >= 500 && status !== 507) return 'server_error';
  if (status >= 300 && status < 400) return 'redirect';
  return isPage(body) && (status === 401 || status === 403) ? 'web_page' : undefined;
}

function codeOf(status: number, headers: Answer['headers'], body: unknown): ErrorCode {
  if (isThrottled(status, headers, body) || passing.has(status)) return 'PROVIDER_TRANSIENT';
  const named = codes[status];
  if (named) return named;
  if (status >= 500) return 'PROVIDER_TRANSIENT';
  return status >= 400 ? 'PROVIDER_INVALID' : 'PROVIDER_RESPONSE';
}

/** Refusals that pass in a moment: locked, too early, or timed out at the server. */
const passing: ReadonlySet<number> = new Set([408, 423, 425]);

const codes: { readonly [status: number]: ErrorCode | undefined } = {
  401: 'PROVIDER_AUTH',
  403: 'PROVIDER_AUTH',
  402: 'PROVIDER_QUOTA',
  507: 'PROVIDER_QUOTA',
  404: 'PROVIDER_NOT_FOUND',
  410: 'PROVIDER_NOT_FOUND',
  409: 'PROVIDER_CONFLICT',
  412: 'PROVIDER_CONFLICT',
};

function repeatOf(status: number, headers: Answer['headers'], body: unknown): Repeat {
  if (status === 423 || status === 503 || isThrottled(status, headers, body)) return 'any';
  return status >= 500 && status !== 507 && status !== 501 ? 'idempotent' : 'never';
}

const nameOf = (call: Call): string => (call.bare ? call.url.host : call.block.api);
/** No answer came, so the reader must check the address. Without an API `nameOf` shows the address already. */
const hostOf = (call: Call): string => (call.bare ? '' : ` at ${call.redactor.text(call.url.host)}`);
const show = (call: Call): string => `${call.method} ${call.redactor.text(call.url.pathname)}`;
const closed = (sentence: string): string => (/[.!?…]$/.test(sentence) ? sentence : `${sentence}.`);

function fixFor(call: Call, status: number, wait: number | null): string | null {
  if (wait !== null && wait > 0) return `Wait ${Math.ceil(wait / 1000)} s, as the provider asks, then run again.`;
  // At the app's own endpoint mostly a sign-in page refuses, which the host puts before a preview.
  if (call.bare && (status === 401 || status === 403 || (status >= 300 && status < 400))) return letIn;
  const variables = call.bare ? [] : credentialVariables(call.block);
  const needs = call.bare || status !== 403 ? undefined : call.known?.needs;
  // A credential from a command has no variable.
  if (variables.length === 0) return needs === undefined ? null : `Give the credential what it needs, and no more: ${needs}`;
  if (status === 401) return `Check ${variables.join(' and ')}: the provider does not accept ${variables.length > 1 ? 'them' : 'it'}.`;
  if (status !== 403) return null;
  return `Give the credential in ${variables.join(' and ')} the permission for this request.${needs === undefined ? '' : ` What it needs, and no more: ${needs}`}`;
}

const letIn =
  'This request carries no credential. If the host protects the address, add the header that it accepts, as a `{ secret }` under `headers`.';
