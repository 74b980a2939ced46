import { createHash, createHmac } from 'node:crypto';
import { slowHash } from './slow-hash.ts';

/** A key that makes prints. Its `id` reveals nothing of the key. */
export interface PrintKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/** At most this many people with keys of their own may print one secret. */
const mostPrints = 4;
const tagBytes = 6;
const keyedBytes = 9;

/** Stands in place of a print whose value could be guessed. It says that the secret was written; no later run can tell whether it changed. */
const written = 'written';

/**
 * Fingerprints of one line's secrets: enough to see that a value changed. With a key nobody can guess the value from a ledger:
 * `hmac:<key>:<salt>:<tag>`, one for each key, with a space between. Without a key a value that could be guessed gets no print, and any
 * other value gets a slow one, `scrypt:<salt>:<tag>`.
 */
export class Printer {
  readonly #repository: string;
  readonly #keys: readonly PrintKey[];

  constructor(repository: string, keys: readonly PrintKey[]) {
    this.#repository = repository;
    this.#keys = keys;
  }

  /** `reference`: where the value comes from, never the value. `before`: the recorded prints. Prints of other keys stay. */
  async print(value: string, reference: string, before?: string): Promise<string> {
    const salt = saltFor(this.#repository, reference);
    if (this.#keys.length === 0) {
      if (!isHardToGuess(value)) return written;
      return `scrypt:${salt}:${(await slowHash(value, salt, tagBytes)).toString('hex')}`;
    }
    const own = this.#keys.map((key) => `hmac:${key.id}:${salt}:${keyedTag(key, salt, value)}`);
    const others = this.#isStale(before) ? [] : partsOf(before).filter((part) => /^hmac:/.test(part) && !this.#keyOf(part));
    return [...own, ...others].slice(0, mostPrints).join(' ');
  }

  /** Whether any print was made from the value, as far as the keys here can tell. */
  async matches(prints: string, value: string): Promise<boolean> {
    for (const part of partsOf(prints)) {
      const [kind, first = '', second = '', tag = ''] = part.split(':');
      const key = kind === 'hmac' ? this.#keyOf(part) : undefined;
      if (key && keyedTag(key, second, value) === tag) return true;
      if (kind === 'scrypt' && /^[0-9a-f]+$/.test(first) && (await slowHash(value, first, tagBytes)).toString('hex') === second)
        return true;
    }
    return false;
  }

  /** Whether the prints hold one of a key that is here, or say all that can be said without one. */
  isOwn(prints: string): boolean {
    return this.#keys.length === 0 ? !prints.startsWith('hmac:') : this.#isStale(prints);
  }

  /** True where a key that is here printed another value. The prints of other keys are then just as old. */
  #isStale(before: string | undefined): boolean {
    return partsOf(before).some((part) => this.#keyOf(part));
  }

  #keyOf(part: string): PrintKey | undefined {
    const [kind, id] = part.split(':');
    return kind === 'hmac' ? this.#keys.find((key) => key.id === id) : undefined;
  }
}

const partsOf = (prints: string | undefined): readonly string[] => prints?.split(' ') ?? [];

const keyedTag = ({ bytes }: PrintKey, salt: string, value: string): string =>
  createHmac('sha256', bytes)
    .update(JSON.stringify(['pilotfish print', salt, value]))
    .digest('hex')
    .slice(0, 2 * keyedBytes);

/** One salt per repository and secret reference, never renewed, so that an unchanged value keeps its fingerprint. */
export function saltFor(repository: string, reference: string): string {
  const of = JSON.stringify(['pilotfish secret fingerprint', repository, reference]);
  return createHash('sha256').update(of, 'utf8').digest('hex').slice(0, 32);
}

/** One long word of letters and digits, as a machine makes it: no address, no phrase, no PIN. */
const isHardToGuess = (value: string): boolean =>
  /^[\w+/=.~-]{32,}$/.test(value) && /\d/.test(value) && /[a-zA-Z]/.test(value) && new Set(value).size >= 12;
