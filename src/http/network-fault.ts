import { DeadlinePassed } from './deadline.ts';

/** The meaning of a request without an answer: can it have reached the provider, and does another try make sense? */
export interface NetworkFault {
  /**
   * `unsent`: nothing left this machine. `refused`: nothing got through and nothing will (certificate, proxy). `malformed`: nothing left
   * this machine, because the request itself cannot be written. `cut`: the request may have arrived.
   */
  readonly kind: 'unsent' | 'refused' | 'malformed' | 'cut';
  /** The end of a sentence: "the connection was refused". Never text from outside. */
  readonly reason: string;
  readonly fix?: string;
}

export function networkFault(thrown: unknown): NetworkFault {
  const refusal = proxyRefusal(thrown);
  if (refusal) return refusal;
  return thrown instanceof NeverSent ? unsentFault(thrown.cause) : { kind: 'cut', reason: cutReason(thrown) };
}

/** An answer of the proxy itself: the proxy refused to open a tunnel, or to pass the request on. */
function proxyRefusal(thrown: unknown): NetworkFault | null {
  const said = causes(thrown).map(({ message }) => /Proxy response \((\d{3})\)|^Proxy Authentication Required \((407)\)/.exec(message));
  const status = said.map((match) => match?.[1] ?? match?.[2]).find((one) => one !== undefined);
  if (status === undefined) return null;
  return {
    kind: 'refused',
    reason: `the proxy refused the connection with ${status}`,
    fix: 'Check HTTP_PROXY, HTTPS_PROXY and NO_PROXY.',
  };
}

/** Nothing left this machine, whatever the error is called. */
function unsentFault(cause: unknown): NetworkFault {
  if (cause instanceof DeadlinePassed) return { ...noConnection, reason: `no connection was made within ${cause.ms / 1000} s` };
  if (cause instanceof BlockedPort) return { kind: 'refused', reason: cause.message, fix: 'Correct the port of the address.' };
  const chain = causes(cause);
  for (const { code, message } of chain) {
    if (code === undefined) continue;
    const known = unsentByCode[code];
    if (known) return known;
    if (certificate.test(code)) return untrusted(code);
    if (malformed.has(code)) return { kind: 'malformed', reason: `the HTTP client cannot write the request (${message})`, fix: writable };
  }
  return { ...noConnection, reason: `the connection failed${inBrackets(chain)}` };
}

function cutReason(thrown: unknown): string {
  if (thrown instanceof DeadlinePassed) return `no complete answer came within ${thrown.ms / 1000} s`;
  const chain = causes(thrown);
  for (const { code } of chain) {
    const known = code === undefined ? undefined : cutByCode[code];
    if (known !== undefined) return known;
  }
  return `the connection broke${inBrackets(chain)}`;
}

function inBrackets(chain: readonly SystemError[]): string {
  const code = chain.map((error) => error.code).find((one) => one !== undefined);
  return code === undefined ? '' : ` (${code})`;
}

const certificate = /CERT|UNABLE_TO_|SELF_SIGNED|^ERR_SSL|^EPROTO$/;

/** undici checks a request before it opens a connection. Its texts name a header or a part of the request, never a value. */
const malformed: ReadonlySet<string> = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH']);

const writable = 'Correct the header, path or body that the message names.';

const unreachable = 'Check the address and the network, then run again.';

const noConnection = { kind: 'unsent', fix: unreachable } as const;

const unsentByCode: { readonly [code: string]: NetworkFault | undefined } = {
  ECONNREFUSED: { ...noConnection, reason: 'the connection was refused' },
  ENOTFOUND: { ...noConnection, reason: 'its host name does not exist' },
  EAI_AGAIN: { ...noConnection, reason: 'the look-up of its host name failed', fix: 'Check the network, then run again.' },
  UND_ERR_CONNECT_TIMEOUT: { ...noConnection, reason: 'the connection was not made in time' },
};

const cutByCode: { readonly [code: string]: string | undefined } = {
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection closed before the answer was complete',
  UND_ERR_HEADERS_TIMEOUT: 'no answer came in time',
  UND_ERR_BODY_TIMEOUT: 'the answer was not complete in time',
};

function untrusted(code: string): NetworkFault {
  return {
    kind: 'refused',
    reason: `no trusted connection could be made (${code})`,
    fix: 'Name the certificate authority of your network in NODE_EXTRA_CA_CERTS.',
  };
}

interface SystemError {
  readonly message: string;
  readonly code: string | undefined;
}

/** An error and its causes: a library hides the telling error in `cause`. A refused dual-stack connect is an aggregate of both. */
function causes(thrown: unknown): readonly SystemError[] {
  const found: SystemError[] = [];
  let at: unknown = thrown;
  for (let depth = 0; depth < 6 && at instanceof Error; depth += 1) {
    found.push({ message: at.message, code: codeOf(at) });
    at = at.cause ?? (at instanceof AggregateError ? (at.errors as readonly unknown[])[0] : undefined);
  }
  return found;
}

function codeOf(error: Error): string | undefined {
  const value: unknown = Reflect.get(error, 'code');
  return typeof value === 'string' ? value : undefined;
}

/**
 * The attempt ended before undici began to write it. No byte left this machine, so nothing can land. The cause says why. Only the exchange
 * knows this: no code or text of an error proves it, because the same errors also end a request that was written.
 */
export class NeverSent extends Error {
  constructor(cause: unknown) {
    super('the request was never sent', { cause });
    this.name = 'NeverSent';
  }
}

/** The request was not sent. A program that is no HTTP server listens at such a port, and may take the request for its own commands. */
export class BlockedPort extends Error {
  constructor() {
    super('pilotfish sends no request to its port');
    this.name = 'BlockedPort';
  }
}

/** The ports that the fetch standard blocks: mail, name servers, file shares and the like. */
export const isBlocked = ({ port }: URL): boolean => port !== '' && blocked.has(Number(port));

const blocked = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113, 115, 117,
  119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636,
  989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);
