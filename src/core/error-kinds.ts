import type { ErrorCode } from './error-table.ts';

interface ErrorKindEntry {
  /** The codes that it comes with, for the page of the errors. */
  readonly codes: readonly ErrorCode[];
  readonly summary: string;
  readonly when: string;
}

/** Cases of one code with a title of their own: programs act alike on them, and people do not. */
export const errorKinds = {
  rate_limit: {
    codes: ['PROVIDER_TRANSIENT'],
    summary: 'The provider limits the rate of requests',
    when: 'The provider answered 429, or another status that asks for fewer requests.',
  },
  server_error: {
    codes: ['PROVIDER_TRANSIENT'],
    summary: 'The provider failed to answer the request',
    when: 'The provider, or a gateway before it, answered 5xx.',
  },
  busy: {
    codes: ['PROVIDER_TRANSIENT'],
    summary: 'The provider asks to try again later',
    when: 'The provider answered 423 or 425: something else is at work on the object.',
  },
  unreachable: {
    codes: ['PROVIDER_TRANSIENT'],
    summary: 'The provider cannot be reached',
    when: 'No connection came about: its host name, the network, a certificate or a proxy stands in the way.',
  },
  cut: {
    codes: ['PROVIDER_TRANSIENT'],
    summary: 'The connection to the provider broke',
    when: 'The connection ended after the request was sent and before its answer was whole.',
  },
  unsteady: {
    codes: ['PROVIDER_TRANSIENT'],
    summary: 'The provider showed two different states',
    when: 'A list kept changing while it was read, or two requests for one object disagreed.',
  },
  web_page: {
    codes: ['PROVIDER_RESPONSE', 'PROVIDER_AUTH'],
    summary: 'A web page came in place of an answer',
    when: 'The body is HTML, as a sign-in page, a proxy or a captive portal sends it.',
  },
  empty: {
    codes: ['PROVIDER_RESPONSE'],
    summary: 'The answer of the provider is empty',
    when: 'An answer with a good status has no body where the request asks for one.',
  },
  truncated: {
    codes: ['PROVIDER_RESPONSE'],
    summary: 'The answer of the provider is cut off',
    when: 'The body is JSON or XML and ends in the middle.',
  },
  redirect: {
    codes: ['PROVIDER_RESPONSE'],
    summary: 'The provider points to another address',
    when: 'The answer is a redirect that pilotfish does not follow.',
  },
} as const satisfies { readonly [kind: string]: ErrorKindEntry };

export type ErrorKind = keyof typeof errorKinds;

/** The kind of an error of a document, which anybody may have written. */
export const isErrorKind = (kind: unknown): kind is ErrorKind => typeof kind === 'string' && Object.hasOwn(errorKinds, kind);
