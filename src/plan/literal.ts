import { isMap } from '../core/json.ts';
import { type Expr, FromRef, KeepRef, SecretRef } from './types.ts';

/** Whether a value is what it says: no reference, no secret and no `{ keep: true }` in it, so that it is the same wherever it is used. */
export function isLiteral(value: Expr): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (value instanceof FromRef || value instanceof SecretRef || value instanceof KeepRef) return false;
  if (Array.isArray(value)) return value.every((item: Expr) => isLiteral(item));
  if (!isMap(value)) return true;
  // A list of the names would be most of what this takes, and every value of a plan comes by here.
  for (const name in value) if (!isLiteral(value[name] as Expr)) return false;
  return true;
}

/** All values of a map that are literal; the map itself where all are. */
export function literalsOf(params: { readonly [name: string]: Expr }): { readonly [name: string]: unknown } {
  if (isLiteral(params)) return params;
  return Object.fromEntries(Object.entries(params).filter(([, value]) => isLiteral(value)));
}
