import type { Clock } from './clock.ts';

/** What a simulation answers: data, so that it can be recorded, dropped or cut before it becomes a `Response`. */
export interface Reply {
  readonly status: number;
  /** A string goes out as it is; anything else as JSON; left out: no body at all. */
  readonly body?: unknown;
  readonly headers?: { readonly [name: string]: string };
  /** Default: `application/json` for a body that is not a string, `text/plain` for one that is. */
  readonly contentType?: string;
}

/** One request as a route sees it. The body is already read. */
export interface Call<S, P = Readonly<Record<string, string>>> {
  readonly method: string;
  /** Below the origin, without the query, as sent (not decoded). */
  readonly path: string;
  /** Named parts of the route's pattern, decoded. */
  readonly params: P;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** Lower case, without parameters; empty when the request has none. */
  readonly contentType: string;
  /** The body as text; empty when there is none. */
  readonly text: string;
  /** The body parsed by its content type: JSON value, `Fields` for both form encodings, text for anything else, `null` for none. */
  readonly body: unknown;
  /** The provider's world. A route reads and changes this one, never a captured one: faults hand it an older or a throw-away copy. */
  readonly state: S;
  /** The injected clock's time. */
  readonly now: number;
  /** The credential that was accepted; empty on open routes. */
  readonly credential: string;
}

/** Name and value pairs of a form body in the order they were sent. */
export type Fields = readonly (readonly [name: string, value: string])[];

export type Outcome = 'answered' | 'answer lost' | 'answer cut' | 'request lost' | 'hung' | 'write dropped' | 'stale' | 'injected';

/** One line of `Simulation.log`. */
export interface LogEntry {
  readonly method: string;
  readonly path: string;
  readonly query: { readonly [name: string]: string | readonly string[] };
  readonly body: unknown;
  /** `null` where no answer was made: the request was lost, or hangs. */
  readonly status: number | null;
  /** A request that changes, or would change, the provider's state. */
  readonly write: boolean;
  readonly outcome: Outcome;
  readonly at: number;
}

/** A request and its answer as the contract checker reads them. No credential is in it. */
export interface Exchange {
  readonly provider: string;
  /** Why its vendor's description cannot be held against it: there is none. */
  readonly undescribed?: string;
  readonly origin: string;
  readonly method: string;
  /** Full path below the origin, base path included. */
  readonly path: string;
  readonly query: { readonly [name: string]: string | readonly string[] };
  readonly headers: { readonly [name: string]: string };
  /** Headers that carried a credential, without it: `authorization bearer`, `x-api-key`. */
  readonly credentials: readonly string[];
  readonly contentType: string | null;
  readonly body: unknown;
  /** 0 where no answer was made: the request was lost, hangs, or no route serves it. */
  readonly status: number;
  readonly answer: { readonly headers: { readonly [name: string]: string }; readonly contentType: string | null; readonly body: unknown };
  /** The answer comes from a test (`once`, `times`), not from the simulation, or there was none: only the request is worth checking. */
  readonly injected: boolean;
}

/** Told of every request before its effect and after it, for tests that cut a run there. A listener that throws breaks the connection. */
export type Watcher = (event: {
  readonly phase: 'before' | 'after';
  readonly simulation: string;
  readonly method: string;
  readonly path: string;
  readonly write: boolean;
}) => void | Promise<void>;

/** One provider: its state, its doors, and what went through them. */
export interface Simulation<W = unknown> {
  readonly name: string;
  /** The real one: `https://api.vercel.com`. */
  readonly origin: string;
  /** Base URL below the origin: `/api/v2`, or empty. */
  readonly basePath: string;
  /** `signed`: as the client sent it, where `request` was written anew on its way. Its credential is judged by that one. */
  handle(request: Request, signed?: Request): Promise<Response>;
  /** Whether a route takes this, whatever it answers. */
  serves(method: string, path: string): boolean;
  /** State and what a person would do in the provider's console. Changing it is a change from outside. */
  readonly world: W;
  /** A deep copy of the state, to compare worlds. */
  dump(): unknown;
  /** Puts a state of `dump` in the place of the state. The world shows it from now on. */
  restore(state: unknown): void;
  readonly faults: FaultKit;
  readonly tokens: Tokens;
  /** Tokens of further kinds, by the name of the kind. */
  readonly others: { readonly [kind: string]: string };
  readonly log: readonly LogEntry[];
  readonly exchanges: readonly Exchange[];
  /** Requests that no route serves. Not empty: the test must fail. */
  readonly unhandled: readonly string[];
  /** Entries of `log` that are writes, optionally since an earlier length of the log. */
  writes(since?: number): readonly LogEntry[];
  /** Empties `log` and `exchanges`, for a program that runs for days. */
  forget(): void;
  /** Returns a function that takes the watcher away. */
  watch(watcher: Watcher): () => void;
}

/** Credentials a simulation knows. What is none of these is refused as the provider refuses a wrong one. */
export interface Tokens {
  readonly full: string;
  /** Reads everything, may write nothing. */
  readonly readOnly: string;
  /** Valid, but permitted to see nothing. */
  readonly blind: string;
}

/** What a match looks at. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly text: string;
}

/** `'POST /branches/{id}'` (a route pattern), a method and an expression over the path, or a function. */
export type Match = string | { readonly method?: string; readonly path?: RegExp } | ((call: Seen) => boolean);

/** A fault that waits for its request. */
export interface Armed {
  readonly hits: number;
  /** Requests that it will still meet. */
  readonly left: number;
  disarm(): void;
}

/** What can go wrong between a client and a provider. Each call arms one fault; the first armed match wins. */
export interface FaultKit {
  /** The effect happens; the connection breaks before the answer. */
  loseAnswer(match: Match, times?: number): Armed;
  /** The effect happens; the connection breaks in the middle of the answer's body. */
  cutAnswer(match: Match, times?: number): Armed;
  /** The connection breaks before the provider saw the request. */
  loseRequest(match: Match, times?: number): Armed;
  /** The next matching request gets this answer and has no effect. */
  once(match: Match, status: number, body?: unknown, headers?: { readonly [name: string]: string }): Armed;
  times(n: number, match: Match, status: number, body?: unknown, headers?: { readonly [name: string]: string }): Armed;
  /** No effect and no answer until the client gives up. */
  hang(match: Match, times?: number): Armed;
  /** The answer takes `ms` on the injected clock. Goes together with any other fault. */
  slow(match: Match, ms: number, times?: number): Armed;
  /** A read answers what was there before the last `writes` writes (counted from when this was armed). */
  staleRead(match: Match, writes: number, times?: number): Armed;
  /** A read answers what was there `ms` ago on the injected clock (counted from when this was armed). */
  lags(match: Match, ms: number, times?: number): Armed;
  /** The answer is a success; nothing was stored. */
  dropWrite(match: Match, times?: number): Armed;
  /** The answer is a success at once; the effect comes after so many more requests of any kind. */
  later(match: Match, requests: number, times?: number): Armed;
  /** The answer is a success at once; the effect comes with the first request that is so many milliseconds later. */
  late(match: Match, ms: number, times?: number): Armed;
  /** What is created from now on becomes ready with the n-th poll. */
  readyAfter(polls: number): void;
  readonly pollsUntilReady: number;
  /** Disarms everything. */
  clear(): void;
}

export interface SimulationOptions {
  /** The run's: the provider's own one is ahead of it, or behind. */
  readonly clock?: Clock;
  /** By how many milliseconds; each provider has a default of minutes. */
  readonly ahead?: number;
  readonly tokens?: Partial<Tokens>;
}
