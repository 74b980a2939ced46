import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Remembered } from '../store.ts';

export interface Mark extends Remembered {
  /** Of the commit; earlier versions did not write it down. */
  readonly number: number | null;
}

/**
 * The last head of each branch of a local ledger, in `last/` beside its folder. When the ledger or a branch of it was deleted,
 * the mark still tells that there was one. It is only a mark: a write of it that fails is no error.
 */
export function localMarks(folder: string): {
  of(home: string): Promise<Mark | null>;
  set(home: string, head: string, number: number): void;
  remove(home: string): Promise<void>;
} {
  const placeOf = (home: string): string => path.join(path.dirname(folder), 'last', path.basename(home));
  return {
    of: async (home) => {
      const text = await readFile(placeOf(home), 'utf8').catch(() => '');
      const [head = '', number] = text.trim().split(' ');
      return head === '' ? null : { head, number: number === undefined ? null : Number(number), copy: null, place: placeOf(home) };
    },
    set: (home, head, number) => {
      try {
        mkdirSync(path.dirname(placeOf(home)), { recursive: true });
        writeFileSync(placeOf(home), `${head} ${number}\n`);
      } catch {
        // Without it a deleted branch looks like one that never was, as on a fresh machine.
      }
    },
    remove: (home) => rm(placeOf(home), { force: true }).catch(() => undefined),
  };
}
