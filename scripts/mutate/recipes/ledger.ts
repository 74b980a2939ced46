import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Store } from '../../../src/ledger/stores/store.ts';
import { MemoryRemote } from '../../../test/support/memory-store.ts';

const remotes = new Map<string, MemoryRemote>();

/**
 * Replaces the ledger in a folder by one in memory, which is faster. It also writes its content to a file, where tests look for secrets.
 */
export function openLocalStore({ folder }: { readonly folder: string }): Store {
  const known = remotes.get(folder);
  if (known) return known.open();
  const remote = new MemoryRemote();
  mkdirSync(dirname(folder), { recursive: true });
  remote.after = (branch, change) => appendFileSync(folder, `${branch}\n${[...change].flat().join('\n')}\n`);
  remotes.set(folder, remote);
  return remote.open();
}

/** Drops the ledgers of worlds that no test uses any more. */
export const forgetLedgers = (): void => remotes.clear();
