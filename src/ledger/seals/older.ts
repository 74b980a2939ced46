import type { FileThen, Store, Tree } from '../stores/store.ts';
import { isSealed, type Place, type SealKey, type SealList } from './lists.ts';

/** A search looks through this many commits at first, and this many in all. A writer can hide a removed fact below commits of their own. */
const steps = [50, 1_000] as const;

/** Gives one file in the commits of a branch, newest first. The return value tells whether the branch has no more commits. */
export async function* fileBack(store: Store, branch: string, path: string): AsyncGenerator<FileThen, boolean> {
  let told = 0;
  for (const most of steps) {
    const { commits, isAll } = await pastOf(store, branch, path, most);
    for (const commit of commits.slice(told)) yield commit;
    told = commits.length;
    if (isAll) return true;
  }
  return false;
}

async function pastOf(store: Store, branch: string, path: string, most: number) {
  if (store.past) return await store.past(branch, path, most);
  const heads = (await store.history?.(branch, most)) ?? [];
  const trees = await Promise.all(heads.map((head) => store.readAt(branch, head)));
  return { commits: trees.flatMap((tree) => (tree ? [{ ...tree, text: tree.files.get(path) }] : [])), isAll: heads.length < most };
}

interface Search {
  /** Commits that hold a last list, and the facts that it names. */
  readonly heads: ReadonlySet<string>;
  /** Commits that the branch has lost. */
  readonly lost: readonly Tree[];
  /** Paths that were not found yet. */
  rest(): Iterable<string>;
  /** Takes what it wants of the files of a commit. */
  take(files: ReadonlyMap<string, string>): void;
}

/** A search looks for at most this many files one by one. Files of one push are found together. */
const mostSearches = 32;

/** Looks for files as older commits hold them. */
export async function searchOlder(store: Store, branch: string, { heads, lost, rest, take }: Search): Promise<void> {
  const tried = new Set<string>();
  const next = (): string | undefined => [...rest()].find((path) => !tried.has(path));
  for (const { files } of lost) take(files);
  for (const head of heads) {
    if (next() === undefined) return;
    take((await store.readAt(branch, head))?.files ?? new Map());
  }
  for (let path = next(); path !== undefined && tried.size < mostSearches; path = next()) {
    tried.add(path);
    const isMissing = (): boolean => [...rest()].includes(path ?? '');
    for await (const { head, text } of fileBack(store, branch, path)) {
      if (text === undefined) continue;
      take(new Map([[path, text]]));
      if (isMissing()) continue;
      take((await store.readAt(branch, head))?.files ?? new Map());
      break;
    }
  }
}

/** Gives the lists of a file that these keys sealed for this place. */
export function validLists(lists: readonly SealList[], keys: Iterable<SealKey>, place: Place): ReadonlyMap<string, SealList> {
  const found = new Map<string, SealList>();
  for (const key of keys) {
    const list = lists.find((one) => isSealed(one, key, place));
    if (list) found.set(key.id, list);
  }
  return found;
}
