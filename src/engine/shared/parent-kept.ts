import { canonicalJson } from '../../core/canonical.ts';
import { Failure } from '../../core/errors.ts';
import { isMap, type Json, mapValues } from '../../core/json.ts';
import { getAt, joinPointer } from '../../core/pointer.ts';
import { Sealed } from '../../core/sealed.ts';
import type { Body } from '../../http/types.ts';
import type { Collection } from '../../remote/collection.ts';
import { isAsPlanned } from '../../remote/compare.ts';
import { isMask, isOtherForm, isWhole } from '../../remote/forms.ts';
import { entryOf, hasEntry } from '../../remote/parent.ts';
import { formsOf, namesIn, underPlanNames } from '../../remote/spelled-entries.ts';
import { isRespelt } from '../../remote/spelling.ts';
import { hasSealed } from '../../remote/value.ts';
import type { Ask, Standing } from './parent-ask.ts';

/** The collection with each ask's entry under its plan's name, as far as it is known how the provider spells it. */
export function asAsked(collection: Collection, asks: readonly Ask[]): Collection {
  const names = namesIn(collection);
  const kept = new Map<string, string>();
  for (const ask of asks) {
    if (ask.kept === null && ask.isAnyForm && !names.has(ask.item)) {
      const [form, ...more] = formsOf(names, ask.item);
      if (form !== undefined && more.length > 0) ask.failure ??= unclear(ask.item, [form, ...more]);
      else ask.kept = form ?? null;
    }
    if (ask.kept !== null && names.has(ask.kept)) kept.set(ask.kept, ask.item);
  }
  return underPlanNames(collection, kept);
}

/**
 * Recognises the entries of a write among those that appeared since. A new entry is ours when it is another form of the sent one, or when the
 * write's own answer has it and its name can be made of ours. Any other new entry is somebody else's, and ours was dropped.
 */
export function recognise(asks: readonly Ask[], after: Collection): void {
  const names = namesIn(after);
  const written = asks.filter((ask) => ask.writes > 0 && ask.mode !== 'remove' && ask.failure === null);
  const missing = written.filter((ask) => ask.kept === null && !names.has(ask.item));
  for (const ask of missing) {
    const isNew = (name: string): boolean => !ask.before.has(name) && !asks.some((other) => [other.item, other.kept].includes(name));
    const forms = formsOf(names, ask.item);
    const fresh = forms.filter(isNew);
    const answered = [...(ask.answered ?? [])].filter((name) => isRespelt(ask.item, name) && isNew(name) && names.has(name));
    const [one, ...more] = fresh.length > 0 ? fresh : answered;
    if (one !== undefined && more.length === 0) ask.kept = one;
    else if (one !== undefined) ask.failure = unclear(ask.item, [one, ...more]);
    else if (forms.length > 0) ask.failure = folded(ask.item, forms);
  }
}

/** Whether the entry's value, which is not as planned, is the form in which the provider keeps it. Only a write of this batch can tell. */
export function isKeptForm(ask: Ask, live: Json): boolean {
  if (ask.writes === 0 || ask.entry === null) return false;
  // The entry is there, and nobody can read it.
  if (live === null) return true;
  if (hasSealed(ask.entry)) return isShownForm(ask.entry, live, ask);
  const planned = revealed(ask.entry);
  if (isOtherForm(planned, live, { isLoose: true })) return true;
  return isAnswered(ask, live, []) && !isSame(ask.valueBefore, live) && isWhole(planned, live);
}

/** Whether the plain parts of an entry stand as sent or in another form, and each secret's place holds what that secret may be. */
function isShownForm(planned: Body, live: Json | undefined, ask: Ask, at: readonly string[] = []): boolean {
  if (planned instanceof Sealed) return isSecretForm(planned, live, ask, at);
  if (!isMap(planned) || !hasSealed(planned)) return isAsPlanned(planned, live) || isOtherForm(revealed(planned), live, { isLoose: true });
  if (!isMap(live)) return isOtherForm(revealed(planned), live, { isLoose: true });
  const there = live as { readonly [name: string]: Json };
  return Object.entries(planned as { readonly [name: string]: Body }).every(([name, member]) =>
    isShownForm(member, Object.hasOwn(there, name) ? there[name] : undefined, ask, [...at, name]),
  );
}

/** Whether a text may be the secret: nothing, a mask, or another text than before, in the write's answer or after a second write. */
function isSecretForm(planned: Sealed, live: Json | undefined, ask: Ask, at: readonly string[]): boolean {
  if (isMask(live) || live === undefined || live === null || live === '') return true;
  if (isOtherForm(planned.reveal(), live, { isLoose: true }) || ask.isShownOtherwise) return true;
  return !isSame(inside(ask.valueBefore, at), live) && (ask.writes > 1 || isAnswered(ask, live, at));
}

const isAnswered = ({ answeredValue }: Ask, live: Json, at: readonly string[]): boolean => isSame(inside(answeredValue, at), live);

const inside = (value: Json | undefined, at: readonly string[]): unknown =>
  value === undefined ? undefined : getAt(value, joinPointer(at));

const isSame = (one: unknown, other: Json): boolean => one !== undefined && canonicalJson(one) === canonicalJson(other);

/** The entry with its secrets, for a comparison in memory. */
function revealed(entry: Body): Json {
  if (entry instanceof Sealed) return entry.reveal();
  if (Array.isArray(entry)) return (entry as readonly Body[]).map(revealed);
  return isMap(entry) ? mapValues(entry as { readonly [name: string]: Body }, revealed) : (entry as Json);
}

export function standingOf(ask: Ask, collection: Collection | undefined): Standing {
  const live = collection && ask.entry !== null ? entryOf(collection, ask.item, ask.entry) : undefined;
  const isExact = !collection || live === undefined || ask.entry === null || hasEntry(collection, ask.spec, ask.item, ask.entry);
  const isUnkept = !isExact && live !== undefined && !isKeptForm(ask, live);
  return { name: ask.kept ?? ask.item, value: isExact ? undefined : live, isUnkept, dropped: null };
}

const unclear = (item: string, forms: readonly string[]): Failure =>
  new Failure('PARAM_INVALID', {
    detail: `${item} may be any of ${forms.join(', ')}, which stand in the list; pilotfish cannot tell which one belongs to this scope. Nothing more was written.`,
    fix: 'Remove by hand the entries that are nobody else’s, then run again.',
  });

const folded = (item: string, forms: readonly string[]): Failure =>
  new Failure('RESOURCE_FOREIGN', {
    detail: `The provider takes ${item} for ${forms.join(', ')}, which stood in the list before and is not this scope's.`,
    fix: 'Give the line another value, or remove the entry.',
  });
