import type { Dispatcher } from 'undici';
import { type Clock, systemClock } from '../core/clock.ts';
import type { Redactor } from '../core/redact.ts';
import type { Sealed } from '../core/sealed.ts';
import type { RunCommand } from '../platform/command.ts';
import { createSigners, type KnownSigner } from './auth/signers.ts';
import { type BareAnswer, type BareRead, bareRead, tokenFetcher } from './bare-request.ts';
import { createDispatcher } from './connections.ts';
import { excerpt } from './excerpt.ts';
import { addressOf } from './hidden-address.ts';
import type { KeptReads } from './kept-reads.ts';
import { isBlocked } from './network-fault.ts';
import { Origin } from './origin.ts';
import { accessOf, joinReads, sendRequest } from './send.ts';
import type { Api, RequestFacts, Shared } from './shared.ts';
import type { Answer, Http, Joined, Known, ProviderBlock, RequestSpec, SendOptions, WriteGate } from './types.ts';

export interface ClientOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly redactor: Redactor;
  /** The run's signal. It aborts reads at once and keeps writes from being sent. A write under way goes on until its own signal. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  /** The caller's own connections. `close` leaves them open. */
  readonly dispatcher?: Dispatcher;
  readonly gate?: WriteGate;
  /** Decides which programs that print a token are started. */
  readonly guard?: (run: RunCommand) => RunCommand;
  /** For one attempt, its body included. 30 s when left out. */
  readonly deadlineMs?: number;
  /** Called at the end of each attempt, with facts that hold no secret. */
  readonly onRequest?: (facts: RequestFacts) => void;
  /** Spreads back-offs; a simulation gives a seeded one. */
  readonly random?: () => number;
}

/** The address of a block's requests, and how many go at once. */
export type Expected = Pick<ProviderBlock, 'base_url' | 'concurrency'>;

export interface ApiOptions {
  /** Replaces the block's own credential. */
  readonly credential?: Sealed | null;
  /** The line that requests are counted for. */
  readonly line?: string | null;
  readonly known?: Known;
  /** Keeps the reads that may be joined with others, and answers equal reads. */
  readonly kept?: KeptReads | null;
}

/** The one HTTP client of a run: queues, retries, deadlines, credentials and counts for every API that its lines use. */
export interface Client {
  api(block: ProviderBlock, o?: ApiOptions): Http;
  /** Reads from a server that is no line's provider: where secrets are kept. */
  read(request: BareRead): Promise<BareAnswer>;
  /** Attempts sent, those for tokens and secrets included. */
  readonly stats: { readonly requests: number; readonly writes: number };
  requestsOf(line: string): number;
  /** Announces `count` requests of this block. Connections for them are opened meanwhile, as many as may be under way. */
  expect(block: Expected, count: number): void;
  /** Reads that began before now are shared no more. */
  forgetReads(): void;
  /** Ends the client's connections in the next turn of the process. */
  close(): void;
}

export function createClient(options: ClientOptions): Client {
  const { env, redactor, signal, gate = null, clock = systemClock, deadlineMs = 30_000, random = Math.random } = options;
  const { dispatcher, connections } = options.dispatcher
    ? { dispatcher: options.dispatcher, connections: null }
    : createDispatcher(env, clock, Math.min(10_000, deadlineMs));
  const origins = new Map<string, Origin>();
  const counted = createCounts();

  const originOf = ({ origin }: URL): Origin => {
    const known = origins.get(origin) ?? new Origin(clock);
    origins.set(origin, known);
    return known;
  };
  const shared: Shared = {
    dispatcher,
    clock,
    deadlineMs,
    redactor,
    signal,
    gate,
    random,
    originOf,
    addressOf: (block) => addressOf(block, env, redactor),
    count: counted.count,
    tell: (facts) => options.onRequest?.({ ...facts, url: shownUrl(facts.url, redactor) }),
  };
  const start: RunCommand = async (argv) => {
    // Only a run that starts a program loads this.
    const { runCommand } = await import('../platform/command.ts');
    return await runCommand({ argv, env, clock, signal, redactor });
  };
  const run = options.guard?.(start) ?? start;
  const fetcherOf = (block: ProviderBlock) => tokenFetcher(shared, block);
  const parts = { shared, signerOf: createSigners({ env, redactor, clock, run, fetcherOf }) };

  return {
    api: (block, { credential = null, line = null, known = {}, kept = null } = {}) =>
      new LineHttp(parts, { block, credential, line, known, kept }),
    read: (request) => bareRead(shared, request),
    stats: counted.stats,
    requestsOf: counted.requestsOf,
    expect: ({ base_url, concurrency }, count) => {
      const url = connections && URL.parse(base_url);
      if (!url || !/^https?:$/.test(url.protocol) || isBlocked(url)) return;
      const origin = originOf(url);
      origin.declare(concurrency);
      connections.openAhead(url, Math.min(count, origin.limit));
    },
    forgetReads: () => {
      for (const origin of origins.values()) origin.shared.forget();
    },
    close: () => {
      for (const origin of origins.values()) origin.close();
      connections?.close();
      // Their senders gave up all open requests, and waiting for them would hold the process. A process that ends in this turn leaves
      // its connections to the system, which costs no time. Ending sixteen connections here would take some 3 ms.
      if (dispatcher !== options.dispatcher) setImmediate(() => void dispatcher.destroy());
    },
  };
}

/** One API as one line uses it. A run has thousands of these, so they share their common parts. */
class LineHttp implements Http, Api {
  readonly block: ProviderBlock;
  readonly line: string | null;
  readonly known: Known;
  readonly kept: KeptReads | null;
  readonly #credential: Sealed | null;
  readonly #client: ClientParts;

  constructor(client: ClientParts, o: { readonly block: ProviderBlock } & Required<ApiOptions>) {
    this.#client = client;
    this.block = o.block;
    this.line = o.line;
    this.known = o.known;
    this.kept = o.kept;
    this.#credential = o.credential;
  }

  send(request: RequestSpec, options: SendOptions): Promise<Answer> {
    return sendRequest(this.#client.shared, this, request, options);
  }

  joined<T>(what: Joined, read: () => Promise<T>): Promise<T> {
    return joinReads(this.#client.shared, this, what, read);
  }

  get access(): string {
    return accessOf(this);
  }

  quote(body: unknown): string {
    return excerpt(body, this.#client.shared.redactor);
  }

  async pause(ms: number, signal?: AbortSignal): Promise<void> {
    await this.#client.shared.clock.sleep(ms, signal);
  }

  time(): number | null {
    const base = URL.parse(this.block.base_url);
    return base && this.#client.shared.originOf(base).timeAt(this.block.base_url).now();
  }

  signer(): KnownSigner {
    return this.#client.signerOf(this.block, this.#credential);
  }
}

interface ClientParts {
  readonly shared: Shared;
  readonly signerOf: (block: ProviderBlock, credential: Sealed | null) => KnownSigner;
}

/** The attempts of one client, also by line. */
function createCounts() {
  const stats = { requests: 0, writes: 0 };
  const perLine = new Map<string, number>();
  return {
    stats,
    count: ({ line, write }: { readonly line: string | null; readonly write: boolean }): void => {
      stats.requests += 1;
      if (write) stats.writes += 1;
      if (line !== null) perLine.set(line, (perLine.get(line) ?? 0) + 1);
    },
    requestsOf: (line: string): number => perLine.get(line) ?? 0,
  };
}

/** Hides query values under a secret-looking name, even those that the redactor does not know. */
function shownUrl(href: string, redactor: Redactor): string {
  const hidden = href.replace(/([?&][^=&#]*(?:token|key|secret|passw|signature|auth)[^=&#]*=)[^&#]*/gi, '$1***');
  return redactor.text(hidden);
}
