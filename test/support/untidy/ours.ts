import { type Change, changed } from 'pilotfish-sandbox/untidy/body';
import { isMap } from '../../../src/core/json.ts';
import type { Subject } from '../suite/subject.ts';

/** A declared field as its object shows it. */
export interface Field {
  /** As a plan tells of it. */
  readonly field: string;
  readonly name: string;
  readonly value: unknown;
}

const holdsScope = (value: unknown): boolean => valuesIn(value).some(hasScope);

/** What has the scope in it is ours, and nobody's choice or place. */
export const hasScope = (value: unknown): boolean => typeof value === 'string' && value.includes('pr-12');

/** Every value of the object as planned; and its name, by which it is found and which may be no field of it. */
export function plannedOf({ stands, params }: Pick<Subject, 'stands' | 'params'>): readonly unknown[] {
  return [...valuesIn(stands), ...valuesIn(params).filter(hasScope)];
}

/** A value and all that is in it. */
export function valuesIn(value: unknown): readonly unknown[] {
  const found: unknown[] = [];
  walk(value, (one) => found.push(one));
  return found;
}

/** Names of the members of the object. */
export function namesOf({ stands }: Pick<Subject, 'stands'>): ReadonlySet<string> {
  return new Set(valuesIn(stands).flatMap((value) => (isMap(value) ? Object.keys(value) : [])));
}

/** The declared fields that somebody could change and that are no secrets, each with its one value as planned, where no other value is the same. */
export function fieldsOf({ stands, params, env = {}, edits = {} }: Pick<Subject, 'stands' | 'params' | 'env' | 'edits'>): readonly Field[] {
  const secrets = secretsOf({ params, env });
  const isSecret = (value: unknown): boolean => valuesIn(value).some((one) => typeof one === 'string' && secrets.includes(one));
  const all = valuesIn(stands).map((value) => JSON.stringify(value));
  return Object.entries(edits).flatMap(([field, edit]): Field[] => {
    const [only, ...more] = placesIn(edit);
    if (only === undefined || more.length > 0) return [];
    const value = only.reduce<unknown>((at, name) => (isMap(at) ? at[name] : undefined), stands);
    const isKnown =
      value !== undefined && value !== null && !isSecret(value) && all.filter((one) => one === JSON.stringify(value)).length === 1;
    return isKnown ? [{ field, name: only.at(-1) ?? '', value }] : [];
  });
}

/** Secrets that the plan gives to the line, by their values. */
export function secretsOf({ params, env = {} }: Pick<Subject, 'params' | 'env'>): readonly string[] {
  return valuesIn(params).flatMap((value) => {
    const name = typeof value === 'string' ? /^env:\/\/(\w+)$/.exec(value)?.[1] : undefined;
    const secret = name === undefined ? undefined : env[name];
    return secret === undefined ? [] : [secret];
  });
}

function walk(value: unknown, see: (value: unknown) => unknown): void {
  if (value === undefined) return;
  see(value);
  if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) walk(inner, see);
}

const placesIn = (edit: unknown, path: readonly string[] = []): (readonly string[])[] =>
  isMap(edit) && Object.keys(edit).length > 0 ? Object.entries(edit).flatMap(([name, value]) => placesIn(value, [...path, name])) : [path];

/** Whether a value is an object of ours: a map with the scope in one of its texts, or an entry or a map with an id that has it anywhere. */
const isOurs = (value: unknown, isEntry: boolean): boolean =>
  isMap(value) && (Object.values(value).some(hasScope) || ((isEntry || Object.hasOwn(value, 'id')) && holdsScope(value)));

/** The change in our objects alone; everywhere in an answer that shows none of them apart. */
export function inOurs(body: unknown, change: Change): Change {
  let isApart = false;
  changed(body, (value, _, isEntry = false) => {
    isApart ||= isOurs(value, isEntry);
    return value;
  });
  if (!isApart) return change;
  return (value, name, isEntry = false) => (isOurs(value, isEntry) ? changed(value, change, name, isEntry) : value);
}
