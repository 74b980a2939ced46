import { AsyncLocalStorage } from 'node:async_hooks';
import { mount } from 'pilotfish-sandbox/kit/index';
import type { Simulation } from 'pilotfish-sandbox/kit/types';
import type { Dispatcher } from 'undici';
import type { Clock } from '../../src/core/clock.ts';
import { Failure } from '../../src/core/errors.ts';
import type { Store } from '../../src/ledger/stores/store.ts';
import type { MemoryRemote } from '../support/memory-store.ts';

/** An effect of a run on somebody else, seen from one side: a request to a provider, or a commit of the ledger or of a lock. */
export interface Moment {
  readonly phase: 'before' | 'after';
  readonly effect: string;
  /** Counts moments of this phase and effect, from 1. */
  readonly nth: number;
  /** It changes something: only then is there an "after", and something that may still land. */
  readonly isWrite: boolean;
  readonly where: 'provider' | 'ledger';
}

/**
 * How a process ends there. `lost`: killed, and what it was sending never arrives. `late`: killed, and all that it had sent arrives
 * as late as a request may. `stood`: killed when the effect stood and was not answered. `stopped`: told to stop while its write is
 * under way, which arrives as late as a request may, when the process has long ended in good order.
 */
export type Fate = 'lost' | 'late' | 'stood' | 'stopped';

export interface Cut extends Moment {
  readonly fate: Fate;
}

/** Every way to die at a moment. */
export function cutsAt(moment: Moment): readonly Cut[] {
  if (moment.phase === 'after') return moment.isWrite ? [{ ...moment, fate: 'stood' }] : [];
  const fates: readonly Fate[] = moment.isWrite ? ['lost', 'late', 'stopped'] : ['lost', 'stopped'];
  return fates.map((fate) => ({ ...moment, fate }));
}

export function describeCut({ phase, effect, nth, fate, isWrite, where }: Cut): string {
  const moment = `${phase} ${effect} (${nth})`;
  if (fate === 'stopped') return `told to stop ${moment}${isWrite && where === 'provider' ? ', which lands late' : ''}`;
  return `killed ${moment}${{ lost: isWrite ? ', which is lost' : '', late: ', which lands late', stood: '' }[fate]}`;
}

interface Sending {
  readonly by: Process;
  /** A process that was killed has sent this before. */
  readonly isSentAlive: boolean;
}

const sending = new AsyncLocalStorage<Sending>();

const forever = <T>(): Promise<T> => new Promise(() => undefined);

/**
 * One run as the rest of the world sees it. It has a clock, a way to the providers and a way to the ledger of its own; when it is
 * killed, all of them stand still for it, for ever: nothing that is left of it in memory can do or learn anything.
 */
export class Process {
  readonly moments: Moment[] = [];
  readonly clock: Clock;
  readonly dispatcher: Dispatcher;
  readonly store: Store;
  /** Resolves when it is killed. */
  readonly death: Promise<void>;
  readonly #clock: Clock;
  readonly #cut: Cut | null;
  readonly #latenessMs: number;
  readonly #stop = new AbortController();
  #die: () => void = () => undefined;
  #isDead = false;
  #isCut = false;
  #counts = new Map<string, number>();

  constructor(
    world: {
      readonly clock: Clock;
      readonly simulations: readonly Simulation[];
      readonly remote: MemoryRemote;
      readonly latenessMs: number;
    },
    cut: Cut | null = null,
  ) {
    this.#clock = world.clock;
    this.#cut = cut;
    this.#latenessMs = world.latenessMs;
    this.death = new Promise((resolve) => {
      this.#die = resolve;
    });
    this.clock = {
      now: () => world.clock.now(),
      mono: () => world.clock.mono(),
      sleep: async (ms, signal) => {
        await world.clock.sleep(ms, signal);
        if (this.#isDead) await forever();
      },
    };
    this.dispatcher = mount(
      world.simulations.map((one) => ({
        ...one,
        handle: (request) => sending.run({ by: this, isSentAlive: !this.#isDead }, () => one.handle(request)),
      })),
    );
    this.store = this.#storeOver(world.remote.open());
  }

  /** The cut came. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** SIGTERM, as the run sees it. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Called at each door. Returns when what was sent has its effect now, or its answer arrives; never, when it does not. */
  async pass(moment: Omit<Moment, 'nth'>, isSentAlive: boolean): Promise<void> {
    if (this.#isDead) {
      if (moment.phase === 'after' || !isSentAlive || this.#cut?.fate !== 'late') await forever();
      await this.#clock.sleep(this.#latenessMs);
      return;
    }
    const key = `${moment.phase} ${moment.effect}`;
    const nth = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, nth);
    this.moments.push({ ...moment, nth });
    const cut = this.#cut;
    if (this.#isCut || cut?.phase !== moment.phase || cut.effect !== moment.effect || cut.nth !== nth) return;
    this.#isCut = true;
    if (cut.fate === 'stopped') {
      this.#stop.abort(new Failure('INTERRUPTED', { detail: 'SIGTERM stopped the run before it was done.' }));
      if (moment.isWrite && moment.where === 'provider') await this.#clock.sleep(this.#latenessMs);
      return;
    }
    this.#isDead = true;
    this.#die();
    if (cut.fate !== 'late') await forever();
    await this.#clock.sleep(this.#latenessMs);
  }

  #storeOver(store: Store): Store {
    const whileAlive = async <T>(work: () => Promise<T>): Promise<T> => {
      if (this.#isDead) await forever();
      const result = await work();
      return this.#isDead ? forever<T>() : result;
    };
    return {
      ...store,
      read: (branch) => whileAlive(() => store.read(branch)),
      list: (prefix) => whileAlive(() => store.list(prefix)),
      head: (branch) => whileAlive(() => store.head(branch)),
      append: async (branch, change, expect, message) => {
        if (this.#isDead) await forever();
        const effect = branch.includes('lock') ? 'a commit of the lock' : 'a commit of the ledger';
        const moment = { effect, isWrite: true, where: 'ledger' } as const;
        await this.pass({ ...moment, phase: 'before' }, true);
        const head = await whileAlive(() => this.#append(store, [branch, change, expect, message]));
        await this.pass({ ...moment, phase: 'after' }, true);
        return head;
      },
    };
  }

  /** A push that lands late finds the branch as it is then; nobody hears what became of it. */
  async #append(store: Store, given: Parameters<Store['append']>): Promise<string> {
    try {
      return await store.append(...given);
    } catch (error) {
      if (this.#isDead) return await forever();
      throw error;
    }
  }
}

/** Makes every request pass the doors of the process that sent it. */
export function guardDoors(simulations: readonly Simulation[]): void {
  for (const simulation of simulations) {
    simulation.watch(async ({ phase, method, path, write }) => {
      const sent = sending.getStore();
      const effect = `${method} ${path.replace(/\/[^/]*\d[^/]*(?=\/|$)/g, '/…')}`;
      await sent?.by.pass({ phase, effect, isWrite: write, where: 'provider' }, sent.isSentAlive);
    });
  }
}
