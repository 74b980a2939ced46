import type { GitCache } from './git-cache.ts';
import { gitLibrary } from './git-library.ts';

/** How many commits are fetched at first, then if that was too few, then whatever there is (git's own word for all). */
const depths = [50, 1_000, 2_147_483_647];

/** The newest commits of a branch, without those before the first fetch ends. */
export async function lastCommits(
  cache: GitCache,
  fetch: (depth: number) => Promise<string | null>,
  most = 50,
): Promise<readonly string[]> {
  const git = await gitLibrary();
  const found: string[] = [];
  for (let at = await fetch(most); at !== null && found.length < most; ) {
    const commit = await git.readCommit({ ...cache, oid: at }).catch(() => null);
    if (commit === null) break;
    found.push(at);
    at = commit.commit.parent[0] ?? null;
  }
  return found;
}

/**
 * Looks for a commit in the history of a branch, by its id or the start of it. Only the first parents are followed: a receipts
 * branch has no others. `null` when the branch, or such a commit on it, does not exist.
 */
export async function olderCommit(
  cache: GitCache,
  wanted: string,
  fetch: (depth: number) => Promise<string | null>,
): Promise<{ readonly oid: string; readonly tree: string } | null> {
  const git = await gitLibrary();
  for (const depth of depths) {
    let at = await fetch(depth);
    for (let steps = 0; at !== null && steps < depth; steps += 1) {
      const found = await git.readCommit({ ...cache, oid: at }).catch(() => null);
      // Here the history was cut off by the fetch.
      if (found === null) break;
      if (at.startsWith(wanted)) return { oid: at, tree: found.commit.tree };
      at = found.commit.parent[0] ?? null;
    }
    if (at === null) return null;
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
  const git = await gitLibrary();
  for (const depth of [0, ...depths]) {
    let at = depth === 0 ? head : await fetch(depth);
    const most = depth === 0 ? (depths[0] ?? 0) : depth;
    for (let steps = 0; at !== null && steps < most; steps += 1) {
      if (at === older) return true;
      const found = await git.readCommit({ ...cache, oid: at }).catch(() => null);
      if (found === null) break;
      at = found.commit.parent[0] ?? null;
      if (at === null) return false;
    }
  }
  return false;
}
