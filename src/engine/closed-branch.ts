import type { HistoryEntry, LedgerState } from '../ledger/model/facts.ts';
import { kept, noteRemoved } from '../ledger/model/removed.ts';
import { HeadMoved, type Tree } from '../ledger/stores/store.ts';
import type { ClosedWork, Say, Scope } from './closed-work.ts';
import type { ClosedScopeDoc } from './document.ts';

const day = 86_400_000;

/** Only the commits of the branch tell how an object is found whose delete a provider has only accepted. They stay this many days at least. */
const deletesDays = 90;

/** This goes by the clock of the machine, which may be wrong. So it only spares the host a question. */
export function isLongAgo({ clock, request }: ClosedWork, { deletes }: LedgerState, { at, outcome }: HistoryEntry): boolean {
  const isOpen = deletes?.some(({ open }) => open === true) === true;
  const days = isOpen ? Math.max(deletesDays, request.keepReceiptsDays) : request.keepReceiptsDays;
  return outcome === 'destroyed: complete' && clock.now() - Date.parse(at) > days * day;
}

/** Whether nobody touched the pull requests for that many days, by the host's own clock. True for a host that does not tell its time. */
export function isLongAgoThere({ client, host, request }: ClosedWork, changed: readonly string[]): boolean {
  const now = client.api(host.block).time?.() ?? null;
  return now === null || changed.every((at) => !(now - Date.parse(at) <= request.keepReceiptsDays * day));
}

/** A scope that holds nothing and whose end nobody noted costs no question until a sweep may remove its branch. */
export function isRecent({ clock, request }: ClosedWork, { history, lease }: LedgerState): boolean {
  const at = Date.parse(history.at(-1)?.at ?? lease?.at ?? '');
  return clock.now() - at <= request.keepReceiptsDays * day;
}

/**
 * Packs a branch: its note goes to `_history`, then the branch is removed. A sweep that dies in between leaves both, and the next one goes
 * on. A late event must never meet a scope whose end nobody remembers, and no return one whose left objects nobody names.
 */
export async function packBranch(work: ClosedWork, scope: Scope, { last, tree }: Ended, say: Say): Promise<ClosedScopeDoc> {
  const { store, clock, request } = work;
  const { branch, plan, isHeld } = scope;
  const { head } = tree;
  if (isHeld) return say('kept', 'a run holds it');
  const why = `it was destroyed at ${last.at}, more than ${daysText(request.keepReceiptsDays)} ago`;
  if (request.isPlan) return say('would remove', why);
  const removedAt = new Date(clock.now()).toISOString();
  await noteRemoved(store, request.environment, { v: 1, scope: scope.scope, plan, branch, head, removedAt, last, ...kept(tree) });
  try {
    await store.remove(branch, head);
  } catch (error) {
    if (!(error instanceof HeadMoved)) throw error;
    if ((await store.head(branch)) !== null) return say('kept', 'another run wrote to it meanwhile');
  }
  return say('removed', why);
}

/** The last line of a destroyed scope, and its branch as the sweep read it. */
export interface Ended {
  readonly last: HistoryEntry;
  readonly tree: Tree;
}

const daysText = (days: number): string => (days === 1 ? 'a day' : `${days} days`);
