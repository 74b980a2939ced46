import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Remembered } from './store.ts';

/**
 * The last head of each branch of a local ledger, in `last/` beside its folder. When the ledger or a branch of it was deleted,
 * the mark still tells that there was one. It is only a mark: a write of it that fails is no error.
 */
export function localMarks(folder: string): {
  of(home: string): Promise<Remembered | null>;
  /** Nobody waits for a mark. */
  set(home: string, head: string): void;
  remove(home: string): Promise<void>;
  /** Resolves when none is being written. */
  settled(): Promise<void>;
} {
  const placeOf = (home: string): string => path.join(path.dirname(folder), 'last', path.basename(home));
  let writing = Promise.resolve();
  const write = async (home: string, head: string): Promise<void> => {
    try {
      await mkdir(path.dirname(placeOf(home)), { recursive: true });
      await writeFile(placeOf(home), `${head}\n`);
    } catch {
      // Without it a deleted branch looks like one that never was, as on a fresh machine.
    }
  };
  return {
    of: async (home) => {
      await writing;
      const text = await readFile(placeOf(home), 'utf8').catch(() => '');
      return text === '' ? null : { head: text.trim(), copy: null, place: placeOf(home) };
    },
    set: (home, head) => {
      writing = writing.then(() => write(home, head));
    },
    remove: async (home) => {
      await writing;
      await rm(placeOf(home), { force: true }).catch(() => undefined);
    },
    settled: () => writing,
  };
}
