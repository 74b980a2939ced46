import type { HistoryEntry, Renewal } from '../../ledger/model/facts.ts';
import { paths } from '../../ledger/model/state.ts';
import type { Place, SealKey } from '../../ledger/seals/lists.ts';
import { fileBack } from '../../ledger/seals/older.ts';
import { isRenewalSealed } from '../../ledger/seals/renewal.ts';
import type { FileThen, Store } from '../../ledger/stores/store.ts';
import { isApply } from '../timing/staleness.ts';

/** Why nobody knows when a scope ends, as the end of a sentence. */
export interface NoRenewal {
  readonly why: string;
}

/**
 * The renewal of the last apply, where a key of this run vouches for it. Anybody who can push could write an older date, or put an older
 * line of history back. The code in a line names the commit below the line's own, so the line counts only in the commit that its run made,
 * and only while no apply stands after it.
 */
export async function lastRenewal(o: {
  readonly store: Store;
  readonly place: Place;
  readonly keys: readonly SealKey[];
  readonly history: readonly HistoryEntry[];
}): Promise<Renewal | NoRenewal> {
  const last = o.history.findLast(isApply);
  if (!last) return { why: 'no apply of it has ended' };
  if (!last.renewed) return { why: 'its last apply stored no end' };
  const made = await commitOf(o.store, o.place.branch, last.run);
  if (made === null) return { why: 'the commit of its last apply was not found' };
  const isSealed = isRenewalSealed(last, o.keys, o.place, made.on);
  return isSealed ? last.renewed : { why: 'no credential of this run sealed its end' };
}

/**
 * The commit that the last apply's own commit is built on: of those on top of each other whose history ends with that apply, the oldest.
 * `null` where the search did not get that far.
 */
async function commitOf(store: Store, branch: string, run: string): Promise<{ readonly on: string | null } | null> {
  let made: FileThen | null = null;
  const commits = fileBack(store, branch, paths.history);
  for (;;) {
    const { done, value } = await commits.next();
    if (done) return made && value ? { on: made.parent ?? null } : null;
    if (lastApplyIn(value.text) === run) {
      made = value;
      continue;
    }
    await commits.return(true);
    // Some stores do not tell the parent of a commit. It is the next one of the branch.
    return made && { on: made.parent === undefined ? value.head : made.parent };
  }
}

/** The run of the last apply in a history, as text. */
function lastApplyIn(text: string | undefined): string | null {
  try {
    const entries = (text ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as HistoryEntry);
    return entries.findLast(isApply)?.run ?? null;
  } catch {
    return null;
  }
}
