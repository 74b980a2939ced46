import { contentTypeOf } from './reply.ts';
import type { Exchange, LogEntry, Outcome, Reply } from './types.ts';

const listeners = new Set<(exchange: Exchange) => void>();

/** Tells `listener` of every exchange of every simulation in this process; the contract checker collects with it. Returns the way to stop. */
export function listenToExchanges(listener: (exchange: Exchange) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function publish(exchange: Exchange): void {
  for (const listener of listeners) listener(exchange);
}

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: unknown;
  readonly write: boolean;
  readonly outcome: Outcome;
  readonly at: number;
}

/** Keeps what went through one simulation: a log for assertions, exchanges for the contract checker. */
export class Recorder {
  readonly log: LogEntry[] = [];
  readonly exchanges: Exchange[] = [];
  readonly #secretHeaders: ReadonlySet<string>;

  constructor(secretHeaders: readonly string[]) {
    this.#secretHeaders = new Set(['authorization', ...secretHeaders.map((name) => name.toLowerCase())]);
  }

  /** The exchange, or `null` where there was no answer to record. */
  add(seen: Seen, reply: Reply | null, about: { readonly provider: string; readonly origin: string }): Exchange | null {
    const { method, path, write, outcome, at } = seen;
    const query = queryOf(seen.query);
    this.log.push({ method, path, query, body: copy(seen.body), status: reply?.status ?? null, write, outcome, at });
    if (!reply) return null;
    const exchange: Exchange = {
      ...about,
      method,
      path,
      query,
      headers: Object.fromEntries([...seen.headers].filter(([name]) => !this.#secretHeaders.has(name))),
      contentType: seen.headers.get('content-type'),
      body: copy(seen.body),
      status: reply.status,
      answer: { headers: { ...reply.headers }, contentType: contentTypeOf(reply), body: copy(reply.body ?? null) },
      injected: outcome === 'injected',
    };
    this.exchanges.push(exchange);
    return exchange;
  }
}

function queryOf(query: URLSearchParams): LogEntry['query'] {
  const names = [...new Set(query.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = query.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values] as const;
    }),
  );
}

/** Recordings must not change with the world they were taken from. */
function copy(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? (JSON.parse(JSON.stringify(value)) as unknown) : value;
}
