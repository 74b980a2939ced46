import { isMap } from './json.ts';

/**
 * JSON Pointer (RFC 6901) over plain data. A name without a leading `/` is one segment ("pointer or name"), `''` is the
 * whole value. Only own properties are followed, so `__proto__` and `constructor` reach nothing that JSON did not hold.
 */
export function getAt(value: unknown, pointer: string): unknown {
  let at = value;
  for (const part of splitPointer(pointer)) {
    if (Array.isArray(at)) {
      const index = listIndex(part);
      at = index === null ? undefined : at[index];
    } else if (isMap(at) && Object.hasOwn(at, part)) {
      at = at[part];
    } else {
      return undefined;
    }
  }
  return at;
}

/**
 * A copy of `value` with `next` at the pointer; what lies beside the path is shared, not copied. Missing parents, and
 * parents that are neither map nor list, become maps. `-` or the list's length appends to a list.
 */
export function setAt(value: unknown, pointer: string, next: unknown): unknown {
  return put(value, splitPointer(pointer), next);
}

/** A copy of `value` without the part at the pointer; `value` itself when nothing is there. The root cannot be removed. */
export function removeAt(value: unknown, pointer: string): unknown {
  const parts = splitPointer(pointer);
  return getAt(value, pointer) === undefined || parts.length === 0 ? value : cut(value, parts);
}

/** The unescaped segments of a pointer; a name without a leading `/` is its only segment. */
export function splitPointer(pointer: string): readonly string[] {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return [pointer];
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function joinPointer(parts: readonly (string | number)[]): string {
  return parts.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** RFC 6901 indexes have no leading zero and no sign. */
function listIndex(part: string): number | null {
  return /^(?:0|[1-9]\d{0,9})$/.test(part) ? Number(part) : null;
}

function put(value: unknown, parts: readonly string[], next: unknown): unknown {
  const [part, ...rest] = parts;
  if (part === undefined) return next;
  if (Array.isArray(value)) {
    const index = part === '-' ? value.length : listIndex(part);
    if (index !== null && index <= value.length) {
      const copy: unknown[] = [...value];
      copy[index] = put(value[index], rest, next);
      return copy;
    }
  }
  const map = isMap(value) ? value : {};
  const inner = Object.hasOwn(map, part) ? map[part] : undefined;
  return withOwn(map, part, put(inner, rest, next));
}

function cut(value: unknown, parts: readonly string[]): unknown {
  const [part, ...rest] = parts;
  if (part === undefined) return value;
  if (Array.isArray(value)) {
    const index = Number(part);
    return rest.length === 0 ? value.filter((_, i) => i !== index) : value.map((item, i) => (i === index ? cut(item, rest) : item));
  }
  if (!isMap(value)) return value;
  if (rest.length > 0) return withOwn(value, part, cut(value[part], rest));
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== part));
}

/** `{ ...map, [name]: value }` that keeps its place in the order and also holds for the name `__proto__`. */
function withOwn(map: Record<string, unknown>, name: string, value: unknown): Record<string, unknown> {
  const entries = new Map(Object.entries(map));
  entries.set(name, value);
  return Object.fromEntries(entries);
}
