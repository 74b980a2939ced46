import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Ground, makeFolder, removeFile, replaceFile } from '../../platform/safe-files.ts';
import type { Remembered } from './store.ts';

export interface Mark extends Remembered {
  /** The number of the commit. Earlier versions did not store it. */
  readonly number: number | null;
}

/**
 * The last head of each branch of a ledger that this machine saw, a file a branch. When the ledger or a branch of it was deleted, the mark still
 * tells that there was one. A mark is only a hint, so a failed write of one is no error.
 */
export class Marks {
  readonly #folder: string;
  readonly #ground: Ground;

  constructor(folder: string, ground: Ground) {
    this.#ground = ground;
    this.#folder = folder;
  }

  of(name: string): Mark | null {
    const place = path.join(this.#folder, name);
    try {
      const [head = '', number] = readFileSync(place, 'utf8').trim().split(' ');
      return head === '' ? null : { head, number: number === undefined ? null : Number(number), copy: null, place };
    } catch {
      return null;
    }
  }

  set(name: string, head: string, number: number): void {
    try {
      makeFolder(this.#folder, this.#ground);
      replaceFile(path.join(this.#folder, name), `${head} ${number}\n`, this.#ground);
    } catch {
      // Without a mark a deleted branch looks like one that never was, as on a fresh machine.
    }
  }

  remove(name: string): void {
    try {
      removeFile(path.join(this.#folder, name), this.#ground);
    } catch {
      // The mark stays, so this removed branch looks like a deleted one.
    }
  }
}
