import { ConnectionLost } from 'pilotfish-sandbox/kit/reply';
import { Dispatcher } from 'undici';
import { Failure } from '../../src/core/errors.ts';
import type { Change, Store } from '../../src/ledger/stores/store.ts';
import { Exchange, headersOf, type Said, textOf } from '../crash/simulate/exchange.ts';
import type { Random } from '../crash/simulate/random.ts';
import type { Timeline } from '../crash/simulate/timeline.ts';
import { type Asked, answerOf } from './code-host.ts';
import type { Job } from './job.ts';
import type { Services } from './services.ts';

export interface NetworkOptions {
  readonly time: Timeline;
  readonly random: Random;
  readonly services: Services;
  /** The credential of the account. */
  readonly token: string;
  /** Of a thousand requests, as many lose their answer, as many meet a server that is down, and as many pushes lose their answer. */
  readonly faultsOfThousand: number;
  /** A job sends a request or a push. */
  readonly onEffect: (job: Job, what: string) => void;
  /** A write of a job arrived at a provider. */
  readonly onWrite: (job: Job) => void;
  readonly onWrong: (what: string) => void;
}

/** The way between the jobs and everything else. What was sent arrives, also when its sender is dead by then. */
export class Network {
  readonly #o: NetworkOptions;

  constructor(options: NetworkOptions) {
    this.#o = options;
  }

  dispatcherOf(job: Job): Dispatcher {
    return new Line((options, exchange) => this.#send(job, options, exchange));
  }

  async #send(job: Job, options: Dispatcher.DispatchOptions, exchange: Exchange): Promise<void> {
    const text = await textOf(options.body);
    if (job.isDead) return;
    const { time } = this.#o;
    const url = new URL(options.path, options.origin);
    const asked = {
      method: options.method,
      path: url.pathname,
      query: url.searchParams,
      body: text === null ? null : (JSON.parse(text) as unknown),
    };
    this.#o.onEffect(job, `${asked.method} ${url.host}${url.pathname}`);
    const isDown = this.#fails(job);
    const isLost = this.#fails(job);
    time.in(this.#way(), () => {
      const said = isDown ? down : this.#answer(job, url.host, asked, headersOf(options.headers));
      time.in(this.#way(), () => job.deliver(() => (isLost ? exchange.fail(new ConnectionLost('after')) : exchange.answer(said))));
    });
  }

  #answer(job: Job, host: string, asked: Asked, headers: ReadonlyMap<string, string>): Said {
    const { time, services, onWrong } = this.#o;
    if (host === 'workshop.example') {
      const said = services.provider.answer({ ...asked, headers: this.#signed(headers), by: job.facts.repository.shop.slug });
      if (asked.method !== 'GET') this.#o.onWrite(job);
      return said;
    }
    // A job asks here whether its token may push.
    if (host === 'github.com' && asked.path.endsWith('/info/refs')) return { status: 200, body: '' };
    const said = host === 'api.github.com' ? answerOf(job.facts.repository, asked, time.now) : null;
    if (said?.status === 403) job.faults += 1;
    if (said) return said;
    onWrong(`${job.name} sent ${asked.method} ${host}${asked.path}, which nobody answers`);
    return { status: 404, body: { message: 'Not Found' } };
  }

  /** The provider of these worlds knows one credential. */
  #signed(headers: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
    return headers.get('authorization') === `Bearer ${this.#o.token}`
      ? new Map([...headers, ['authorization', 'Bearer the-token-of-the-workshop']])
      : new Map();
  }

  /** The ledger of a repository, as one job sees it. */
  storeOf(job: Job, url: string): Store {
    const { time } = this.#o;
    const inner = job.facts.repository.ledger.open();
    const call = <T>(work: () => Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        if (job.isDead) return;
        time.in(this.#way(), () => {
          const back = this.#way();
          work().then(
            (value) => time.in(back, () => job.deliver(() => resolve(value))),
            (error: unknown) => time.in(back, () => job.deliver(() => reject(error))),
          );
        });
      });
    const { readAt, history, recall, message } = inner;
    return {
      ...inner,
      kind: 'git-branch',
      location: url,
      read: (branch) => call(() => inner.read(branch)),
      append: (branch: string, change: Change, expect, text, base) => {
        this.#o.onEffect(job, `push ${branch}`);
        const isLost = this.#fails(job);
        return call(async () => {
          const head = await inner.append(branch, change, expect, text, base);
          if (isLost)
            throw new Failure('LEDGER_REFUSED', { detail: 'The host could not be reached, and nobody knows whether the push landed.' });
          return head;
        });
      },
      readAt: (branch, head) => call(() => readAt(branch, head)),
      ...(history && { history: (branch, most) => call(() => history(branch, most)) }),
      ...(recall && { recall: (commit) => call(() => recall(commit)) }),
      ...(message && { message: (commit) => call(() => message(commit)) }),
      remove: (branch, expect) => {
        this.#o.onEffect(job, `remove ${branch}`);
        return call(() => inner.remove(branch, expect));
      },
      list: (prefix) => call(() => inner.list(prefix)),
      head: (branch) => call(() => inner.head(branch)),
    };
  }

  #fails(job: Job): boolean {
    const isBad = this.#o.random.chance(this.#o.faultsOfThousand / 1_000);
    if (isBad) job.faults += 1;
    return isBad;
  }

  #way(): number {
    return this.#o.random.int(200, 3_500);
  }
}

const down: Said = { status: 503, body: { message: 'Service Unavailable' } };

/** One job's connections. */
class Line extends Dispatcher {
  readonly #send: (options: Dispatcher.DispatchOptions, exchange: Exchange) => Promise<void>;

  constructor(send: (options: Dispatcher.DispatchOptions, exchange: Exchange) => Promise<void>) {
    super();
    this.#send = send;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const exchange = new Exchange(handler);
    handler.onRequestStart?.(exchange, null);
    if (!exchange.aborted) void this.#send(options, exchange);
    return true;
  }

  // A client ends its connections with its run.
  override async destroy(): Promise<void> {}
  override async close(): Promise<void> {}
}
