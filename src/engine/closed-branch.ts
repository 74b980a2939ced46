import type { HistoryEntry, LedgerState } from '../ledger/model/facts.ts';
import { noteRemoved } from '../ledger/model/removed.ts';
import { HeadMoved } from '../ledger/stores/store.ts';
import type { ClosedWork, Say, Scope } from './closed-work.ts';
import type { ClosedScopeDoc } from './document.ts';

/** This goes by the clock of the machine, which may be wrong. So it only spares the host a question. */
export function isLongAgo({ clock, request }: ClosedWork, { at, outcome }: HistoryEntry): boolean {
  return outcome === 'destroyed: complete' && clock.now() - Date.parse(at) > request.keepReceiptsDays * 86_400_000;
}

/** Whether nobody touched the pull requests for that many days, by the host's own clock. True for a host that does not tell its time. */
export function isLongAgoThere({ client, host, request }: ClosedWork, changed: readonly string[]): boolean {
  const now = client.api(host.block).time?.() ?? null;
  return now === null || changed.every((at) => !(now - Date.parse(at) <= request.keepReceiptsDays * 86_400_000));
}

/** A scope that holds nothing and whose end nobody noted costs no question until a sweep may remove its branch. */
export function isRecent({ clock, request }: ClosedWork, { history, lease }: LedgerState): boolean {
  const at = Date.parse(history.at(-1)?.at ?? lease?.at ?? '');
  return clock.now() - at <= request.keepReceiptsDays * 86_400_000;
}

/** Removes a branch. Its last line goes to `_history` first: a late event must never meet a scope whose end nobody remembers. */
export async function removeBranch(work: ClosedWork, scope: Scope, last: HistoryEntry, say: Say): Promise<ClosedScopeDoc> {
  const { store, clock, request } = work;
  const { branch, head, plan, isHeld } = scope;
  if (isHeld) return say('kept', 'a run holds it');
  const why = `it was destroyed at ${last.at}, more than ${request.keepReceiptsDays} days ago`;
  if (request.isPlan) return say('would remove', why);
  const removedAt = new Date(clock.now()).toISOString();
  await noteRemoved(store, request.environment, { v: 1, scope: scope.scope, plan, branch, head, removedAt, last });
  try {
    await store.remove(branch, head);
  } catch (error) {
    if (!(error instanceof HeadMoved)) throw error;
    if ((await store.head(branch)) !== null) return say('kept', 'another run wrote to it meanwhile');
  }
  return say('removed', why);
}
