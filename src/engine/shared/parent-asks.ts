import { canonicalJson } from '../../core/canonical.ts';
import { Failure } from '../../core/errors.ts';
import type { Answer, Http } from '../../http/types.ts';
import { noChoice } from '../../remote/choices.ts';
import type { Collection } from '../../remote/collection.ts';
import { isAsPlanned } from '../../remote/compare.ts';
import { isHidden } from '../../remote/hidden.ts';
import { entryOf, hasEntry, holdsNamesOnly, isTwice, otherKind, readParent } from '../../remote/parent.ts';
import type { Session } from '../session.ts';
import { type Ask, type Collections, isOpen } from './parent-ask.ts';
import { asAsked, isKeptForm } from './parent-kept.ts';

export function bySpec(asks: readonly Ask[]): Map<string, Ask[]> {
  return Map.groupBy(asks, ({ list }) => list);
}

/** Reads each collection as it is from now on. A collection that cannot be read fails the asks for it, and no others. */
export async function readAsks(asks: readonly Ask[], signal: AbortSignal): Promise<Map<string, Collection>> {
  const collections = new Map<string, Collection>();
  const once = new ReadOnce();
  for (const [key, all] of bySpec(asks)) {
    const [first] = all;
    if (!first) continue;
    try {
      collections.set(key, asAsked(await readParent(once.over(first.http), first.spec, { signal }), all));
    } catch (error) {
      for (const ask of all) ask.failure ??= error;
    }
  }
  return collections;
}

/** Ends the asks that must not be written to what was read. Returns those whose entry does not stand yet. */
export function toWrite(session: Session, asks: readonly Ask[], collections: Collections): readonly Ask[] {
  return asks.filter((ask) => {
    const collection = collections.get(ask.list);
    if (!collection) return false;
    ask.failure ??= refusalOf(session, ask, collection);
    if (!isOpen(ask) || stands(ask, collection)) return false;
    noteBefore(ask, collection);
    return true;
  });
}

function refusalOf(session: Session, ask: Ask, collection: Collection): unknown {
  const { spec, item } = ask;
  const misfit = ask.mode === 'remove' ? null : (otherKind(collection, spec) ?? noChoice(collection, spec, ask));
  if (misfit !== null) return misfit;
  if (isTwice(collection, spec, item)) {
    return new Failure('PARAM_INVALID', {
      detail: `Two entries are named ${item}; pilotfish cannot tell which one belongs to this scope, so both stay as they are.`,
      fix: 'Delete the other one, or give it another name.',
    });
  }
  if (!isForeignNow(ask, collection)) return null;
  // This machine may have slept, and a later run of this scope may have added the entry.
  session.gate.check();
  return new Failure('RESOURCE_FOREIGN', {
    detail: `${item} was added by somebody else between the look and the write.`,
    fix: 'Give the line another value, or remove the entry.',
  });
}

export function stands(ask: Ask, collection: Collection): boolean {
  const live = entryOf(collection, ask.item, ask.entry ?? undefined);
  // Some providers keep the name of a removed entry.
  if (ask.mode === 'remove') return live === undefined || (live === null && ask.writes > 0);
  if (live !== undefined && holdsNamesOnly(ask.spec)) return true;
  if (live !== undefined && isKeptForm(ask, live)) return true;
  if (ask.entry === null || !hasEntry(collection, ask.spec, ask.item, ask.entry)) return false;
  // Nobody can read the value, so the entry counts as standing once a write of this batch held it.
  if (isHidden(ask.spec, ask.entry)) return ask.writes > 0;
  return isAsPlanned(ask.entry, entryOf(collection, ask.item, ask.entry) ?? null);
}

/** Notes what stood there before the first write of the batch. */
export function noteBefore(ask: Ask, collection: Collection): void {
  if (ask.writes > 0) return;
  ask.before = new Set(collection.entries.map(({ name, spelling }) => spelling ?? name));
  ask.valueBefore = entryOf(collection, ask.item, ask.entry ?? undefined);
}

/** Whether the entry stands as it did before the first write of the batch. */
export function isAsBefore({ item, entry, valueBefore }: Ask, collection: Collection): boolean {
  const value = entryOf(collection, item, entry ?? undefined);
  return value === undefined || valueBefore === undefined ? value === valueBefore : canonicalJson(value) === canonicalJson(valueBefore);
}

/** Seconds by which reads of any of their parents may lag behind a write. */
export const longestLag = (asks: readonly Ask[]): number => Math.max(0, ...asks.map(({ lag }) => lag));

/** The same, only from the lags that are stated. */
export const longestSettle = (asks: readonly Ask[]): number => Math.max(0, ...asks.map(({ spec }) => spec.settle ?? 0));

/** Whether the entry is somebody else's: nothing stood there when the line looked, and no write of ours was sent since. */
const isForeignNow = (ask: Ask, collection: Collection): boolean =>
  ask.mode === 'create' && ask.isNew && ask.writes === 0 && entryOf(collection, ask.item) !== undefined;

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

/** Equal for lines that one request may serve: the same credential and the same headers at the same API. */
export const accessOf = ({ access, block }: Http): string => access ?? JSON.stringify(block);
