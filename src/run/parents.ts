import { createActor, fromPromise } from 'xstate';
import { noChoice } from '../adapters/http/choices.ts';
import { isAsPlanned, merged } from '../adapters/http/compare.ts';
import { isHidden } from '../adapters/http/hidden.ts';
import { applyEntries, type Collection, entryOf, hasEntry, isOutdated, isTwice, readParent, writeParent } from '../adapters/http/parent.ts';
import { otherKind } from '../adapters/http/parent-kind.ts';
import type { ParentSpec, Value } from '../adapters/op.ts';
import { Failure } from '../core/errors.ts';
import { HttpFailure } from '../http/failure.ts';
import type { Answer, Body, Http, HttpFailureFacts } from '../http/types.ts';
import type { HeldLock } from '../ledger/lock.ts';
import { acquireSharedLock } from '../ledger/lock-place.ts';
import { parentMachine } from '../machines/parent/parent.machine.ts';
import { watch } from '../machines/watch.ts';
import type { Session } from './session.ts';
import type { LineWork } from './work.ts';

type Mode = 'create' | 'update' | 'remove';

interface Ask {
  readonly work: LineWork;
  readonly http: Http;
  readonly spec: ParentSpec;
  readonly item: string;
  readonly entry: Body | null;
  readonly mode: Mode;
  failure: unknown;
  /** A write of this batch held it: the item stands because of us. */
  written: boolean;
  /** The provider's refusal of a write that named an older version of the parent. */
  outdated: unknown;
  resolve(): void;
  reject(error: unknown): void;
}

interface Write {
  readonly spec: ParentSpec;
  readonly http: Http;
  body: Body | null;
  /** Of the parent as read, where the write names it. */
  readonly version: string | number | undefined;
  readonly asks: Ask[];
}

/** The parent actors of a run: one for each shared parent object and credential. */
export class Parents {
  readonly #session: Session;
  readonly #parents = new Map<string, Parent>();

  constructor(session: Session) {
    this.#session = session;
  }

  /** Resolves when the line's item stands as wanted (or is gone), seen in a read that began after the write. */
  ask(work: LineWork, entry: Value | null, mode: Mode): Promise<void> {
    const fact = work.record ?? work.intent;
    const reach = work.bound?.kind === 'item' ? work.bound.reach : fact?.reach;
    const lock = work.bound?.kind === 'item' ? work.bound.lockOn : fact?.lock;
    const { http } = work;
    if (!http || !reach || reach.kind !== 'item' || !lock) throw new Failure('INTERNAL', { detail: `${work.id} is no item of a parent.` });
    const own = work.prepared?.credential ? work.id : '';
    const name = `${lock}#${own}`;
    const parent = this.#parents.get(name) ?? new Parent(this.#session, lock);
    this.#parents.set(name, parent);
    return parent.ask({ work, http, spec: reach.parent, item: reach.item, entry: entry as Body | null, mode });
  }
}

/** Reads once under the lock, writes all items at once, verifies, answers. */
class Parent {
  readonly #session: Session;
  readonly #lockName: string;
  readonly #actor;
  #asks: Ask[] = [];
  #batch: Ask[] = [];
  #lock: HeldLock | null = null;
  #collections = new Map<string, Collection>();

  constructor(session: Session, lockName: string) {
    this.#session = session;
    this.#lockName = lockName;
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

  ask(ask: Omit<Ask, 'resolve' | 'reject' | 'failure' | 'written' | 'outdated'>): Promise<void> {
    const done = new Promise<void>((resolve, reject) =>
      this.#asks.push({ ...ask, failure: null, written: false, outdated: null, resolve, reject }),
    );
    this.#actor.send({ type: 'parent.ask' });
    return done;
  }

  /** One turn, so that items whose intents became durable together come in one batch. */
  async #gather(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#batch = this.#asks.splice(0);
    this.#collections = new Map();
  }

  async #takeLock(): Promise<void> {
    const session = this.#session;
    this.#lock = await acquireSharedLock({
      store: session.lockStore,
      name: this.#lockName,
      clock: session.clock,
      terms: session.terms,
      timeoutMs: session.leaseTimeoutMs,
      signal: this.#batch[0]?.work.stopping ?? session.stopping,
      outlived: (run) => session.writer.quiet.leftOf(run),
      onWait: (detail) =>
        session.tell({
          type: 'wait',
          line: this.#batch[0]?.work.id ?? '',
          detail: `${detail} (${this.#lockName})`,
          at: session.clock.now(),
        }),
    });
  }

  async #read(): Promise<{ mustWrite: boolean }> {
    let mustWrite = false;
    const once = new ReadOnce();
    for (const [key, asks] of this.#bySpec()) {
      const [first] = asks;
      if (!first) continue;
      const collection = await readParent(once.over(first.http), first.spec, { signal: this.#session.ending });
      this.#collections.set(key, collection);
      for (const ask of asks) {
        if (ask.mode !== 'remove') ask.failure ??= otherKind(collection, ask.spec) ?? noChoice(collection, ask.spec, ask);
        if (ask.failure !== null) continue;
        if (isTwice(collection, ask.spec, ask.item)) {
          ask.failure = new Failure('PARAM_INVALID', {
            detail: `Two entries are named ${ask.item}; pilotfish cannot tell which one belongs to this scope, so both stay as they are.`,
            fix: 'Delete the other one, or give it another name.',
          });
        } else if (isForeignNow(ask, collection)) {
          // A machine that slept: a later run of this scope may have added it.
          this.#session.gate.check();
          ask.failure = new Failure('RESOURCE_FOREIGN', {
            detail: `${ask.item} was added by somebody else between the look and the write.`,
            fix: 'Give the line another value, or remove the entry.',
          });
        } else if (!stands(ask, collection)) mustWrite = true;
      }
    }
    return { mustWrite };
  }

  async #write(): Promise<void> {
    for (const { spec, http, body, version, asks } of this.#bodies()) {
      let isSent = false;
      let isLost = false;
      // A repeat may come long after the first send: the lock is asked each time.
      const mayWrite = (): void => this.#lock?.check();
      try {
        const onFailure = ({ unanswered }: HttpFailureFacts): void => {
          isSent = true;
          isLost ||= unanswered;
        };
        await writeParent(http, spec, body, { signal: this.#session.ending, mayWrite, onFailure, version });
      } catch (error) {
        // A repeat that was kept back says nothing about the send before it.
        const mayStand = isLost || (isSent && !(error instanceof HttpFailure));
        if (mayStand) for (const ask of asks) ask.work.mayStand = true;
        if (!isOutdated(spec, error)) throw error;
        // The next read sees what somebody else wrote, and the items that do not stand in it are written again.
        for (const ask of asks) ask.outdated = error;
        continue;
      }
      for (const ask of asks) {
        ask.written = true;
        ask.outdated = null;
        ask.work.mayStand = true;
      }
    }
  }

  /** Lists of one parent that go back beside each other share one write. */
  #bodies(): Write[] {
    const writes: Write[] = [];
    for (const [key, asks] of this.#bySpec()) {
      const [first] = asks;
      const collection = this.#collections.get(key);
      const open = asks.filter((ask) => ask.failure === null);
      if (!first || !collection || open.length === 0) continue;
      const { body, changed } = applyEntries(
        collection,
        first.spec,
        open.map(({ item, entry }) => ({ item, entry })),
      );
      if (!changed) continue;
      const mate = writes.find((write) => mayShare(write.spec, first.spec) && isMergeable(write.body) && isMergeable(body));
      if (mate) {
        mate.body = merged(mate.body, body);
        mate.asks.push(...open);
      } else writes.push({ spec: first.spec, http: first.http, body, version: collection.version, asks: [...open] });
    }
    return writes;
  }

  async #verify(): Promise<{ dropped: number }> {
    let dropped = 0;
    const once = new ReadOnce();
    for (const [key, asks] of this.#bySpec()) {
      const [first] = asks;
      if (!first) continue;
      const collection = await readParent(once.over(first.http), first.spec, { signal: this.#session.ending });
      this.#collections.set(key, collection);
      dropped += asks.filter((ask) => ask.failure === null && !stands(ask, collection)).length;
    }
    return { dropped };
  }

  /** Released only when no unanswered write under it can land any more, or with the time that the next holder must wait. */
  async #unlock(): Promise<void> {
    const quietFor = Math.max(0, this.#session.gate.unansweredUntil() - this.#session.clock.mono());
    const lock = this.#lock;
    this.#lock = null;
    await lock?.release(quietFor);
  }

  #answer(): { more: boolean } {
    for (const ask of this.#batch) {
      const collection = this.#collections.get(specKey(ask.spec));
      if (ask.failure !== null) ask.reject(ask.failure);
      else if (collection && stands(ask, collection)) ask.resolve();
      else if (ask.outdated !== null) ask.reject(ask.outdated);
      else {
        ask.reject(
          new Failure('PROVIDER_RESPONSE', {
            detail: `${ask.item} was written and is not as planned when read again: another writer or the provider dropped it, four times.`,
            fix: 'Run again when the other writer is done.',
          }),
        );
      }
    }
    this.#batch = [];
    return { more: this.#asks.length > 0 };
  }

  #bySpec(): Map<string, Ask[]> {
    const groups = new Map<string, Ask[]>();
    for (const ask of this.#batch) {
      const key = specKey(ask.spec);
      const group = groups.get(key);
      if (group) group.push(ask);
      else groups.set(key, [ask]);
    }
    return groups;
  }

  /** The real error goes to the lines; the machine sees that there was one. */
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

/** One step's reads: lists of one parent that are read by an equal request are read once. Nothing is shared between steps. */
class ReadOnce {
  readonly #answers = new Map<string, Promise<Answer>>();

  over(http: Http): Http {
    return {
      block: http.block,
      send: (request, options) => {
        const key = JSON.stringify(request);
        const known = this.#answers.get(key);
        if (known) return known;
        const answer = http.send(request, options);
        this.#answers.set(key, answer);
        return answer;
      },
    };
  }
}

const specKey = (spec: ParentSpec): string => JSON.stringify(spec);

/** The same object written in the same way: only the list differs, as with Auth0's four arrays of one application. */
const mayShare = (a: ParentSpec, b: ParentSpec): boolean =>
  a.path === b.path &&
  a.method === b.method &&
  a.method === 'PATCH' &&
  a.list_path !== b.list_path &&
  !a.choices &&
  JSON.stringify(aroundOf(a)) === JSON.stringify(aroundOf(b));

const aroundOf = ({ headers, query, encoding, body, version, graphql }: ParentSpec) => [headers, query, encoding, body, version, graphql];

const isMergeable = (body: Body | null): boolean => typeof body === 'object' && body !== null && !Array.isArray(body);

function stands(ask: Ask, collection: Collection): boolean {
  if (ask.mode === 'remove') return entryOf(collection, ask.item) === undefined;
  if (ask.entry === null || !hasEntry(collection, ask.spec, ask.item, ask.entry)) return false;
  // What it holds cannot be read: it stands because it was written.
  if (isHidden(ask.spec, ask.entry)) return ask.written;
  return isAsPlanned(ask.entry, entryOf(collection, ask.item, ask.entry) ?? null);
}

/** Nothing stood there when the line looked, and no write of ours was sent since: somebody else's. */
const isForeignNow = (ask: Ask, collection: Collection): boolean =>
  ask.mode === 'create' &&
  !ask.written &&
  ask.work.creates <= 1 &&
  ask.work.intent?.run !== undefined &&
  ask.work.made === null &&
  !ask.work.record &&
  entryOf(collection, ask.item) !== undefined;
