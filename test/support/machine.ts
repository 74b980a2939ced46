import { ConnectionLost, mount, type Simulation } from 'pilotfish-sandbox/kit/index';
import type { Clock } from '../../src/core/clock.ts';
import type { Store } from '../../src/ledger/stores/store.ts';

/** Where a request stands: still here, on the wire, or answered and the answer not yet read. */
export type Phase = 'before' | 'sent' | 'after';

interface Trip {
  readonly matches: (request: Request) => boolean;
  readonly ms: number;
  readonly isCut: boolean;
  left: number;
}

/**
 * One computer among several that share providers, ledger and time. It can be frozen and thawed, or killed; its two clocks can
 * go wrong; what it sends can be slow. What has left it arrives, whatever becomes of the sender: nothing takes a request back.
 */
export class Machine implements Clock {
  /** Writes that left this computer, oldest first. */
  readonly sent: { readonly method: string; readonly path: string; readonly at: number }[] = [];
  readonly #time: Clock;
  readonly #simulations: readonly Simulation[];
  #thawed: PromiseWithResolvers<void> | null = null;
  readonly #stopped = Promise.withResolvers<void>();
  #monoStopsAt: number | null = null;
  #monoLost = 0;
  #wallAhead = 0;
  #watchers: { readonly phase: Phase; readonly matches: (request: Request) => boolean; readonly act: () => void | Promise<void> }[] = [];
  #trips: Trip[] = [];

  constructor(time: Clock, simulations: readonly Simulation[]) {
    this.#time = time;
    this.#simulations = simulations;
  }

  now(): number {
    return this.#time.now() + this.#wallAhead;
  }

  mono(): number {
    return (this.#monoStopsAt ?? this.#time.mono()) - this.#monoLost;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const until = this.mono() + ms;
    return this.through(async () => {
      do {
        await this.#time.sleep(Math.max(0, until - this.mono()), signal);
        await this.#awake();
        // Sums of fractions: what is left may be too little to add.
      } while (until - this.mono() > 0.001);
    });
  }

  /** Nothing goes on here until `thaw`. `monoStops`: as on a laptop whose lid is closed, the monotonic clock stands still too. */
  freeze(o: { readonly monoStops?: boolean } = {}): void {
    this.#thawed ??= Promise.withResolvers();
    this.#stopped.resolve();
    if (o.monoStops) this.#monoStopsAt = this.#time.mono();
  }

  thaw(): void {
    if (this.#monoStopsAt !== null) this.#monoLost += this.#time.mono() - this.#monoStopsAt;
    this.#monoStopsAt = null;
    this.#thawed?.resolve();
    this.#thawed = null;
  }

  /** Resolves when it was frozen or killed for the first time. */
  get stopped(): Promise<void> {
    return this.#stopped.promise;
  }

  /** Frozen for good: what `kill -9` leaves. */
  kill(): void {
    this.freeze();
  }

  /** Somebody sets the wall clock. */
  setWall(byMs: number): void {
    this.#wallAhead += byMs;
  }

  /** Acts at the next request that matches, once. */
  at(phase: Phase, method: string, path: RegExp, act: () => void | Promise<void>): void {
    const watcher = {
      phase,
      matches: matcher({ method, path }),
      act: () => {
        this.#watchers = this.#watchers.filter((one) => one !== watcher);
        return act();
      },
    };
    this.#watchers.push(watcher);
  }

  /** The next requests that match reach their provider `ms` later. `cut`: the sender sees its connection break at once. */
  slow(
    match: { readonly method?: string; readonly path?: RegExp },
    ms: number,
    o: { readonly cut?: boolean; readonly times?: number } = {},
  ): void {
    this.#trips.push({ matches: matcher(match), ms, isCut: o.cut ?? false, left: o.times ?? 1 });
  }

  /** The network as this computer has it. */
  dispatcher() {
    return mount(
      this.#simulations.map((simulation) => ({ ...simulation, handle: (request: Request) => this.#carry(simulation, request) })),
    );
  }

  /** The ledger as this computer reaches it. */
  store(remote: Store): Store {
    return {
      ...remote,
      read: (branch) => this.through(() => remote.read(branch)),
      append: (...given) => this.through(() => remote.append(...given)),
      list: (prefix) => this.through(() => remote.list(prefix)),
      head: (branch) => this.through(() => remote.head(branch)),
    };
  }

  /** Work outside: begun by a computer that runs, and its end is seen by one that runs. */
  async through<T>(work: () => Promise<T>): Promise<T> {
    await this.#awake();
    try {
      return await work();
    } finally {
      await this.#awake();
    }
  }

  async #awake(): Promise<void> {
    while (this.#thawed) await this.#thawed.promise;
  }

  async #carry(simulation: Simulation, request: Request): Promise<Response> {
    await this.#tell('before', request);
    const { pathname: path } = new URL(request.url);
    // Without the sender's signal: giving up on an answer does not stop what was sent.
    const text = await request.text();
    const { method, headers } = request;
    const letter = new Request(request.url, { method, headers, ...(text !== '' && { body: text }) });
    if (!['GET', 'HEAD'].includes(method)) this.sent.push({ method, path, at: this.#time.mono() });
    const trip = this.#trips.find((one) => one.left > 0 && one.matches(request));
    if (trip) trip.left -= 1;
    await this.#tell('sent', request, { mayFreeze: false });
    const arrival = async (): Promise<Response> => {
      if (trip) await this.#time.sleep(trip.ms);
      return await simulation.handle(letter);
    };
    if (trip?.isCut) {
      void arrival().catch(() => undefined);
      throw new ConnectionLost('after');
    }
    const answer = await arrival();
    await this.#tell('after', request);
    return answer;
  }

  async #tell(phase: Phase, request: Request, o = { mayFreeze: true }): Promise<void> {
    for (const watcher of this.#watchers.filter((one) => one.phase === phase && one.matches(request))) await watcher.act();
    if (o.mayFreeze) await this.#awake();
  }
}

const matcher =
  ({ method, path }: { readonly method?: string; readonly path?: RegExp }) =>
  (request: Request): boolean =>
    (method === undefined || method === request.method) && (path === undefined || path.test(new URL(request.url).pathname));
