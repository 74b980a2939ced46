/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** True for a plain object: not null, not a list, not an instance of a class. */
export function isMap(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const proto: unknown = Object.getPrototypeOf(value);
  return proto === Object.prototype || proto === null;
}

/** A map of the same names with other values. */
export const mapValues = <T, R>(map: { readonly [name: string]: T }, change: (value: T, name: string) => R): { [name: string]: R } =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value, name)]));
