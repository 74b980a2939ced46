/** JSON values as TypeScript sees them. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonMap = { readonly [name: string]: Json };

/** True for a plain object: not null, not a list, not a class instance. */
export function isMap(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const proto: unknown = Object.getPrototypeOf(value);
  return proto === Object.prototype || proto === null;
}

/** Sets an own member, whatever its name: an assignment to `__proto__` would change the prototype instead. */
export function setOwn<T>(map: { [name: string]: T }, name: string, value: T): void {
  if (name === '__proto__') Object.defineProperty(map, name, { value, configurable: true, enumerable: true, writable: true });
  else map[name] = value;
}

/** A map of the same names with other values. */
export function mapValues<T, R>(map: { readonly [name: string]: T }, change: (value: T, name: string) => R): { [name: string]: R } {
  const changed: { [name: string]: R } = {};
  // `entries` and `fromEntries` would make lists of pairs and cost twice as much, and every value of a plan passes here.
  for (const name in map) if (Object.hasOwn(map, name)) setOwn(changed, name, change(map[name] as T, name));
  return changed;
}
