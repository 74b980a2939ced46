import { systemClock } from '../../core/clock.ts';
import { type ErrorData, type Failure, toErrorData } from '../../core/errors.ts';
import { historyBranch, receiptsOf, scopeOf } from '../../ledger/model/names.ts';
import { isLedgerDamage, parseState } from '../../ledger/model/state.ts';
import { readAll } from '../../ledger/stores/read-all.ts';
import type { ReadBranch } from '../../ledger/stores/store.ts';
import { type OpenLedger, withLedger } from '../finish/receipts.ts';
import type { ListDoc, ScopeRow } from '../stands-document.ts';
import type { RunRequest, RunWorld } from '../types.ts';
import { pullsNow } from './pulls.ts';
import { type LedgerRow, type ReadScope, rowOf } from './scope-row.ts';

export type ListRequest = Pick<RunRequest, 'cwd' | 'env' | 'plan' | 'environment'>;

/**
 * Tells every scope of the environment, as the ledgers have it: of the plan at hand, or of all plans where none is. It reads the ledgers by one
 * fetch and the open pull requests by pages, and asks no provider.
 */
export function listScopes(request: ListRequest, world: RunWorld = {}): Promise<ListDoc> {
  return withLedger({ ...request, scope: null, pr: null, isWhole: true }, world, (ledger) => list(request, world, ledger));
}

async function list({ env, environment }: ListRequest, world: RunWorld, ledger: OpenLedger): Promise<ListDoc> {
  const clock = world.clock ?? systemClock;
  const started = clock.mono();
  const { store, redactor, repository } = ledger;
  const found: (ReadScope & { readonly error?: ErrorData })[] = [];
  for await (const branch of readAll(store, receiptsOf(environment))) {
    world.signal?.throwIfAborted();
    if (branch.branch === historyBranch(environment)) continue;
    const scope = readScope(branch, environment);
    if (!ledger.hasPlan || scope.row.scope === null || scope.row.plan === ledger.planName) found.push(scope);
  }
  const belongings = found.map(({ belongs }) => belongs);
  const pulls = await pullsNow(belongings, { env, repository, location: store.location, redactor, clock, world });
  const scopes = found
    .map(({ row, belongs, error }): ScopeRow => {
      if (error) return { ...row, pulls: { numbers: [], state: 'unknown' }, error };
      return { ...row, pulls: pulls.of(belongs) };
    })
    .sort(byAge);
  const error = scopes.length > 0 && scopes.every((row) => row.error) ? scopes[0]?.error : undefined;
  return {
    schema: 1,
    ok: error === undefined,
    command: 'list',
    environment,
    ledger: store.location,
    at: new Date(clock.now()).toISOString(),
    ...(pulls.notAsked !== null && { notAsked: pulls.notAsked }),
    scopes,
    stats: { fetches: store.stats.fetches, requests: pulls.requests, ms: Math.round(clock.mono() - started) },
    ...(error && { error }),
  };
}

/** A ledger that cannot be read is a row with its error. */
function readScope(found: ReadBranch, environment: string): ReadScope & { readonly error?: ErrorData } {
  if ('error' in found) return unreadable(found.branch, found.error);
  try {
    return rowOf(found.branch, parseState(found.tree.files, found.branch), environment);
  } catch (thrown) {
    if (!isLedgerDamage(thrown)) throw thrown;
    return unreadable(found.branch, thrown);
  }
}

function unreadable(branch: string, failure: Failure): ReadScope & { readonly error: ErrorData } {
  const name = scopeOf(branch);
  const row: LedgerRow = {
    ...{ scope: name?.scope ?? null, plan: name?.plan ?? null, branch, lineCount: 0, objectCount: 0 },
    ...{ firstRun: null, lastRun: null, lease: null, expires: null },
    leftovers: { unfinished: 0, superseded: 0, leaving: 0, left: 0 },
  };
  return { row, belongs: { pulls: [], repositories: [] }, error: toErrorData(failure) };
}

/** The oldest first, and last the scopes of which nobody knows since when they stand. */
const byAge = (a: ScopeRow, b: ScopeRow): number => {
  const [left, right] = [a.firstRun ?? '~', b.firstRun ?? '~'];
  return left < right ? -1 : left > right ? 1 : a.branch < b.branch ? -1 : 1;
};
