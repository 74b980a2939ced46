import { isMap } from '../core/json.ts';
import { getAt, removeAt, setAt, splitPointer } from '../core/pointer.ts';
import type { Body } from '../http/types.ts';
import type { Collection } from './collection.ts';
import { merged } from './compare.ts';
import type { ParentSpec } from './parent-spec.ts';
import { asBody } from './stored-json.ts';

/**
 * The body of a write: the collection, with the members of its parent that the provider wants back, and without those that it refuses.
 * `null` removes the collection. A merge patch carries only the touched entries.
 */
export function parentBody(next: Collection<Body>, spec: ParentSpec, touched: ReadonlyMap<string, Body | null>): Body | null {
  if (spec.when_empty === 'delete' && next.entries.length === 0) return null;
  const body = asBody(echoed(around(next, spec, touched), next, spec));
  const whole = spec.body === undefined ? body : merged(body, spec.body);
  return asBody(without(versioned(whole, next, spec), spec.drop ?? []));
}

/** The body with the version that was read, and with the parent as it was read where the provider compares that too. */
function versioned(body: Body, { raw, version }: Collection<Body>, { version: at }: ParentSpec): unknown {
  if (at?.body === undefined || version === undefined) return body;
  const named = setAt(body, at.body, version);
  return at.original === undefined ? named : setAt(named, at.original, raw);
}

/** The body with the members of the read parent that the provider wants back. */
const echoed = (body: unknown, { raw }: Collection<Body>, { echo = [] }: ParentSpec): unknown =>
  echo.reduce((all, pointer) => {
    const value = getAt(raw, pointer);
    return value === undefined || value === null ? all : setAt(all, pointer, value);
  }, body);

/** The value without the parts at the pointers, where `*` is every member or entry; the same value when no part is there. */
export function without(value: unknown, pointers: readonly string[]): unknown {
  return pointers.reduce<unknown>((rest, pointer) => cut(rest, splitPointer(pointer)), value);
}

function cut(value: unknown, parts: readonly string[]): unknown {
  const [part, ...rest] = parts;
  if (part === undefined) return value;
  const isTaken = (name: string): boolean => part === '*' || part === name;
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    if (rest.length === 0) return list.some((_, i) => isTaken(String(i))) ? list.filter((_, i) => !isTaken(String(i))) : list;
    const after = list.map((item, i) => (isTaken(String(i)) ? cut(item, rest) : item));
    return after.some((item, i) => item !== list[i]) ? after : list;
  }
  if (!isMap(value)) return value;
  const members = Object.entries(value);
  if (rest.length === 0) {
    const kept = members.filter(([name]) => !isTaken(name));
    return kept.length === members.length ? value : Object.fromEntries(kept);
  }
  const after = members.map(([name, inner]) => [name, isTaken(name) ? cut(inner, rest) : inner] as const);
  return after.some(([name, inner]) => inner !== value[name]) ? Object.fromEntries(after) : value;
}

function around(next: Collection<Body>, spec: ParentSpec, touched: ReadonlyMap<string, Body | null>): unknown {
  const at = spec.write_list_path ?? spec.list_path;
  const isPatch = spec.shape === 'map' && spec.method === 'PATCH';
  if (spec.send === undefined) return setAt({}, at, isPatch ? Object.fromEntries(touched) : whole(next, spec));
  if (spec.send === 'collection') return isPatch ? Object.fromEntries(touched) : whole(next, spec);
  // The rest of the parent goes back as read. In a merge patch a removed member is null, because an absent member would stay.
  const removed = isPatch ? [...touched].filter(([, entry]) => entry === null) : [];
  const collection = isPatch
    ? {
        ...Object.fromEntries(next.entries.flatMap((e) => (e.value === null ? [] : [[e.spelling ?? e.name, e.value]]))),
        ...Object.fromEntries(removed),
      }
    : whole(next, spec);
  const parent = at === spec.list_path ? next.raw : removeAt(next.raw, spec.list_path);
  return setAt(spec.send === 'parent' ? (parent ?? {}) : picked(parent, spec.send), at, collection);
}

function whole(collection: Collection<Body>, spec: ParentSpec): Body {
  if (spec.empty_as !== undefined && collection.entries.length === 0) return spec.empty_as;
  if (spec.shape === 'map') return Object.fromEntries(collection.entries.map((e) => [e.spelling ?? e.name, e.value]));
  if (spec.shape === 'delimited') return collection.entries.map((e) => String(e.value)).join(',');
  return collection.entries.map((e) => e.value);
}

function picked(parent: unknown, names: readonly string[]): { [name: string]: unknown } {
  if (!isMap(parent)) return {};
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(parent, name) ? [[name, parent[name]]] : [])));
}
