import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readFile, rm } from '../core/files.ts';
import type { Remembered } from './store.ts';

/**
 * The last head of each branch of a local ledger, in `last/` beside its folder. When the ledger or a branch of it was deleted,
 * the mark still tells that there was one. It is only a mark: a write of it that fails is no error.
 */
export function localMarks(folder: string): {
  of(home: string): Promise<Remembered | null>;
  set(home: string, head: string): void;
  remove(home: string): Promise<void>;
} {
  const placeOf = (home: string): string => path.join(path.dirname(folder), 'last', path.basename(home));
  return {
    of: async (home) => {
      const text = await readFile(placeOf(home), 'utf8').catch(() => '');
      return text === '' ? null : { head: text.trim(), copy: null, place: placeOf(home) };
    },
    set: (home, head) => {
      try {
        mkdirSync(path.dirname(placeOf(home)), { recursive: true });
        writeFileSync(placeOf(home), `${head}\n`);
      } catch {
        // Without it a deleted branch looks like one that never was, as on a fresh machine.
      }
    },
    remove: (home) => rm(placeOf(home), { force: true }).catch(() => undefined),
  };
}
