import { record } from './record.ts';
import { contentTypeOf } from './reply.ts';
import type { Exchange, LogEntry, Outcome, Reply } from './types.ts';

const listeners = new Set<(exchange: Exchange) => void>();

/** Tells `listener` of every exchange of every simulation in this process; the contract checker collects with it. Returns the way to stop. */
export function listenToExchanges(listener: (exchange: Exchange) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function publish(exchange: Exchange): void {
  record(exchange);
  for (const listener of listeners) listener(exchange);
}

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: unknown;
}

interface Happened {
  readonly write: boolean;
  readonly outcome: Outcome;
  readonly at: number;
}

interface About {
  readonly provider: string;
  readonly origin: string;
}

/** Keeps what went through one simulation: a log for assertions, exchanges for the contract checker. */
export class Recorder {
  readonly log: LogEntry[] = [];
  readonly exchanges: Exchange[] = [];
  readonly #secretHeaders: ReadonlySet<string>;

  constructor(secretHeaders: readonly string[]) {
    this.#secretHeaders = new Set(['authorization', ...secretHeaders.map((name) => name.toLowerCase())]);
  }

  /** What a provider was asked and answered, also where no answer was made. */
  add(seen: Seen & Happened, reply: Reply | null, about: About): Exchange {
    const { method, path, write, outcome, at } = seen;
    this.log.push({
      method,
      path,
      query: queryOf(seen.query),
      body: copy(seen.body),
      status: reply?.status ?? null,
      write,
      outcome,
      at,
    });
    const exchange = this.exchangeOf(seen, reply, about, reply === null || outcome === 'injected');
    this.exchanges.push(exchange);
    return exchange;
  }

  forget(): void {
    this.log.length = 0;
    this.exchanges.length = 0;
  }

  /** A request as it is recorded, without its credential. */
  exchangeOf(seen: Seen, reply: Reply | null, about: About, injected: boolean): Exchange {
    const { method, path } = seen;
    const secret = [...seen.headers].filter(([name]) => this.#secretHeaders.has(name));
    return {
      ...about,
      method,
      path,
      query: queryOf(seen.query),
      headers: Object.fromEntries([...seen.headers].filter(([name]) => !this.#secretHeaders.has(name))),
      credentials: secret.map(([name, value]) => (name === 'authorization' ? schemeOf(value) : name)),
      contentType: seen.headers.get('content-type'),
      body: copy(seen.body),
      status: reply?.status ?? 0,
      answer: { headers: { ...reply?.headers }, contentType: reply ? contentTypeOf(reply) : null, body: copy(reply?.body ?? null) },
      injected,
    };
  }
}

/** `authorization bearer`; without a scheme the whole value is the credential. */
const schemeOf = (value: string): string => (value.includes(' ') ? `authorization ${value.split(' ')[0]?.toLowerCase()}` : 'authorization');

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
