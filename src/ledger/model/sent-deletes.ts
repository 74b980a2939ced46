import type { LedgerRecord, SentDeletes } from './facts.ts';
import { factText } from './file-text.ts';
import { ledgerVersion } from './version.ts';

/** The file with the deletes of one push. One file for all pushes would grow, and each push would write it again. */
export const deletesPath = (n: number): string => `deletes/${String(n).padStart(6, '0')}.json`;
export const isDeletesPath = (path: string): boolean => path.startsWith('deletes/');

/**
 * The first characters of an identity, which choose among the records of one commit. Two identities that begin alike are both chosen.
 * The record then tells which object stands.
 */
export const shortIdentity = (identity: string): string => identity.slice(0, 6);

/** The provider's answer to a delete: done, or only accepted (202), which may come to nothing. */
export type Deleted = 'done' | 'accepted';

/** One fact tells this of deletes. */
export interface DeleteNews {
  readonly deleted?: { readonly identity: string; readonly as: Deleted; readonly found?: LedgerRecord };
  /** Objects of these deletes were seen, although the deletes were accepted. */
  readonly noticed?: readonly number[];
  /** All objects of these deletes were seen gone. */
  readonly looked?: readonly number[];
}

/** The ledger keeps at most this many files. Only a scope that lives long and replaces much has more. */
export const mostDeletes = 64;

/** The files that change, by path. */
export function deletesChange(
  news: readonly DeleteNews[],
  base: { readonly run: string; readonly head: string | null; readonly deletes: readonly SentDeletes[] },
): ReadonlyMap<string, string | null> {
  const { run, head, deletes } = base;
  const change = new Map<string, string | null>();
  const noticed = new Set(news.flatMap((one) => one.noticed ?? []));
  for (const sent of deletes) {
    if (noticed.has(sent.n) && sent.open !== true) change.set(deletesPath(sent.n), textOf({ ...sent, open: true }));
  }
  for (const n of news.flatMap(({ looked = [] }) => looked)) if (deletes.some((one) => one.n === n)) change.set(deletesPath(n), null);
  const made = news.flatMap(({ deleted }) => (deleted ? [deleted] : []));
  if (made.length === 0 || head === null) return change;
  const n = (deletes.at(-1)?.n ?? 0) + 1;
  const records = made.flatMap(({ found }) => (found ? [found] : []));
  const of = made.map(({ identity }) => shortIdentity(identity)).join(' ');
  const isOpen = made.some(({ as }) => as === 'accepted');
  change.set(deletesPath(n), textOf({ v: 1, n, run, head, of, ...(isOpen && { open: true }), ...(records.length > 0 && { records }) }));
  for (const old of deletes.slice(0, Math.max(0, deletes.length + 1 - mostDeletes))) change.set(deletesPath(old.n), null);
  return change;
}

const textOf = (sent: SentDeletes): string => factText({ ...sent, v: ledgerVersion });
