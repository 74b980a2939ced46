import { DeadlinePassed } from './deadline.ts';
import { BlockedPort } from './ports.ts';

/** What a request without an answer means: whether it can have reached the provider, and whether another try makes sense. */
export interface NetworkFault {
  /**
   * `unsent`: nothing left this machine. `refused`: nothing left this machine and nothing will (certificate, proxy).
   * `cut`: it may have arrived.
   */
  readonly kind: 'unsent' | 'refused' | 'cut';
  /** The end of a sentence: "the connection was refused". Never text from outside. */
  readonly reason: string;
  readonly fix?: string;
}

export function networkFault(thrown: unknown): NetworkFault {
  if (thrown instanceof DeadlinePassed) return { kind: 'cut', reason: `no complete answer came within ${thrown.ms / 1000} s` };
  if (thrown instanceof BlockedPort) return { kind: 'refused', reason: thrown.message, fix: 'Check the base URL.' };
  const chain = causes(thrown);
  const proxy = chain.map((error) => /Proxy response \((\d{3})\)/.exec(error.message)?.[1]).find((status) => status !== undefined);
  if (proxy) {
    return {
      kind: 'refused',
      reason: `the proxy refused the connection with ${proxy}`,
      fix: 'Check HTTP_PROXY, HTTPS_PROXY and NO_PROXY.',
    };
  }
  for (const error of chain) {
    const known = error.code === undefined ? undefined : byCode[error.code];
    if (known) return known;
    if (error.code !== undefined && certificate.test(error.code)) return untrusted(error.code);
    if (error.syscall === 'connect' || error.syscall === 'getaddrinfo')
      return { kind: 'unsent', reason: `the connection failed (${error.code})`, fix: unreachable };
  }
  const code = chain.map((error) => error.code).find((one) => one !== undefined);
  return { kind: 'cut', reason: `the connection broke${code === undefined ? '' : ` (${code})`}` };
}

const certificate = /CERT|UNABLE_TO_|SELF_SIGNED|^ERR_SSL|^EPROTO$/;

const unreachable = 'Check the base URL and the network, then run again.';

const byCode: { readonly [code: string]: NetworkFault | undefined } = {
  ECONNREFUSED: { kind: 'unsent', reason: 'the connection was refused', fix: unreachable },
  ENOTFOUND: { kind: 'unsent', reason: 'its host name is not known', fix: unreachable },
  EAI_AGAIN: { kind: 'unsent', reason: 'its host name could not be looked up', fix: 'Check the network, then run again.' },
  UND_ERR_CONNECT_TIMEOUT: { kind: 'unsent', reason: 'the connection was not made in time', fix: unreachable },
  ECONNRESET: { kind: 'cut', reason: 'the connection was reset' },
  EPIPE: { kind: 'cut', reason: 'the connection was closed' },
  UND_ERR_SOCKET: { kind: 'cut', reason: 'the connection closed before the answer was complete' },
  UND_ERR_HEADERS_TIMEOUT: { kind: 'cut', reason: 'no answer came in time' },
  UND_ERR_BODY_TIMEOUT: { kind: 'cut', reason: 'the answer was not complete in time' },
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
  readonly syscall: string | undefined;
}

/** A library hides the error that tells in its `cause`; a refused dual-stack connect is an aggregate of both. */
function causes(thrown: unknown): readonly SystemError[] {
  const found: SystemError[] = [];
  let at: unknown = thrown;
  for (let depth = 0; depth < 6 && at instanceof Error; depth += 1) {
    found.push({ message: at.message, code: textIn(at, 'code'), syscall: textIn(at, 'syscall') });
    at = at.cause ?? (at instanceof AggregateError ? (at.errors as readonly unknown[])[0] : undefined);
  }
  return found;
}

function textIn(error: Error, name: string): string | undefined {
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : undefined;
}
