import { createHash, scrypt, scryptSync } from 'node:crypto';
import { sha256 } from './canonical.ts';

/**
 * A secret's fingerprint: enough to see that a value changed, too slow and too short to guess the value from a ledger.
 * `scrypt:<salt>:<tag>`, the tag cut to 6 bytes so that many values share it.
 */
export function fingerprint(value: string, salt: string): Promise<string> {
  const memo = sha256(`${salt}\n${value}`);
  const known = made.get(memo);
  if (known) return known;
  const making = derive(value, salt).then((tag) => `scrypt:${salt}:${tag}`);
  made.set(memo, making);
  making.catch(() => made.delete(memo));
  return making;
}

/** The tag alone, where a name is made of it and nobody can wait. Few texts need one, and each is derived once. */
export function fingerprintNow(value: string, salt: string): string {
  const memo = sha256(`${salt}\n${value}`);
  const tag = tags.get(memo) ?? scryptSync(value, salt, tagBytes, cost).toString('hex');
  tags.set(memo, tag);
  return tag;
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

/** Plans compare one value on many lines. Keys are hashes: no value is kept. */
const made = new Map<string, Promise<string>>();

const tags = new Map<string, string>();

const cost = { N: 2 ** 14, r: 8, p: 1 };
const tagBytes = 6;

function derive(value: string, salt: string): Promise<string> {
  return new Promise((resolve, reject) => {
    scrypt(value, salt, tagBytes, cost, (error, tag) => (error ? reject(error) : resolve(tag.toString('hex'))));
  });
}
