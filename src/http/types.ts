import type { Json } from '../core/json.ts';
import type { Sealed } from '../core/sealed.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A request body: JSON whose leaves may be sealed. The client reveals them at the last moment. */
export type Body = null | boolean | number | string | Sealed | readonly Body[] | { readonly [name: string]: Body };

/** How a body is written. */
export type Encoding = 'json' | 'form' | 'xml' | 'multipart';

/** A credential in a header of the provider's own: `<prefix><value>`, or `<prefix><user>:<value>` with a user name. */
export type CredentialHeader = {
  readonly header: string;
  readonly value_env: string;
  readonly prefix?: string;
  readonly user_env?: string;
};

/** A credential form of an API block: variable names or a literal command, never a value. The form is part of the identity. */
export type AuthForm =
  | { readonly bearer_env: string }
  | CredentialHeader
  | { readonly headers: readonly CredentialHeader[] }
  | { readonly basic: { readonly user_env?: string; readonly user?: string; readonly password_env?: string; readonly password?: string } }
  | {
      readonly oauth_client_credentials: {
        readonly client_id_env: string;
        readonly client_secret_env: string;
        /** Full URL; derived from the base URL by the family when left out (`/oauth/token` at its origin). */
        readonly token_url?: string;
        /** In place of `token_url`: a path at the origin of the base URL, such as `/oauth2/token`. */
        readonly token_path?: string;
        readonly audience?: string;
        /** In place of `audience`: a path that is appended unchanged to the origin of the base URL, such as `/api`. */
        readonly audience_path?: string;
        /** Variable that overrides the audience. */
        readonly audience_env?: string;
        readonly token_url_env?: string;
        /** RFC 8707: names the API to a token endpoint that knows no `audience`. No audience is derived then. */
        readonly resource?: string;
        readonly scope?: string;
      };
    }
  | { readonly command: readonly string[] }
  | { readonly aws_v4: { readonly access_key_id_env: string; readonly secret_access_key_env: string; readonly service: string } }
  | { readonly digest: { readonly user_env: string; readonly password_env: string } };

/** One API as resolved: names only, no secret. Stored in records, so destroy needs no plan. */
export interface ProviderBlock {
  /** Name of the API block, for messages and the redirect of errors: `auth0`. Not part of the identity. */
  readonly api: string;
  /** No trailing slash. */
  readonly base_url: string;
  /** The variable that overrode the base URL, when one did. Not part of the identity. Errors of a destroy name it. */
  readonly base_url_env?: string;
  readonly auth: AuthForm | null;
  /** With `aws_v4` only: the region that signatures are for, and the variable of the session token that temporary keys need. */
  readonly region?: string;
  readonly session_token_env?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly encoding?: Encoding;
  readonly form_arrays?: 'repeat' | 'index' | 'brackets';
  readonly media_type?: string;
  readonly refuse_credential?: { readonly prefixes: readonly string[]; readonly unless_env?: string };
  /** Requests in flight to this host at once; 16 when left out. */
  readonly concurrency?: number;
  /** Settings of a built-in adapter that are part of the identity, such as `team_id`. */
  readonly settings?: { readonly [name: string]: string };
}

/** A GraphQL request: `{ query, variables }` as JSON, posted to the base URL. The value at `data_path` is its answer's body. */
export interface GraphqlRequest<V = Body> {
  readonly query: string;
  readonly variables?: { readonly [name: string]: V };
  /** Pointer inside `data`; it begins with the root field. */
  readonly data_path: string;
  /** The meaning of null at that place in the answer to a query: nothing is there, or a value that nobody can read. */
  readonly null_is?: 'absent' | 'sealed';
  /** Sending the mutation twice has the effect of sending it once. */
  readonly idempotent?: boolean;
}

/** A request as data: it can be stored in the ledger when its body and headers hold nothing sealed. */
export interface RequestSpec {
  readonly method: Method;
  /** Below the block's base URL (starts with `/`, may hold a query), or absolute (`https://…`, actions only). */
  readonly path: string;
  readonly query?: { readonly [name: string]: string | readonly string[] };
  readonly headers?: { readonly [name: string]: string | Sealed };
  readonly body?: Body;
  /** Overrides the block's encoding for this request. */
  readonly encoding?: Encoding;
  /** In place of a body; method and path are POST and empty. */
  readonly graphql?: GraphqlRequest;
}

/** A request without a secret, as intents and records keep it. */
export interface StoredRequest {
  readonly method: Method;
  readonly path: string;
  readonly query?: { readonly [name: string]: string | readonly string[] };
  readonly headers?: { readonly [name: string]: string };
  readonly body?: Json;
  readonly encoding?: Encoding;
  readonly graphql?: GraphqlRequest<Json>;
}

export interface SendOptions {
  /** `write` passes the write gate (lease, quiet moment) and counts as a write; a POST that only reads says `read`. */
  readonly purpose: 'read' | 'write';
  readonly signal?: AbortSignal;
  /** Whether a repeat is harmless. Default: by method (GET, HEAD, PUT, DELETE). Decides which failures are retried. */
  readonly idempotent?: boolean;
  /** Sent as `Idempotency-Key`; makes the request repeatable. */
  readonly idempotencyKey?: string;
  /** Statuses that are answers, not failures: `[404]` for a read that may find nothing. 2xx is always an answer. */
  readonly accept?: readonly number[];
  /**
   * `table` (default): the retry table of the specification. `none`: one attempt (and one after a 401); the engine looks
   * again before it repeats. Creates without an idempotency key use `none`.
   */
  readonly retry?: 'table' | 'none';
  /** The lock that a write is sent under, beside the gate of its run. */
  readonly lock?: WriteWatch;
  /** Called for each attempt that failed after its send, even when the request ends differently. */
  readonly onFailure?: (failure: HttpFailureFacts) => void;
  /**
   * Whether a read may be joined with equal ones: `true` with a read that began after the last write to this origin ended, `false` only with
   * a read that begins from now on. Where this is left out, the read is sent for its caller alone.
   */
  readonly share?: boolean;
  /** Sends no credential and no header of the API block (an action without `api`). */
  readonly bare?: boolean;
}

export interface Answer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: { readonly [name: string]: string };
  /** Parsed by content type; `null` for an empty body; text where it is neither JSON nor XML. */
  readonly body: unknown;
  /** All of a GraphQL answer's `data`, because the cursor of a list stands beside the list. */
  readonly data?: unknown;
  /** About how many bytes the body takes in memory, for code that holds many answers. */
  readonly size?: number;
}

/**
 * One API for one line: the block's base URL, headers, encoding and credential are already in it.
 * Throws `Failure`: `PROVIDER_AUTH` (401, 403), `PROVIDER_NOT_FOUND` (404, 410), `PROVIDER_CONFLICT` (409, 412),
 * `PROVIDER_QUOTA` (402, 507, and refusals that the operation's `quota` names), `PROVIDER_INVALID` (other 4xx), `PROVIDER_TRANSIENT`
 * (5xx, network, deadline), `PROVIDER_RESPONSE` (3xx, unreadable body), each as an `HttpFailure` with `status` and the parsed error `body`
 * in memory.
 */
export interface Http {
  readonly block: ProviderBlock;
  /** Equal for lines whose requests carry the same credential and the same headers. It is kept nowhere and shown to nobody. */
  readonly access?: string | undefined;
  send(request: RequestSpec, options: SendOptions): Promise<Answer>;
  /**
   * The joint result of several reads, made once for all callers that ask this API for it by the same name and may share each of these
   * reads. `read` sends with the same `share` and without a signal, and each caller waits under its own signal. Without `joined` each caller
   * reads for itself.
   */
  joined?<T>(what: Joined, read: () => Promise<T>): Promise<T>;
  /**
   * The time at the API's own host (ms since 1970), as the `Date` of its answers tells it: up to a second early, never late. `null` until an
   * answer has a `Date`. A moment that the host tells is compared with this time and with nothing else.
   */
  time?(): number | null;
  /** Waits, by the clock of the run, before a read is repeated. Rejects when the signal is aborted. */
  pause?(ms: number, signal?: AbortSignal): Promise<void>;
  /** The words of an answer's body, in a sentence's length and without a secret. */
  quote?(body: unknown): string;
}

/** `share` as in `SendOptions`. */
export interface Joined {
  readonly name: string;
  readonly signal: AbortSignal;
  readonly share: boolean;
}

/** The facts of a failed request for the engine, beside its code. `src/http/failure.ts` makes them. */
export interface HttpFailureFacts {
  /** HTTP status, or `null` where no answer came. */
  readonly status: number | null;
  /** The parsed error body, in memory only: never stored, logged or shown unredacted. */
  readonly body: unknown;
  /** A write was sent and its answer never came whole: it may have landed, or may still land. */
  readonly unanswered: boolean;
  /** 429, 423, 503 or unanswered: the request may be sent again after a look. */
  readonly repeatable: boolean;
  /** Milliseconds the provider asked to wait. */
  readonly retryAfter: number | null;
}

/** How a list continues on its next page. Pointers are RFC 6901 into the answer's body. */
export type Paging =
  | { readonly kind: 'cursor'; readonly next: string; readonly param: string; readonly more?: string }
  | ({ readonly kind: 'page'; readonly param: string; readonly first?: number; readonly size?: number } & PageEnd)
  | ({ readonly kind: 'offset'; readonly param: string; readonly size: number } & PageEnd)
  | { readonly kind: 'last_id'; readonly param: string; readonly id: string; readonly more?: string }
  | { readonly kind: 'next_url'; readonly next: string }
  | { readonly kind: 'link' };

/** How to know the last page. A page that is empty or brings nothing new is always the last one. */
export interface PageEnd {
  /** The most entries of a page of this server. A shorter page is the last one. */
  readonly cap?: number;
  /** Pointer to the number of all entries. */
  readonly total?: string;
}

/** An answer with its whole body. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly bytes: Uint8Array;
}

/** Facts about the refusals of a provider, beside its API block. They are not part of the identity, and the ledger does not keep them. */
export interface Known {
  /** The permissions that its credential needs, and no more. */
  readonly needs?: string;
  /** Whether a refused write means that there is no room for another object. */
  isFull?(refused: Refused): boolean;
}

export interface Refused {
  readonly method: Method;
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
}

/** Watches each send of a write, repeats included. */
export interface WriteWatch {
  /** Synchronous, in the same turn as the send: throws `LEASE_LOST` when less of the lease or lock is left than the request deadline. */
  check(): void;
  /** Called at the send; the returned function is called once with whether the answer came whole. */
  sent(): (answered: boolean) => void;
}

/**
 * Stands between a write and the network. The run implements this gate over the lease. Without a run (a credential check)
 * there is no gate, and only reads are sent.
 */
export interface WriteGate extends WriteWatch {
  /** Resolves when a write may be sent: lease held, quiet moment over. Rejects with `LEASE_LOST`, `LEASE_HELD` or the signal's reason. */
  open(signal: AbortSignal): Promise<void>;
}
