import { idOf } from '../ids.ts';

/** References of the plan language that a value may hold. */
const reference = /\$\{ctx\.(?:pr\.number|git\.branch|git\.sha)\}/g;

/** A value of a param that a file holds: an id (`idOf`), or one made of the number of the pull request, its branch or its commit. */
export function paramOf(value: unknown): string | null {
  if (typeof value !== 'string' || !value.includes('${ctx.')) return idOf(value);
  // Names of providers have letters and digits around a reference, so the rest must be an id with any letter in its place.
  return idOf(value.replace(reference, 'x')) === null ? null : value;
}

/** The value names something of one pull request. */
export const isOfPullRequest = (value: string): boolean => /\$\{ctx\.(?:pr\.number|git\.branch)\}/.test(value);

/** Keeps the values that are ids. */
export function idsOf(values: { readonly [param: string]: unknown }): { readonly [param: string]: string } {
  return Object.fromEntries(
    Object.entries(values).flatMap(([param, value]) => {
      const id = paramOf(value);
      return id === null ? [] : [[param, id]];
    }),
  );
}
