import { sha256 } from '../../core/canonical.ts';
import type { Intent, LedgerRecord } from '../model/facts.ts';

/** A fact of the ledger that a seal can cover: a record, an intent, or a note (an object left standing, accepted deletes). */
export type SealedFact = LedgerRecord | Intent | object;

/** Members of a record or intent that a later run acts on. The others are learned anew from the provider, or only cost a request when they are wrong. */
const acted = [
  ...['identity', 'adapter', 'op', 'recipe', 'key', 'provider', 'line', 'plan', 'reach', 'lock', 'destroy', 'kind', 'credential'],
  ...['recordId', 'objectId', 'owned', 'outputs', 'superseded', 'removing', 'edges'],
  ...['idempotencyKey', 'not', 'fixed', 'atHost'],
] as const;

/** Those that say which object a record is of, whose it is, and what becomes of it. */
const objectMembers = acted.filter((name) => !['adapter', 'op', 'recipe', 'key', 'line', 'outputs', 'removing', 'edges'].includes(name));

/** Two hashes of a fact: of all that a run acts on, and of the objects alone. */
export interface Essence {
  readonly whole: string;
  readonly object: string;
}

const wholeSigns = 32;
const objectSigns = 16;

/**
 * Hashes a fact as a seal covers it. Members keep their order from memory to file and back, so equal facts have equal texts. What only
 * tells when and by which run is left out: another person's run that changes nothing else leaves the seal whole.
 */
export function essenceOf(fact: SealedFact): Essence {
  const members = fact as { readonly [name: string]: unknown };
  const isOfLine = 'reach' in members;
  const whole = isOfLine ? acted.map((name) => members[name] ?? null) : members;
  const object = isOfLine ? objectMembers.map((name) => members[name] ?? null) : members;
  return { whole: hashOf(whole).slice(0, wholeSigns), object: hashOf(object).slice(0, objectSigns) };
}

const hashOf = (value: unknown): string => sha256(JSON.stringify(value));

/** An entry of a seal list. */
export const entryText = ({ whole, object }: Essence): string => `${whole}${object}`;

/** Whether an entry was made of exactly this fact. */
export const isWhole = (entry: string | undefined, essence: Essence): boolean => entry === entryText(essence);

/** Whether an entry was made of a fact that names the same objects. */
export const namesSame = (entry: string, { object }: Essence): boolean => entry.slice(wholeSigns) === object;
