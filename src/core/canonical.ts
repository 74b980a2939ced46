import { hash } from 'node:crypto';
import serialize from 'canonicalize';
import { isMap } from './json.ts';

/** JSON with one spelling per value (RFC 8785), so that equal values hash equally. Throws for what JSON cannot hold. */
export function canonicalJson(value: unknown): string {
  const plain = plainJson(value);
  if (plain !== null) return plain;
  const text = serialize(value);
  if (text === undefined) throw new TypeError('a value that JSON cannot hold has no canonical form');
  return text;
}

export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

export function hashJson(value: unknown): string {
  return sha256(canonicalJson(value));
}

/**
 * The same for JSON as it is parsed, which is nearly everything that is hashed, without the checks that other values need. `null` where
 * there is anything else in it: a class, a number that JSON does not know, a member without a value, half a character.
 */
function plainJson(value: unknown): string | null {
  if (value === null) return 'null';
  if (typeof value === 'string') return value.isWellFormed() ? JSON.stringify(value) : null;
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'number') return Number.isFinite(value) ? JSON.stringify(value) : null;
  if (Array.isArray(value)) return plainList(value);
  return isMap(value) ? plainMap(value) : null;
}

function plainList(list: readonly unknown[]): string | null {
  let text = '[';
  for (let i = 0; i < list.length; i += 1) {
    const item = plainJson(list[i]);
    if (item === null) return null;
    text += i === 0 ? item : `,${item}`;
  }
  return `${text}]`;
}

function plainMap(map: { readonly [name: string]: unknown }): string | null {
  let text = '{';
  for (const name of sortedNames(map)) {
    const member = name.isWellFormed() ? plainJson(map[name]) : null;
    if (member === null) return null;
    text += `${text === '{' ? '' : ','}${JSON.stringify(name)}:${member}`;
  }
  return `${text}}`;
}

/** Most maps have their names in order, or one alone. */
function sortedNames(map: { readonly [name: string]: unknown }): readonly string[] {
  const names = Object.keys(map);
  for (let i = 1; i < names.length; i += 1) if ((names[i] ?? '') < (names[i - 1] ?? '')) return names.sort();
  return names;
}
