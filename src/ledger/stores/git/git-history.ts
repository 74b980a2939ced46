import { bounds } from '../../../core/bounds.ts';
import type { FileThen } from '../store.ts';
import type { GitCache } from './git-cache.ts';
import { bytesOf, commitsBack, filesAt } from './git-objects.ts';
import { commitFacts } from './git-tree.ts';

/** How many commits are fetched: at first, then if those are too few, then all (in git's own number for that). */
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
  { wanted, seen }: { readonly wanted: string; readonly seen: string | null },
  fetch: (depth: number) => Promise<string | null>,
): Promise<string | null> {
  const here = seen === null ? null : (await commitsBack(cache, seen, depths[0] ?? 0)).commits.find((one) => one.startsWith(wanted));
  if (here) return here;
  for (const depth of depths) {
    const head = await fetch(depth);
    if (head === null) return null;
    const { commits, isCut } = await commitsBack(cache, head, depth);
    const found = commits.find((one) => one.startsWith(wanted));
    if (found !== undefined || !isCut) return found ?? null;
  }
  return null;
}

/** One file of the newest commits of a branch. The history ends where the texts have more bytes together than a ledger may have. */
export async function fileBack(
  cache: GitCache,
  fetch: (depth: number) => Promise<string | null>,
  { path, most }: { readonly path: string; readonly most: number },
): Promise<{ readonly commits: readonly FileThen[]; readonly isAll: boolean }> {
  const head = await fetch(most);
  if (head === null) return { commits: [], isAll: true };
  const { commits, isCut } = await commitsBack(cache, head, most);
  const files = await filesAt(
    cache,
    commits.map((commit) => `${commit}:${path}`),
  );
  const sizes = new Map<string, number>();
  let length = 0;
  const end = files.findIndex((file) => {
    if (file === null || sizes.has(file.oid)) return false;
    sizes.set(file.oid, file.size);
    length += file.size;
    if (length > bounds.ledger) sizes.delete(file.oid);
    return length > bounds.ledger;
  });
  const read = commits.slice(0, end < 0 ? commits.length : end);
  const heads = await bytesOf(cache, read, bounds.ledger);
  const texts = await bytesOf(cache, [...sizes.keys()], bounds.ledger);
  return {
    commits: read.map((commit, i) => ({
      head: commit,
      text: texts?.get(files[i]?.oid ?? '')?.toString('utf8'),
      ...commitFacts(heads?.get(commit)?.toString('latin1') ?? ''),
    })),
    isAll: !isCut && end < 0,
  };
}

/**
 * Whether `older` is in the history of `head`. The search begins with the commits that are here, and goes further back for as long as the
 * remote has more: a history that a fetch cut off proves nothing. `false` only when the whole history was seen.
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
