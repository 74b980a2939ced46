import { domainToASCII } from 'node:url';
import { refusal } from './envelope.ts';

/** `@` and names below the zone come back fully qualified, in lower case, and in ASCII. */
export function qualified(value: unknown, zone: string): string {
  const name = value === '@' ? zone : hostname(value, true);
  if (name === null) throw refusal(400, 9000, 'DNS name is invalid.');
  return name === zone || name.endsWith(`.${zone}`) ? name : `${name}.${zone}`;
}

/** `null` for what is none. */
export function hostname(value: unknown, mayBeShort = false): string | null {
  if (typeof value !== 'string' || value.length > 255) return null;
  const bare = value.toLowerCase().replace(/\.$/, '');
  const name = /[^\x20-\x7f]/.test(bare) ? domainToASCII(bare) : bare;
  const isName = /^(?:\*\.)?[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/.test(name);
  return isName && (mayBeShort || name.includes('.')) ? name : null;
}
