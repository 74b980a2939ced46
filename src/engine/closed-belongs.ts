import { type Belonging, belongingOf } from '../ledger/model/belongs.ts';
import type { LedgerState } from '../ledger/model/facts.ts';
import { scopeOf } from '../ledger/model/names.ts';
import type { Tree } from '../ledger/stores/store.ts';
import type { RepositoryFacts } from '../platform/checkout.ts';
import type { ClosedWork } from './closed-work.ts';
import type { ClosedScopeDoc } from './document.ts';
import { ownNames } from './own-repository.ts';
import { noPlan } from './prepare/destroy-target.ts';
import { trustInTree } from './trust/open-trust.ts';

interface Sealed {
  readonly facts: RepositoryFacts | null;
  readonly branch: string;
  readonly tree: Tree;
  readonly state: LedgerState;
}

/**
 * Reads the seals of a scope: how many facts of this run's keys its ledger lacks, as far as anybody can tell, and which pull requests the
 * seals and the history name. Anybody with the right to push could take facts out, write that the scope was destroyed, or name a closed
 * pull request.
 */
export async function sealedOf(work: ClosedWork, { facts, branch, tree, state }: Sealed) {
  const { request, redactor, plan, store, readSecret } = work;
  const trust = trustInTree({ env: request.env, redactor, facts, plan: plan ?? noPlan, branch, store, readSecret }, tree, state);
  const missing = (await trust.missing()).length + (trust.isUnsure ? 1 : 0);
  const lists = [...trust.lists.now().values()];
  const belonging = belongingOf(state, lists);
  // A run for a pull request names it in each list of its keys. So another hand wrote a number that none of these lists has.
  const isDoubtful = belonging.pulls.length > 0 && lists.length > 0 && lists.every(({ pulls }) => pulls.length === 0);
  return { missing, ...belonging, isDoubtful, trust };
}

/**
 * The repository that the facts of a scope are of, as this run knows it; `foreign` for one of another repository. The receipts of a fork's
 * parent come with the fork, and their numbers are of other pull requests. A scope from before a rename keeps the earlier name, which its
 * seals are bound to.
 */
export async function repositoryOf(
  { host, store, world, pulls: asked }: ClosedWork,
  { pulls, repositories }: Belonging,
): Promise<RepositoryFacts | null | 'foreign'> {
  const facts = world.repository ?? null;
  const isKnown = ownNames(host, facts, store.location);
  for (const one of repositories) if (!isKnown(one) && !(await asked.isEarlierName(one, pulls[0] ?? 0))) return 'foreign';
  const last = repositories.at(-1);
  return facts === null || last === undefined || isKnown(last) ? facts : { ...facts, slug: last };
}

/** The end of a scope whose turn did not come. */
export const notReached = (branch: string, pullRequests: readonly number[] = []): ClosedScopeDoc => {
  const name = scopeOf(branch);
  const facts = { scope: name?.scope ?? null, plan: name?.plan ?? null, branch, pullRequests };
  return { ...facts, outcome: 'interrupted', why: 'the run was interrupted before its turn' };
};
