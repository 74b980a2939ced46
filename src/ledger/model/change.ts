import { bounds } from '../../core/bounds.ts';
import type { Change, Files } from '../stores/store.ts';
import type { HistoryEntry, Intent, Lease, LedgerRecord, LeftObject, Receipt, SentDeletes, Snapshot } from './facts.ts';
import { factText, toText } from './file-text.ts';
import { type Deleted, type DeleteNews, deletesChange } from './sent-deletes.ts';
import { paths } from './state.ts';

/** One thing that becomes true in the ledger. */
export type Fact =
  /** Ends any intent of the same identity. `deleted`: the provider's answer to the delete of the object that a new one replaced. */
  | { readonly kind: 'record'; readonly record: LedgerRecord; readonly deleted?: Deleted }
  | { readonly kind: 'intent'; readonly intent: Intent }
  /** An intent that was never sent (ours), or that a believed find proved void (an earlier run's). */
  | { readonly kind: 'withdraw'; readonly identity: string }
  /**
   * The object is gone or let go, so record and intent end. `left`: the object stays and is remembered as ours. `deleted` as above.
   * `found`: the record of an object that only an intent named.
   */
  | {
      readonly kind: 'forget';
      readonly identity: string;
      readonly left?: LeftObject;
      readonly deleted?: Deleted;
      readonly found?: LedgerRecord;
    }
  /** Objects of these deletes were seen again, so a destroy looks whether they are gone. */
  | { readonly kind: 'noticed'; readonly deletes: readonly number[] }
  /** All objects of these deletes were seen gone. */
  | { readonly kind: 'looked'; readonly deletes: readonly number[] };

/** A finished run leaves this behind. */
export interface Ending {
  readonly receipt: Receipt;
  readonly history: HistoryEntry;
  /** How long after now an unanswered write of this run may still land; 0 when all were answered. */
  readonly quietForMs: number;
  /** Kept when the run did not reach its end. */
  readonly snapshot: Snapshot | null;
}

export const identityOf = (fact: Fact): string =>
  fact.kind === 'record' ? fact.record.identity : fact.kind === 'intent' ? fact.intent.identity : isOfDeletes(fact) ? '' : fact.identity;

/** A fact of no identity: it tells of deletes alone. */
export const isOfDeletes = (fact: Fact): fact is Extract<Fact, { kind: 'looked' | 'noticed' }> =>
  fact.kind === 'looked' || fact.kind === 'noticed';

function newsOf(fact: Fact): DeleteNews {
  if (fact.kind === 'looked') return { looked: fact.deletes };
  if (fact.kind === 'noticed') return { noticed: fact.deletes };
  if ((fact.kind !== 'forget' && fact.kind !== 'record') || fact.deleted === undefined) return {};
  const found = fact.kind === 'forget' ? fact.found : undefined;
  return { deleted: { identity: identityOf(fact), as: fact.deleted, ...(found && { found }) } };
}

/** Gives the fact that each path holds once all these are true. */
export function factsByPath(facts: readonly Fact[]): ReadonlyMap<string, LedgerRecord | Intent | LeftObject> {
  const byPath = new Map<string, LedgerRecord | Intent | LeftObject>();
  for (const fact of facts) {
    if (fact.kind === 'intent') byPath.set(paths.intent(fact.intent.identity), fact.intent);
    else if (fact.kind === 'record') byPath.set(paths.record(fact.record.identity), fact.record);
    else if (fact.kind === 'forget' && fact.left) byPath.set(paths.left(fact.identity), fact.left);
  }
  return byPath;
}

/** The files that one commit changes: facts, the lease, and the run's end or its position. A later fact of one identity wins. */
export function changeOf(o: {
  files: Files;
  /** The run, the commit that the change is built on, and the deletes that this commit notes. */
  base?: { readonly run: string; readonly head: string | null; readonly deletes: readonly SentDeletes[] };
  facts: readonly Fact[];
  lease: Lease | null;
  snapshot: Snapshot | null;
  ending: Ending | null;
}): Change {
  const change = new Map<string, string | null>();
  const remove = (path: string): void => {
    if (o.files.has(path)) change.set(path, null);
    else change.delete(path);
  };
  for (const fact of o.facts) {
    if (isOfDeletes(fact)) continue;
    if (fact.kind === 'intent') change.set(paths.intent(fact.intent.identity), factText(fact.intent));
    else remove(paths.intent(identityOf(fact)));
    if (fact.kind === 'record') change.set(paths.record(fact.record.identity), factText(fact.record));
    if (fact.kind === 'forget') remove(paths.record(fact.identity));
    if (fact.kind === 'forget' && fact.left) change.set(paths.left(fact.identity), factText(fact.left));
    else if (fact.kind === 'forget' || fact.kind === 'record') remove(paths.left(identityOf(fact)));
  }
  if (o.base) for (const [path, text] of deletesChange(o.facts.map(newsOf), o.base)) change.set(path, text);
  if (o.lease) change.set(paths.lease, toText(o.lease));
  if (o.snapshot) change.set(paths.snapshot, toText(o.snapshot));
  else remove(paths.snapshot);
  if (o.ending) {
    change.set(paths.receipt, toText(o.ending.receipt));
    change.set(paths.history, `${newerHalf(o.files.get(paths.history) ?? '')}${JSON.stringify(o.ending.history)}\n`);
  }
  return change;
}

/** A scope may live for years, and the next run reads its whole history. So a history that is too long loses its older half. */
function newerHalf(history: string): string {
  if (history.length <= bounds.history) return history;
  return history.slice(history.indexOf('\n', history.length / 2) + 1);
}
