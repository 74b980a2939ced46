import { createActor, fromPromise } from 'xstate';
import { canonicalJson } from '../../core/canonical.ts';
import { Failure } from '../../core/errors.ts';
import { lookUntil, patience } from '../../core/look-until.ts';
import type { Body } from '../../http/types.ts';
import type { HeldLock } from '../../ledger/locks/lock.ts';
import { acquireSharedLock } from '../../ledger/locks/lock-place.ts';
import { parentMachine } from '../../machines/parent/parent.machine.ts';
import { watch } from '../../machines/watch.ts';
import type { Collection } from '../../remote/collection.ts';
import { entryOf } from '../../remote/parent.ts';
import type { Value } from '../../remote/value.ts';
import { enterTurn } from '../schedule/turns.ts';
import type { Session } from '../session.ts';
import { Unanswered } from '../unanswered.ts';
import { type Ask, isOpen, type Learned, type LineEntry, type Mode, type Standing } from './parent-ask.ts';
import { accessOf, bySpec, isAsBefore, longestLag, longestSettle, readAsks, stands, toWrite } from './parent-asks.ts';
import { dropped, hasOthers } from './parent-dropped.ts';
import { asAsked, recognise, standingOf } from './parent-kept.ts';
import { ParentWrites } from './parent-write.ts';

/** The parent actors of a run: one for each shared parent object, whatever its lines write with. */
export class Parents {
  readonly #session: Session;
  readonly #parents = new Map<string, Parent>();

  constructor(session: Session) {
    this.#session = session;
  }

  /** Resolves when the line's item stands as wanted (or is gone), seen in a read that began after the write: with how it stands. */
  ask({ reach, lock, ...of }: LineEntry, entry: Value | null, mode: Mode): Promise<Standing> {
    if (!lock) throw new Failure('INTERNAL', { detail: `${of.id} is no item of a parent.` });
    const parent = this.#parents.get(lock) ?? new Parent(this.#session, lock);
    this.#parents.set(lock, parent);
    const { parent: spec, item } = reach;
    return parent.ask({ ...of, access: accessOf(of.http), spec, list: JSON.stringify(spec), item, entry: entry as Body | null, mode });
  }
}

/**
 * Reads once under the lock, writes all items at once, verifies, answers. A batch has one credential, whose rights and answers hold for no
 * other lines. Lines of another credential are the next batch, and begin with a read of their own.
 */
class Parent {
  readonly #session: Session;
  readonly #lockName: string;
  readonly #actor;
  #asks: Ask[] = [];
  #batch: Ask[] = [];
  #lock: HeldLock | null = null;
  /** Writes under this lock. */
  readonly #unanswered: Unanswered;
  #leave: () => void = () => undefined;
  #collections = new Map<string, Collection>();
  /** The texts that were read before the last write, by `Ask.list`. */
  #unwritten: ReadonlyMap<string, string> = new Map();
  /** When the first write of the batch was answered. */
  #writtenAt: number | null = null;

  constructor(session: Session, lockName: string) {
    this.#session = session;
    this.#lockName = lockName;
    this.#unanswered = new Unanswered(session.clock, session.terms.deadlineMs);
    this.#actor = createActor(
      parentMachine.provide({
        actors: {
          gather: fromPromise(() => this.#gather()),
          lock: fromPromise(() => this.#guard(() => this.#takeLock())),
          read: fromPromise(() => this.#guard(() => this.#read())),
          write: fromPromise(() => this.#guard(() => this.#write())),
          verify: fromPromise(() => this.#guard(() => this.#verify())),
          unlock: fromPromise(() => this.#guard(() => this.#unlock())),
          answer: fromPromise(() => Promise.resolve(this.#answer())),
        },
      }),
      {
        id: `parent:${lockName}`,
        input: { parent: lockName },
        inspect: watch({ machine: 'parent', actor: lockName, initial: '' }, (transition) =>
          session.tell({ type: 'machine', ...transition, at: session.clock.now() }),
        ),
      },
    );
    this.#actor.subscribe({ error: (error: unknown) => this.#failAll(error) });
    this.#actor.start();
  }

  ask(ask: Omit<Ask, 'resolve' | 'reject' | 'failure' | 'writes' | 'outdated' | Exclude<keyof Learned, 'kept'>>): Promise<Standing> {
    const nothing = { before: new Set<string>(), valueBefore: undefined, answered: null, answeredValue: undefined };
    const done = new Promise<Standing>((resolve, reject) =>
      this.#asks.push({ ...ask, ...nothing, failure: null, writes: 0, outdated: null, resolve, reject }),
    );
    this.#actor.send({ type: 'parent.ask' });
    return done;
  }

  /** Waits one turn, so that items whose intents became durable together come in one batch. */
  async #gather(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    const access = this.#asks[0]?.access;
    this.#batch = this.#asks.filter((ask) => ask.access === access);
    this.#asks = this.#asks.filter((ask) => ask.access !== access);
    this.#collections = new Map();
    this.#writtenAt = null;
  }

  async #takeLock(): Promise<void> {
    this.#leave = await enterTurn(this.#session, this.#lockName);
    try {
      this.#lock = await this.#sharedLock();
    } catch (error) {
      this.#leave();
      // Asks that came later would wait as long for the same lock, so they fail with it.
      for (const ask of this.#asks.splice(0)) ask.reject(error);
      throw error;
    }
  }

  #sharedLock(): Promise<HeldLock> {
    const session = this.#session;
    // Until the write shows, nobody else must build on what the provider shows.
    const durationMs = session.terms.durationMs + longestSettle(this.#batch) * 1_000;
    return acquireSharedLock({
      store: session.lockStore,
      name: this.#lockName,
      clock: session.clock,
      terms: { ...session.terms, durationMs },
      timeoutMs: session.leaseTimeoutMs,
      signal: this.#batch[0]?.stopping ?? session.stopping,
      outlived: (run) => session.writer.late.leftOf(run),
      onWait: (detail) =>
        session.tell({
          type: 'wait',
          line: this.#batch[0]?.id ?? '',
          detail: `${detail} (${this.#lockName})`,
          at: session.clock.now(),
        }),
    });
  }

  async #read(): Promise<{ mustWrite: boolean }> {
    // A line that removes or changes an entry knows that the entry stands.
    const known = this.#batch.filter((ask) => isOpen(ask) && ask.mode !== 'create' && ask.writes === 0);
    await this.#lookUntil(
      longestLag(known),
      () => known.every((ask) => ask.failure !== null || this.#shows(ask)),
      () => this.#look(),
    );
    this.#unwritten = texts(this.#collections);
    return { mustWrite: toWrite(this.#session, this.#batch, this.#collections).length > 0 };
  }

  async #write(): Promise<void> {
    const unanswered = this.#unanswered;
    const writes = new ParentWrites(this.#session, { check: () => this.#lock?.check(), sent: () => unanswered.sent() });
    await writes.write(this.#batch.filter(isOpen), this.#collections);
    this.#writtenAt ??= this.#session.clock.mono();
  }

  /** A read that shows an entry as before its write may be older than the write, until the lag is over. */
  async #verify(): Promise<{ dropped: number }> {
    await this.#lookUntil(
      Math.max(longestLag(this.#batch), patience),
      () => !this.#isLate(),
      async () => {
        await this.#look();
        if (this.#hasMoved()) this.#recognise();
      },
    );
    this.#recognise();
    return { dropped: this.#batch.filter((ask) => isOpen(ask) && !this.#isThere(ask)).length };
  }

  /** Without a stated lag, a read in which anything else has changed shows the parent as it is now. */
  #isLate(): boolean {
    const isOld = !this.#hasMoved();
    return this.#batch.some((ask) => {
      const collection = this.#collections.get(ask.list);
      const isAwaited = isOpen(ask) && ask.writes > 0 && collection !== undefined && !this.#isThere(ask);
      return isAwaited && (isOld || ask.spec.settle !== undefined) && isAsBefore(ask, collection);
    });
  }

  #hasMoved(): boolean {
    return [...texts(this.#collections)].some(([list, text]) => this.#unwritten.get(list) !== text);
  }

  #recognise(): void {
    for (const [list, asks] of bySpec(this.#batch.filter(isOpen))) {
      const collection = this.#collections.get(list);
      if (!collection) continue;
      recognise(asks, collection);
      this.#collections.set(list, asAsked(collection, asks));
    }
  }

  /** Looks for as long as reads may lag behind the first write of the batch. The lock must last for the writes that may follow. */
  #lookUntil<T>(lag: number, isEnough: () => boolean, look: () => Promise<T>): Promise<T> {
    const { clock, ending: signal, terms } = this.#session;
    const since = this.#writtenAt === null ? 0 : (clock.mono() - this.#writtenAt) / 1_000;
    const most = longestSettle(this.#batch) + (terms.durationMs - terms.deadlineMs) / 4_000;
    return lookUntil({ clock, seconds: Math.min(lag - since, most), signal, isEnough }, look);
  }

  #shows(ask: Ask): boolean {
    const collection = this.#collections.get(ask.list);
    return collection !== undefined && entryOf(collection, ask.item) !== undefined;
  }

  async #look(): Promise<void> {
    this.#collections = await readAsks(this.#batch.filter(isOpen), this.#session.ending);
  }

  #isThere(ask: Ask): boolean {
    const collection = this.#collections.get(ask.list);
    return collection !== undefined && stands(ask, collection);
  }

  /** Releases the lock, and tells the next holder how long an unanswered write under it may still land. */
  async #unlock(): Promise<void> {
    const quietFor = Math.max(0, this.#unanswered.until - this.#session.clock.mono());
    const lock = this.#lock;
    this.#lock = null;
    try {
      await lock?.release(quietFor);
    } finally {
      this.#leave();
    }
  }

  #answer(): { more: boolean } {
    for (const ask of this.#batch) {
      if (ask.failure !== null) ask.reject(ask.failure);
      else if (this.#isThere(ask) || this.#isUnkept(ask)) ask.resolve(standingOf(ask, this.#collections.get(ask.list)));
      else if (ask.outdated !== null) ask.reject(ask.outdated);
      else {
        const seen = { collection: this.#collections.get(ask.list), batch: this.#batch };
        const failure = dropped(ask, seen);
        // The provider leaves the entry out in silence. The record says so, and no later run sends the entry again.
        if (ask.mode === 'remove' || hasOthers(ask, seen)) ask.reject(failure);
        else ask.resolve({ name: ask.item, value: undefined, isUnkept: true, dropped: failure });
      }
    }
    this.#batch = [];
    return { more: this.#asks.length > 0 };
  }

  /** The entry stands, but not as it was sent. Its line says so once the entry is recorded. */
  #isUnkept(ask: Ask): boolean {
    const collection = this.#collections.get(ask.list);
    return (
      ask.writes > 0 &&
      ask.mode !== 'remove' &&
      ask.outdated === null &&
      collection !== undefined &&
      entryOf(collection, ask.item) !== undefined
    );
  }

  /** The real error goes to the lines. The machine sees only that there was one. */
  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      for (const ask of this.#batch) ask.failure ??= error;
      throw new Error('the batch failed');
    }
  }

  #failAll(error: unknown): void {
    for (const ask of [...this.#batch, ...this.#asks]) ask.reject(error);
  }
}

/** Each collection as it was read, as text, without its surroundings: a provider may show those in another way each time. */
const texts = (collections: ReadonlyMap<string, Collection>): ReadonlyMap<string, string> =>
  new Map(
    [...collections].map(([list, { entries }]) => [
      list,
      canonicalJson(entries.map(({ name, spelling, value }) => [spelling ?? name, value])),
    ]),
  );
