import type { FileThen, Store, Tree } from '../stores/store.ts';
import { isSealed, type Place, type SealKey, type SealList, sealsPath } from './lists.ts';

/** So many commits are looked through for lists and facts that are missing, */
const few = 50;
/** and so many for the commit that wrote a list: whoever pushes hides it below commits of theirs. */
const many = 1_000;

/** Commits of a branch, newest first: a few, and many for whoever goes on after those. Tells at its end whether these were all that there are. */
export async function* sealsBack(store: Store, branch: string): AsyncGenerator<FileThen & { readonly isFar: boolean }, boolean> {
  let told = 0;
  for (const most of [few, many]) {
    const { commits, isAll } = await sealsOf(store, branch, most);
    for (const commit of commits.slice(told)) yield { ...commit, isFar: told++ >= few };
    if (isAll) return true;
  }
  return false;
}

async function sealsOf(store: Store, branch: string, most: number): Promise<{ commits: readonly FileThen[]; isAll: boolean }> {
  if (store.past) return await store.past(branch, sealsPath, most);
  const heads = (await store.history?.(branch, most)) ?? [];
  const trees = await Promise.all(heads.map((head) => store.readAt(branch, head)));
  return {
    commits: trees.flatMap((tree) => (tree ? [{ ...tree, text: tree.files.get(sealsPath) }] : [])),
    isAll: heads.length < most,
  };
}

/** Looks at commits with all their files for as long as `isEnough` says no: those that are lost, those of `heads`, then older ones, newest first. */
export async function searchOlder(
  store: Store,
  branch: string,
  { heads, lost }: { readonly heads: ReadonlySet<string>; readonly lost: readonly Tree[] },
  isEnough: (files: ReadonlyMap<string, string>) => boolean,
): Promise<void> {
  const read = async (head: string): Promise<boolean> => {
    const tree = await store.readAt(branch, head);
    return tree !== null && isEnough(tree.files);
  };
  if (lost.some(({ files }) => isEnough(files))) return;
  for (const head of heads) if (await read(head)) return;
  const [, ...older] = (await store.history?.(branch, few)) ?? [];
  for (const head of older) {
    if (await read(head)) return;
  }
}

/** Of the lists in a file, those that these keys sealed for this place. */
export function validLists(lists: readonly SealList[], keys: Iterable<SealKey>, place: Place): ReadonlyMap<string, SealList> {
  const found = new Map<string, SealList>();
  for (const key of keys) {
    const list = lists.find((one) => isSealed(one, key, place));
    if (list) found.set(key.id, list);
  }
  return found;
}
