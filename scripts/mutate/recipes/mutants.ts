import { isMap, type Json } from '../../../src/core/json.ts';
import type { Family } from '../../../src/recipes/schema.ts';
import { alterations } from './alterations.ts';

/** A family with one member dropped or altered. */
export interface Mutant {
  readonly family: string;
  /** `null` if the member belongs to the provider's block, and so to every operation. */
  readonly op: string | null;
  /** The pointer to the member, below the operation if there is one. */
  readonly path: string;
  /** `dropped`, or the replacement: `PUT for PATCH`. */
  readonly mutation: string;
  /** Makes the whole family, in the form of its file. */
  readonly make: () => unknown;
}

/** Members for people, `init` and the catalogue. No request and no judgement depends on them. */
const words = new Set(['doc', 'todo', 'example', 'notes', 'destroys', 'alias']);

/** Makes the mutants of a family: each member that decides what is sent, read, compared, refused or kept is dropped and altered in turn. */
export function mutantsOf(family: Family): readonly Mutant[] {
  const ofProvider = membersOf(family.provider, ['provider']);
  const ofOps = Object.entries(family.ops).flatMap(([op, { kind, quota, ...spec }]) => {
    // The limit of a quota is only a sentence, but all else of it decides.
    const { limit: _, ...deciding } = quota ?? {};
    const held = { ...spec, ...(Object.keys(deciding).length > 0 && { quota: deciding }) };
    return (
      Object.entries(held)
        .filter(([name]) => !words.has(name))
        // A destroy never takes back the effect of an action, whatever the recipe says.
        .filter(([name]) => kind !== 'action' || name !== 'destroy')
        .flatMap(([name, value]) => (name === 'destroy' ? alteredAt(value, ['ops', op, name]) : membersOf(value, ['ops', op, name])))
    );
  });
  return [...ofProvider, ...ofOps].map(({ at, mutation, change }) => {
    const op = at[0] === 'ops' ? (at[1] ?? null) : null;
    return {
      family: family.name,
      op,
      path: `/${at
        .slice(op === null ? 0 : 2)
        .map(escaped)
        .join('/')}`,
      mutation,
      make: () => changed(family, at, change),
    };
  });
}

interface Change {
  readonly at: readonly string[];
  readonly mutation: string;
  /** The new value; `undefined` removes the member. */
  readonly change: Json | undefined;
}

/** The changes of each member and entry below this place. */
function membersOf(value: unknown, at: readonly string[]): readonly Change[] {
  if (Array.isArray(value)) return value.flatMap((one, i) => mutationsOf(one, [...at, String(i)]));
  if (!isMap(value)) return alteredAt(value, at);
  return Object.entries(value)
    .filter(([name]) => at[0] !== 'ops' || at[2] === 'template' || !words.has(name))
    .flatMap(([name, one]) => mutationsOf(one, [...at, name]));
}

const mutationsOf = (value: unknown, at: readonly string[]): readonly Change[] => [
  { at, mutation: 'dropped', change: undefined },
  ...membersOf(value, at),
];

const alteredAt = (value: unknown, at: readonly string[]): readonly Change[] =>
  alterations(value as Json, at).map((to) => ({
    at,
    mutation: `${shown(to)} for ${shown(value)}`,
    change: to,
  }));

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');

/** Makes a copy that shares no value: an anchor of the file would otherwise change several places at once. */
function changed(family: Family, at: readonly string[], change: Json | undefined): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(family));
  const last = at.at(-1) ?? '';
  const holder = at.slice(0, -1).reduce<unknown>((value, part) => (value as { readonly [part: string]: unknown })[part], copy);
  if (Array.isArray(holder)) holder.splice(Number(last), 1, ...(change === undefined ? [] : [change]));
  else if (change === undefined) delete (holder as { [part: string]: unknown })[last];
  else (holder as { [part: string]: unknown })[last] = change;
  return copy;
}
