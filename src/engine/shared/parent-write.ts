import { HttpFailure } from '../../http/failure.ts';
import type { Body, Http, HttpFailureFacts, WriteWatch } from '../../http/types.ts';
import type { Collection } from '../../remote/collection.ts';
import { merged } from '../../remote/compare.ts';
import { applyEntries, entryOf, isOutdated, writeParent } from '../../remote/parent.ts';
import type { ParentSpec } from '../../remote/parent-spec.ts';
import { namesIn } from '../../remote/spelled-entries.ts';
import type { Session } from '../session.ts';
import type { Ask, Collections } from './parent-ask.ts';
import { bySpec, readAsks, toWrite } from './parent-asks.ts';
import { isRefusal, mostRefused, partsOf, untried } from './parent-parts.ts';

interface Write {
  readonly spec: ParentSpec;
  readonly http: Http;
  body: Body | null;
  /** The version of the parent as read, where the write names it. */
  readonly version: string | number | undefined;
  readonly asks: Ask[];
}

/** The writes of one batch between two looks at the parent, under its lock. */
export class ParentWrites {
  readonly #session: Session;
  readonly #lock: WriteWatch;
  /** Asks whose entry stands as wanted: the look found it so, or the provider took it. */
  readonly #done = new Set<Ask>();
  #accepted = 0;

  constructor(session: Session, lock: WriteWatch) {
    this.#session = session;
    this.#lock = lock;
  }

  /**
   * Writes all entries that do not stand yet at once. It tries a refused write again in parts, each after a fresh read: the provider takes
   * the good ones, and each of the others has a refusal of its own. Throws if nothing stands, or if nobody knows what does.
   */
  async write(asks: readonly Ask[], collections: Collections): Promise<void> {
    const wanted = toWrite(this.#session, asks, collections);
    this.#noteDone(asks, wanted);
    try {
      for (const write of writesOf(wanted, collections)) await this.#put(write);
    } catch (error) {
      // A write that is still under way may undo the entries that landed.
      if ((error instanceof HttpFailure && error.unanswered) || this.#done.size === 0) throw error;
      for (const ask of asks) if (!this.#done.has(ask)) ask.failure ??= error;
    }
    if (asks.every(({ failure }) => failure !== null)) throw asks[0]?.failure;
  }

  async #put(write: Write): Promise<void> {
    const refusal = await this.#send(write);
    if (refusal) await this.#putParts(write.asks, refusal);
  }

  /**
   * Tries halves, so that a few requests find one bad entry among thousands. A removal comes first: it makes room, and a refused addition
   * must not keep it back.
   */
  async #putParts(asks: readonly Ask[], refusal: HttpFailure): Promise<void> {
    const parts = partsOf(asks, refusal);
    let last = refusal;
    let refused = 1;
    const before = this.#accepted;
    for (let part = parts.shift(); part; part = parts.shift()) {
      if (refused >= mostRefused(asks.length, this.#accepted > before)) {
        for (const ask of [part, ...parts].flat()) ask.failure ??= untried(last, { refused, isAll: this.#accepted === before });
        break;
      }
      for (const write of await this.#freshWrites(part)) {
        const again = await this.#send(write);
        if (!again) continue;
        last = again;
        refused += 1;
        parts.unshift(...partsOf(write.asks, again));
      }
    }
    if (this.#accepted > before) await this.#removeAgain(asks);
  }

  /** Some lists must not be empty. So an entry that could not be removed alone may go once another one stands. */
  async #removeAgain(asks: readonly Ask[]): Promise<void> {
    const kept = asks.filter(({ mode, failure }) => mode === 'remove' && isRefusal(failure));
    if (kept.length === 0) return;
    const failures = new Map(kept.map((ask) => [ask, ask.failure]));
    for (const ask of kept) ask.failure = null;
    for (const write of await this.#freshWrites(kept)) {
      if (await this.#send(write)) for (const ask of write.asks) ask.failure = failures.get(ask);
    }
  }

  /** The writes for entries that still do not stand, made from the parent as it is now. */
  async #freshWrites(asks: readonly Ask[]): Promise<Write[]> {
    const collections = await readAsks(asks, this.#session.ending);
    const wanted = toWrite(this.#session, asks, collections);
    this.#noteDone(asks, wanted);
    return writesOf(wanted, collections);
  }

  #noteDone(asks: readonly Ask[], wanted: readonly Ask[]): void {
    const open = new Set(wanted);
    for (const ask of asks) if (ask.failure === null && !open.has(ask)) this.#done.add(ask);
  }

  /** Returns the refusal of a write that did nothing because a part of it may be wrong; `null` otherwise. */
  async #send({ spec, http, body, version, asks }: Write): Promise<HttpFailure | null> {
    let isSent = false;
    let isLost = false;
    let answer: Collection | null = null;
    const onFailure = ({ unanswered }: HttpFailureFacts): void => {
      isSent = true;
      isLost ||= unanswered;
    };
    try {
      answer = await writeParent(http, spec, body, { signal: this.#session.ending, lock: this.#lock, onFailure, version });
    } catch (error) {
      // A repeat that was kept back says nothing about the send before it.
      const mayStand = isLost || (isSent && !(error instanceof HttpFailure));
      if (mayStand) for (const ask of asks) ask.attempt.mayStand = true;
      if (isOutdated(spec, error)) {
        // The next read sees what somebody else wrote, and the items that do not stand in it are written again.
        for (const ask of asks) ask.outdated = error;
        return null;
      }
      if (!isRefusal(error)) throw error;
      return error;
    }
    this.#accepted += 1;
    for (const ask of asks) {
      // Two lists that share a write are not both in its answer.
      if (answer && ask.spec === spec) {
        ask.answered = namesIn(answer);
        ask.answeredValue = entryOf(answer, ask.kept ?? ask.item, ask.entry ?? undefined);
      }
      ask.writes += 1;
      ask.outdated = null;
      ask.attempt.mayStand = true;
      this.#done.add(ask);
    }
    return null;
  }
}

/** Lists of one parent that go back beside each other share one write. */
function writesOf(asks: readonly Ask[], collections: Collections): Write[] {
  const writes: Write[] = [];
  for (const [key, all] of bySpec(asks)) {
    const [first] = all;
    const collection = collections.get(key);
    if (!first || !collection) continue;
    const changes = all.map(({ item, entry }) => ({ item, entry }));
    const { body, changed } = applyEntries(collection, first.spec, changes);
    if (!changed) continue;
    const mate = writes.find((write) => mayShare(write.spec, first.spec) && isMergeable(write.body) && isMergeable(body));
    if (mate) {
      mate.body = merged(mate.body, body);
      mate.asks.push(...all);
    } else writes.push({ spec: first.spec, http: first.http, body, version: collection.version, asks: [...all] });
  }
  return writes;
}

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
