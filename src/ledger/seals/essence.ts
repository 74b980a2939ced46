import { sha256 } from '../../core/canonical.ts';
import type { Intent, LedgerRecord } from '../model/facts.ts';

/** A fact of the ledger that a seal can cover: a record, an intent, or a note (an object left standing, accepted deletes). */
export type SealedFact = LedgerRecord | Intent | object;

/** Members of a record or intent that tell its object, the owner of that object, and what a destroy does with it. */
const objectMembers = [
  ...['identity', 'provider', 'plan', 'reach', 'lock', 'destroy', 'kind', 'credential', 'recordId', 'objectId', 'owned', 'superseded'],
  ...['idempotencyKey', 'not', 'fixed', 'atHost'],
] as const;

/** Other members that a later run acts on. The rest is learned anew from the provider, or costs only a request when it is wrong. */
const otherMembers = ['adapter', 'op', 'recipe', 'key', 'line', 'outputs', 'removing', 'edges'] as const;

/** Two hashes of a fact: of all that a run acts on, and of the objects alone. */
export interface Essence {
  readonly whole: string;
  readonly object: string;
}

const wholeSigns = 32;
const objectSigns = 16;

/** The look, each push and the search for missing facts ask for the essence of a fact. A fact never changes. */
const known = new WeakMap<object, Essence>();

/**
 * Hashes a fact as a seal covers it. Members keep their order from memory to file and back, so equal facts have equal texts. Time and run
 * are left out, so another person's run that changes nothing else leaves the seal whole.
 */
export function essenceOf(fact: SealedFact): Essence {
  const before = known.get(fact);
  if (before) return before;
  const members = fact as { readonly [name: string]: unknown };
  const taken = (names: readonly string[]): readonly unknown[] => names.map((name) => members[name] ?? null);
  // Only a record names an object; an announcement or a note is one text.
  const object = 'objectId' in members && 'reach' in members ? hashOf(taken(objectMembers)) : '';
  const rest =
    'reach' in members ? [...taken(object === '' ? [...objectMembers, ...otherMembers] : otherMembers), ...bornOf(members)] : members;
  const essence = { whole: hashOf([object, rest]).slice(0, wholeSigns), object: object.slice(0, objectSigns) };
  known.set(fact, essence);
  return essence;
}

/** A record of an older version has no such member, and its seal stays whole. */
const bornOf = ({ birth }: { readonly [name: string]: unknown }): readonly unknown[] => (birth === undefined ? [] : [birth]);

const hashOf = (value: unknown): string => sha256(JSON.stringify(value));

/** An entry of a seal list. */
export const entryText = ({ whole, object }: Essence): string => `${whole}${object}`;

/** Whether an entry was made of exactly this fact. */
export const isWhole = (entry: string | undefined, essence: Essence): boolean => entry === entryText(essence);

/** Whether an entry was made of a fact that names the same objects. */
export const namesSame = (entry: string, { object }: Essence): boolean => entry.slice(wholeSigns) === object;
