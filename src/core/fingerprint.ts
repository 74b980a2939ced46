import { createHash } from 'node:crypto';
import { slowHash } from './slow-hash.ts';

/**
 * A secret's fingerprint: enough to see that a value changed, too slow and too short to guess the value from a ledger.
 * `scrypt:<salt>:<tag>`, the tag cut to 6 bytes so that many values share it.
 */
export async function fingerprint(value: string, salt: string): Promise<string> {
  return `scrypt:${salt}:${(await slowHash(value, salt, tagBytes)).toString('hex')}`;
}

/** One salt per repository and secret reference, never renewed, so that an unchanged value keeps its fingerprint. */
export function saltFor(repository: string, reference: string): string {
  const of = JSON.stringify(['pilotfish secret fingerprint', repository, reference]);
  return createHash('sha256').update(of, 'utf8').digest('hex').slice(0, 32);
}

/** Whether `print` was made from `value`. The salt is the print's own; a print of another form matches nothing. */
export async function matchesFingerprint(print: string, value: string): Promise<boolean> {
  const salt = /^scrypt:([0-9a-f]+):[0-9a-f]+$/.exec(print)?.[1];
  return salt !== undefined && (await fingerprint(value, salt)) === print;
}

const tagBytes = 6;
