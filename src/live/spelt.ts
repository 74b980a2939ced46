import { isDeepStrictEqual } from 'node:util';
import { isMap, type Json } from '../core/json.ts';
import { joinPointer } from '../core/pointer.ts';

/** A value that the service gave back in another form. */
export interface Spelt {
  readonly field: string;
  readonly sent: Json;
  readonly read: Json;
}

export interface Spelling {
  readonly spelt: readonly Spelt[];
  /** Members that were sent and that no answer shows. */
  readonly unread: readonly string[];
  /** Members that the service added. */
  readonly added: readonly string[];
}

/** Compares the body of a write with the object in the answer that is most like it. `shown` makes a value fit for a report. */
export function spellingOf(sent: unknown, answered: unknown, shown: (value: unknown) => Json): Spelling {
  const wanted = isMap(sent) ? objectIn(sent) : null;
  const found = wanted === null ? null : mostAlike(wanted, answered);
  if (wanted === null || found === null) return { spelt: [], unread: [], added: [] };
  const spelt: Spelt[] = [];
  const unread: string[] = [];
  const walk = (one: unknown, other: unknown, path: readonly string[]): void => {
    if (isDeepStrictEqual(one, other)) return;
    if (isMap(one) && isMap(other)) {
      for (const [name, value] of Object.entries(one)) {
        if (Object.hasOwn(other, name)) walk(value, other[name], [...path, name]);
        else unread.push(joinPointer([...path, name]));
      }
      return;
    }
    spelt.push({ field: joinPointer(path), sent: shown(one), read: shown(other) });
  };
  walk(wanted, found, []);
  const added = Object.keys(found).filter((name) => !Object.hasOwn(wanted, name));
  return { spelt, unread, added: added.map((name) => joinPointer([name])) };
}

/** The object of a body. GraphQL and many APIs wrap it: `{ "branch": { … } }`. */
function objectIn(sent: Record<string, unknown>): Record<string, unknown> {
  if (typeof sent.query === 'string' && isMap(sent.variables)) return objectIn(sent.variables);
  const members = Object.entries(sent).filter(([name]) => !name.startsWith('@'));
  const [only, ...more] = members;
  return only && more.length === 0 && isMap(only[1]) ? objectIn(only[1]) : sent;
}

/** The map below `answered` that shares the most members and values with `wanted`, `null` where none shares any. */
function mostAlike(wanted: Record<string, unknown>, answered: unknown): Record<string, unknown> | null {
  let best: Record<string, unknown> | null = null;
  let most = 0;
  for (const map of mapsIn(answered, 0)) {
    const shared = Object.keys(wanted).filter((name) => Object.hasOwn(map, name));
    const score = shared.length + shared.filter((name) => isDeepStrictEqual(wanted[name], map[name])).length;
    if (score > most) [best, most] = [map, score];
  }
  return best;
}

const deepest = 12;

function* mapsIn(value: unknown, depth: number): Generator<Record<string, unknown>> {
  if (depth > deepest) return;
  if (isMap(value)) yield value;
  const members: readonly unknown[] = Array.isArray(value) ? value : isMap(value) ? Object.values(value) : [];
  for (const member of members) yield* mapsIn(member, depth + 1);
}
