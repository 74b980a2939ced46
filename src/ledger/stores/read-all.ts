import { Failure } from '../../core/errors.ts';
import type { ReadBranch, Store } from './store.ts';

/** Branches of a store without `readAll` that are read side by side. */
const atOnce = 16;

/** All branches of a prefix, from any store. */
export const readAll = (store: Store, prefix: string): AsyncIterable<ReadBranch> => store.readAll?.(prefix) ?? readEach(store, prefix);

/** Reads the branches a few at a time, so that only a few trees are in memory. */
export async function* readEach(store: Pick<Store, 'list' | 'read'>, prefix: string): AsyncGenerator<ReadBranch> {
  const branches = (await store.list(prefix)).map(({ branch }) => branch).sort();
  for (let at = 0; at < branches.length; at += atOnce) {
    for (const found of await Promise.all(branches.slice(at, at + atOnce).map((branch) => readOne(store, branch)))) {
      if (found !== null) yield found;
    }
  }
}

/** `null` for a branch that was removed meanwhile. Throws what is no answer about the branch. */
export async function readOne(store: Pick<Store, 'read'>, branch: string): Promise<ReadBranch | null> {
  try {
    const tree = await store.read(branch);
    return tree && { branch, tree };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { branch, error };
  }
}
