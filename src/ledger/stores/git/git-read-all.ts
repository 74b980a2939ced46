import { Failure } from '../../../core/errors.ts';
import { readOne } from '../read-all.ts';
import type { ReadBranch, Store } from '../store.ts';
import { freshGitCache, type GitCache } from './git-cache.ts';
import { formatOf } from './git-format.ts';
import { type Head, readTrees } from './git-many-trees.ts';
import type { GitRemote } from './git-remote.ts';

/** After this many fetches no further part is asked for. */
const mostFetches = 40;
/** So many branches that did not come with the others are read one by one. */
const mostAlone = 64;

export interface ManyReads {
  readonly remote: GitRemote;
  readonly env: NodeJS.ProcessEnv;
  /** Reads one branch with all its checks. */
  readonly store: Pick<Store, 'read' | 'stats'>;
  /** The short name of a ref, as the caller asked for it. */
  readonly nameOf: (ref: string) => string;
  /** Repeats a read while its trouble may pass. */
  readonly persist: <T>(read: () => Promise<T>) => Promise<T>;
}

/**
 * The newest commits of many branches by one fetch, into a repository that is removed at the end. A remote gives all branches or none: one that
 * is damaged or too large keeps all others away. So a fetch that fails is repeated with each half of its branches, and a branch that never
 * comes with others is read alone, which tells why.
 */
export async function* readMany(o: ManyReads, heads: readonly Head[]): AsyncGenerator<ReadBranch> {
  yield* readPart(o, heads, { fetches: mostFetches, alone: mostAlone });
}

interface Budget {
  fetches: number;
  alone: number;
}

async function* readPart(o: ManyReads, heads: readonly Head[], budget: Budget): AsyncGenerator<ReadBranch> {
  if (heads.length === 0) return;
  if (budget.fetches === 0 || heads.length === 1) return yield* readAlone(o, heads, budget);
  budget.fetches -= 1;
  const cache = await freshGitCache(o.env, formatOf(heads[0]?.head ?? ''));
  try {
    const came = await bring(o, heads, cache);
    if (came === 'one at a time') return yield* readAlone(o, heads, { fetches: 0, alone: heads.length });
    if (came === 'all') {
      for await (const { tree, ...one } of readTrees(cache, heads)) {
        if (tree === null) yield* readAlone(o, [one], budget);
        else yield { branch: o.nameOf(one.ref), tree };
      }
      return;
    }
  } finally {
    await cache.remove();
  }
  const half = Math.ceil(heads.length / 2);
  yield* readPart(o, heads.slice(0, half), budget);
  yield* readPart(o, heads.slice(half), budget);
}

async function bring(
  { remote, store, persist }: ManyReads,
  heads: readonly Head[],
  cache: GitCache,
): Promise<'all' | 'one at a time' | 'none'> {
  try {
    store.stats.fetches += 1;
    return (await persist(() => remote.bringAll(heads, cache))) ? 'all' : 'one at a time';
  } catch {
    // A place that cannot be reached, or lets this run in no longer, does not tell its heads either, and no half would come.
    await persist(() => remote.heads(heads[0]?.ref ?? '', { isForPush: false }));
    return 'none';
  }
}

async function* readAlone({ store, nameOf }: ManyReads, heads: readonly Head[], budget: Budget): AsyncGenerator<ReadBranch> {
  for (const { ref } of heads) {
    const branch = nameOf(ref);
    budget.alone -= 1;
    const found = budget.alone >= 0 ? await readOne(store, branch) : { branch, error: notRead(branch) };
    if (found !== null) yield found;
  }
}

const notRead = (branch: string): Failure =>
  new Failure('LEDGER_REFUSED', {
    detail: `The ledger ${branch} did not come with the others, and neither did ${mostAlone} ledgers before it, so it was not read.`,
    fix: 'Look at this scope alone, or mend the ledgers that come with an error before it.',
  });
