import { type Belonging, belongingOf } from '../ledger/model/belongs.ts';
import type { LedgerState } from '../ledger/model/facts.ts';
import { receiptsBranch, type ScopeName, scopeOf } from '../ledger/model/names.ts';
import type { Tree } from '../ledger/stores/store.ts';
import type { ClosedWork } from './closed-work.ts';
import { noPlan } from './prepare/destroy-target.ts';
import { trustInTree } from './trust/open-trust.ts';

/**
 * Reads the seals of a scope: how many facts of this run's keys its ledger lacks, as far as anybody can tell, and which pull requests the
 * seals and the history name. Anybody with the right to push could take facts out, write that the scope was destroyed, or name a closed
 * pull request.
 */
export async function sealedOf(
  { request, world, redactor, plan, store, readSecret }: ClosedWork,
  branch: string,
  tree: Tree,
  state: LedgerState,
) {
  const facts = world.repository ?? null;
  const trust = trustInTree({ env: request.env, redactor, facts, plan: plan ?? noPlan, branch, store, readSecret }, tree, state);
  const missing = (await trust.missing()).length + (trust.isUnsure ? 1 : 0);
  const lists = [...trust.lists.now().values()];
  const belonging = belongingOf(state, lists);
  // A run for a pull request names it in each list of its keys. So another hand wrote a number that none of these lists has.
  const isDoubtful = belonging.pulls.length > 0 && lists.length > 0 && lists.every(({ pulls }) => pulls.length === 0);
  return { missing, ...belonging, isDoubtful };
}

/** A name that is too long for a branch stands only in the receipt. */
export function nameOf(branch: string, { receipt }: LedgerState, environment: string): ScopeName | null {
  const name = scopeOf(branch);
  if (name || !receipt) return name;
  const { scope, plan } = receipt;
  return typeof scope === 'string' && receiptsBranch(environment, scope, plan) === branch ? { environment, scope, plan } : null;
}

/** The receipts of a fork's parent come with the fork; their numbers are of other pull requests. */
export function isOurs({ host, store, world }: ClosedWork, repositories: Belonging['repositories']): boolean {
  const ours = new Set(
    [host.repository, world.repository?.slug, world.repository?.remoteUrl, store.location].map((one) => one?.toLowerCase()),
  );
  return repositories.every((one) => ours.has(one.toLowerCase()));
}
