import { isMap } from '../kit/json.ts';

/** Keys that lead from a state to a value: names of members, keys of maps, places in lists. */
export type Path = readonly (string | number)[];

/** One thing at a provider, as the page shows it. */
export interface Shown {
  readonly path: Path;
  /** What it is one of, from the outside in: `projects shop env`. */
  readonly kind: string;
  readonly name: string;
  /** Its values; the lists of further things in it stand by themselves. */
  readonly fields: Readonly<Record<string, unknown>>;
}

type Entry = readonly [key: string | number, value: unknown];

/** Every object that a state has. A list or a map of objects holds things; whatever else a thing has is a value of it. */
export function objectsIn(state: unknown): readonly Shown[] {
  const found: Shown[] = [];
  const things = (value: unknown, path: Path, kind: string): void => {
    for (const [key, one] of entriesOf(value)) {
      const at = [...path, key];
      if (Array.isArray(one)) {
        if (holdsThings(one)) things(one, at, `${kind} ${key}`);
        continue;
      }
      const members = entriesOf(one);
      const name = nameOf(members, key);
      const own = members.filter(([, member]) => !holdsThings(member));
      found.push({ path: at, kind, name, fields: Object.fromEntries(own.map(([member, held]) => [member, plain(held)])) });
      for (const [member, held] of members) if (holdsThings(held)) things(held, [...at, member], `${kind} ${name} ${member}`);
    }
  };
  for (const [member, value] of entriesOf(state)) {
    if (holdsThings(value)) things(value, [member], String(member));
    else if (isHolder(value)) things({ [member]: value }, [], String(member));
  }
  return found;
}

/** Takes the object away, or gives one field another value. Gives the changed state, `null` where nothing stands at the path. */
export function edited(state: unknown, path: Path, edit: { readonly field: string; readonly value: unknown } | null): unknown | null {
  const last = path.at(-1);
  const holder = path.slice(0, -1).reduce<unknown>((at, key) => valueAt(at, key), state);
  if (last === undefined || valueAt(holder, last) === undefined) return null;
  if (edit === null) return removed(holder, last) ? state : null;
  const object = valueAt(holder, last);
  if (object instanceof Map) object.set(edit.field, edit.value);
  else if (isMap(object) && Object.hasOwn(object, edit.field)) Reflect.set(object, edit.field, edit.value);
  else return null;
  return state;
}

function removed(holder: unknown, key: string | number): boolean {
  if (Array.isArray(holder)) return holder.splice(Number(key), 1).length === 1;
  if (holder instanceof Map) return holder.delete(key);
  return isMap(holder) && Reflect.deleteProperty(holder, key);
}

function valueAt(holder: unknown, key: string | number): unknown {
  if (holder instanceof Map) return holder.get(key);
  if (Array.isArray(holder)) return holder[Number(key)];
  return isMap(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined;
}

function entriesOf(value: unknown): readonly Entry[] {
  if (value instanceof Map) return [...value] as Entry[];
  if (Array.isArray(value)) return [...value.entries()];
  return isMap(value) ? Object.entries(value) : [];
}

/**
 * A list of objects, or a map whose values are objects or lists of objects. Tokens that were handed out are nobody's objects, and neither
 * are answers that are remembered by a credential and a key.
 */
function holdsThings(value: unknown): boolean {
  const inner = entriesOf(value).map(([, one]) => one);
  if (inner.length === 0) return false;
  if (Array.isArray(value)) return inner.every(isThing);
  return (
    inner.every((one) => isThing(one) || (Array.isArray(one) && one.every(isThing))) &&
    !inner.every((one) => isMap(one) && ('tier' in one || ('asked' in one && 'reply' in one)))
  );
}

/** One object that has others in it, such as the one bucket of an account. */
const isHolder = (value: unknown): boolean => isThing(value) && entriesOf(value).some(([, inner]) => holdsThings(inner));

const isThing = (value: unknown): boolean => value instanceof Map || (isMap(value) && !(value instanceof Date) && !(value instanceof Set));

const names = ['name', 'Name', 'key', 'title', 'url', 'Url', 'uri', 'branchName', 'username', 'id', 'ID', 'sid'];

/** The member that people know it by. Of an entry of a list without such a member: its id of another name, else its first text. */
function nameOf(members: readonly Entry[], key: string | number): string {
  for (const name of names) {
    const value = members.find(([member]) => member === name)?.[1];
    if ((typeof value === 'string' && value !== '') || typeof value === 'number') return String(value);
  }
  if (typeof key !== 'number') return key;
  const texts = members.flatMap(([member, value]) => (typeof value === 'string' && value !== '' ? [[String(member), value] as const] : []));
  const [, text] = texts.find(([member]) => /(?:[iI]d|[nN]ame)$/.test(member)) ?? texts[0] ?? [];
  const inner = members.find(([member]) => member === 'sys')?.[1];
  const id = isMap(inner) ? inner.id : undefined;
  return text ?? (typeof id === 'string' ? id : `number ${key + 1}`);
}

/** A value that JSON can tell. */
function plain(value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, one]) => [String(key), plain(one)]));
  if (value instanceof Set) return [...value].map(plain);
  if (Array.isArray(value)) return value.map(plain);
  if (isMap(value) && !(value instanceof Date)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
  if (typeof value === 'bigint' || value === Number.POSITIVE_INFINITY) return String(value);
  return value;
}
