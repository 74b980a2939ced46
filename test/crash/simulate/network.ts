import { ConnectionLost } from 'pilotfish-sandbox/kit/reply';
import { Dispatcher } from 'undici';
import { Exchange, headersOf, textOf } from './exchange.ts';
import type { Process } from './process.ts';
import type { Author, Provider, Reply } from './provider.ts';
import type { Random } from './random.ts';
import type { Timeline } from './timeline.ts';

/** What can go wrong with one request, and how often in a thousand. */
export interface Weather {
  readonly loseAnswer: number;
  readonly loseRequest: number;
  readonly hang: number;
  readonly locked: number;
  readonly throttled: number;
  readonly failing: number;
  readonly dropWrite: number;
  /** Takes seconds instead of milliseconds to arrive. */
  readonly late: number;
}

export const calm: Weather = { loseAnswer: 0, loseRequest: 0, hang: 0, locked: 0, throttled: 0, failing: 0, dropWrite: 0, late: 0 };

/** A write on its way: who sent it, and when it can no longer land. */
export interface Flight {
  readonly process: Process;
  readonly by: Author;
  readonly method: string;
  readonly path: string;
}

export interface NetworkOptions {
  readonly time: Timeline;
  readonly random: Random;
  readonly provider: Provider;
  readonly deadlineMs: number;
  /** Called in the turn in which a process sends something. */
  readonly onSend: (flight: Flight, isWrite: boolean) => void;
  /** A write arrived and was answered. */
  readonly onChange: (flight: Flight, status: number) => void;
  readonly onFault: (kind: keyof Weather) => void;
}

/** The way between processes and the provider: requests travel, arrive, are answered, and each of that may fail. */
export class Network {
  weather: Weather = calm;
  requests = 0;
  /** Writes that were sent and have not arrived yet. */
  readonly flying = new Set<Flight>();
  readonly #o: NetworkOptions;

  constructor(options: NetworkOptions) {
    this.#o = options;
  }

  dispatcherOf(process: Process, by: Author): Dispatcher {
    return new Line(this, process, by);
  }

  send(process: Process, by: Author, options: Dispatcher.DispatchOptions, body: string | null, exchange: Exchange): void {
    const { time, random, provider, deadlineMs } = this.#o;
    const url = new URL(options.path, options.origin);
    const request = {
      method: options.method,
      path: url.pathname,
      query: url.searchParams,
      headers: headersOf(options.headers),
      body: body === null ? null : (JSON.parse(body) as unknown),
      by,
    };
    this.requests += 1;
    process.hasBegun = true;
    const isWrite = provider.isWrite(request);
    const flight: Flight = { process, by, method: request.method, path: request.path };
    this.#o.onSend(flight, isWrite);
    if (isWrite) this.flying.add(flight);
    const fault = this.#faultOf(isWrite, request.method === 'PATCH' && request.path.startsWith('/boxes/'));
    // What is under way lands within the deadline or never: the connection of a client that gave up is gone.
    const way = fault === 'late' ? random.int(1_000, deadlineMs - 2_000) : random.int(5, 60);
    time.in(way, () => {
      this.flying.delete(flight);
      const back = random.int(5, 60);
      const deliver = (reply: Reply): void => void time.in(back, () => process.deliver(() => exchange.answer(reply)));
      const lose = (when: 'before' | 'after'): void =>
        void time.in(back, () => process.deliver(() => exchange.fail(new ConnectionLost(when))));
      if (fault === 'loseRequest') return lose('before');
      if (fault === 'locked') return deliver({ status: 423, body: { error: 'busy' } });
      if (fault === 'throttled')
        return deliver({ status: 429, body: { error: 'slow down' }, headers: { 'retry-after': String(random.int(1, 3)) } });
      if (fault === 'failing') return deliver({ status: random.pick([500, 502, 503]), body: { error: 'down' } });
      if (fault === 'dropWrite') return deliver({ status: 200, body: { name: '', entries: [] } });
      const reply = provider.answer(request);
      if (isWrite) this.#o.onChange(flight, reply.status);
      if (fault === 'loseAnswer') return lose('after');
      if (fault !== 'hang') deliver(reply);
    });
  }

  #faultOf(isWrite: boolean, isList: boolean): keyof Weather | null {
    let roll = this.#o.random.next() * 1000;
    for (const kind of kinds) {
      if (kind === 'dropWrite' && !isList) continue;
      if (kind === 'late' && !isWrite) continue;
      roll -= this.weather[kind];
      if (roll >= 0) continue;
      this.#o.onFault(kind);
      return kind;
    }
    return null;
  }
}

const kinds = ['loseAnswer', 'loseRequest', 'hang', 'locked', 'throttled', 'failing', 'dropWrite', 'late'] as const;

/** One process's connections. */
class Line extends Dispatcher {
  readonly #network: Network;
  readonly #process: Process;
  readonly #by: Author;

  constructor(network: Network, process: Process, by: Author) {
    super();
    this.#network = network;
    this.#process = process;
    this.#by = by;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const exchange = new Exchange(handler);
    handler.onRequestStart?.(exchange, null);
    if (exchange.aborted) return true;
    void textOf(options.body).then((body) => this.#network.send(this.#process, this.#by, options, body, exchange));
    return true;
  }
}
