import type { GitCache } from './git-cache.ts';
import { commitsBack } from './git-objects.ts';

/** How many commits are fetched at first, then if that was too few, then whatever there is (git's own word for all). */
const depths = [50, 1_000, 2_147_483_647];

/** The newest commits of a branch, without those before the first fetch ends. */
export async function lastCommits(
  cache: GitCache,
  fetch: (depth: number) => Promise<string | null>,
  most = 50,
): Promise<readonly string[]> {
  const head = await fetch(most);
  return head === null ? [] : (await commitsBack(cache, head, most)).commits;
}

/**
 * Looks for a commit in the history of a branch, by its id or the start of it. Only the first parents are followed: a receipts
 * branch has no others. `null` when the branch, or such a commit on it, does not exist.
 */
export async function olderCommit(
  cache: GitCache,
  wanted: string,
  fetch: (depth: number) => Promise<string | null>,
): Promise<string | null> {
  for (const depth of depths) {
    const head = await fetch(depth);
    if (head === null) return null;
    const { commits, isCut } = await commitsBack(cache, head, depth);
    const found = commits.find((one) => one.startsWith(wanted));
    if (found !== undefined || !isCut) return found ?? null;
  }
  return null;
}

/**
 * Whether `older` is in the history of `head`. It is looked for in what is here, and further back for as long as the remote has more: a
 * history that a fetch cut off says nothing. `false` only where the whole of it was seen.
 */
export async function leadsBack(
  cache: GitCache,
  { head, older }: { readonly head: string; readonly older: string },
  fetch: (depth: number) => Promise<string | null>,
): Promise<boolean> {
  for (const depth of [0, ...depths]) {
    const at = depth === 0 ? head : await fetch(depth);
    if (at === null) return false;
    const { commits, isCut } = await commitsBack(cache, at, depth || (depths[0] ?? 0));
    if (commits.includes(older)) return true;
    if (!isCut) return false;
  }
  return false;
}
