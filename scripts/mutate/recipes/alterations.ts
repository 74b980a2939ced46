import type { Json } from '../../../src/core/json.ts';

/** Wrong values that a slip of the hand could write instead of this one. */
export function alterations(value: Json, at: readonly string[]): readonly Json[] {
  const name = at.at(-1) ?? '';
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') return [value + 1];
  if (typeof value !== 'string') return value === null ? ['mutant'] : [];
  return Object.hasOwn(siblings, value) ? (siblings[value] ?? []) : [texts(value, name)];
}

/** Replacements for a text from a small set: other texts of the set. */
const siblings: { readonly [value: string]: readonly string[] } = {
  GET: ['POST'],
  POST: ['PUT'],
  PUT: ['PATCH'],
  PATCH: ['PUT'],
  DELETE: ['POST'],
  json: ['form'],
  form: ['json'],
  xml: ['json'],
  multipart: ['json'],
  repeat: ['brackets'],
  brackets: ['repeat'],
  index: ['repeat'],
  keep: ['delete'],
  delete: ['keep'],
  // Types of params.
  string: ['integer'],
  boolean: ['string'],
  integer: ['string'],
  number: ['string'],
  list: ['string'],
  map: ['string'],
  any: ['integer'],
};

function texts(value: string, name: string): string {
  // The last part of a path or pointer that is not filled in.
  if (value.startsWith('/') || value.includes('://')) {
    const parts = value.split('/');
    const at = parts.findLastIndex((part) => part !== '' && !part.startsWith('{'));
    if (at >= 0) return parts.with(at, `${parts[at]}x`).join('/');
  }
  if (name === 'pattern') return '(?!)';
  if (/^[A-Z][A-Z0-9_]*$/.test(value)) return `${value}_X`;
  if (/^\d+$/.test(value)) return String(Number(value) - 1);
  return `${value}x`;
}
