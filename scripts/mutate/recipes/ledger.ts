import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Store } from '../../../src/ledger/stores/store.ts';
import { MemoryRemote } from '../../../test/support/memory-store.ts';

const remotes = new Map<string, MemoryRemote>();

/** In place of the ledger in a folder: one in memory, which nobody waits for. What it is told is in a file as well, where tests look for secrets. */
export function openLocalStore({ folder }: { readonly folder: string }): Store {
  const known = remotes.get(folder);
  if (known) return known.open();
  const remote = new MemoryRemote();
  mkdirSync(dirname(folder), { recursive: true });
  remote.after = (branch, change) => appendFileSync(folder, `${branch}\n${[...change].flat().join('\n')}\n`);
  remotes.set(folder, remote);
  return remote.open();
}

/** Worlds that no test will ask for again. */
export const forgetLedgers = (): void => remotes.clear();
