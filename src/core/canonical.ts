import { hash } from 'node:crypto';
import serialize from 'canonicalize';

/** JSON with one spelling per value (RFC 8785), so that equal values hash equally. Throws for a value that JSON cannot hold. */
export function canonicalJson(value: unknown): string {
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
