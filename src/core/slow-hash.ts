import { scrypt, scryptSync } from 'node:crypto';
import { sha256 } from './canonical.ts';

const cost = { N: 2 ** 14, r: 8, p: 1 };

/** Derives `bytes` bytes from a text, slowly (scrypt). A reader of the result cannot try many texts. */
export function slowHash(text: string, salt: string, bytes: number): Promise<Buffer> {
  const memo = sha256(`${bytes}\n${salt}\n${text}`);
  const known = made.get(memo);
  if (known) return known;
  const making = new Promise<Buffer>((resolve, reject) => {
    scrypt(text, salt, bytes, cost, (error, tag) => (error ? reject(error) : resolve(tag)));
  });
  made.set(memo, making);
  making.catch(() => made.delete(memo));
  return making;
}

/** Many lines of a run ask for one text, so results are kept. The keys are hashes: no text is kept. */
const made = new Map<string, Promise<Buffer>>();

/** The same as hexadecimal text, for names whose callers cannot wait. Few texts need such a name, and each is derived once. */
export function slowHashNow(text: string, salt: string, bytes: number): string {
  const memo = sha256(`${bytes}\n${salt}\n${text}`);
  const tag = tags.get(memo) ?? scryptSync(text, salt, bytes, cost).toString('hex');
  tags.set(memo, tag);
  return tag;
}

const tags = new Map<string, string>();
