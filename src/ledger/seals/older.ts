import type { Store } from '../stores/store.ts';
import { isSealed, type Place, parseLists, type SealKey, type SealList, sealsPath } from './lists.ts';

/** An older commit of a branch, as far as a search for lost facts needs it. */
export interface OlderCommit {
  readonly files: ReadonlyMap<string, string>;
  /** The lists of the run's keys, by key. */
  readonly lists: ReadonlyMap<string, SealList>;
}

/** The commits that a search reads at most, newest first. */
const most = 50;

/** Reads older commits, newest first, for as long as `isEnough` says no. `keysOf` gives the keys that a commit's lists may be of. */
export async function searchOlder(
  store: Store,
  place: Place,
  keysOf: (lists: readonly SealList[]) => Promise<readonly SealKey[]>,
  isEnough: (commit: OlderCommit) => boolean,
): Promise<void> {
  const [, ...older] = (await store.history?.(place.branch, most)) ?? [];
  for (const head of older) {
    const tree = await store.readAt(place.branch, head);
    if (tree === null) continue;
    const all = parseLists(tree.files.get(sealsPath));
    if (isEnough({ files: tree.files, lists: validLists(all, await keysOf(all), place) })) return;
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
