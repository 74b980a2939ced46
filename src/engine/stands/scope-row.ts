import { type Belonging, belongingOf, scopeNameOf } from '../../ledger/model/belongs.ts';
import type { Lease, LedgerState } from '../../ledger/model/facts.ts';
import type { HeldDoc, LeftoversDoc, ScopeRow } from '../stands-document.ts';
import { lifetimeOf } from '../timing/renewal.ts';

/** A scope as its ledger tells it, without what the code host says of its pull requests. */
export type LedgerRow = Omit<ScopeRow, 'pulls' | 'error'>;

export interface ReadScope {
  readonly row: LedgerRow;
  readonly belongs: Belonging;
}

export function rowOf(branch: string, state: LedgerState, environment: string): ReadScope {
  const name = scopeNameOf(branch, state, environment);
  const { history, records, intents } = state;
  const last = history.at(-1);
  const objects = [...records.values()];
  const row: LedgerRow = {
    scope: name?.scope ?? null,
    plan: name?.plan ?? null,
    branch,
    lineCount: new Set([...objects, ...intents.values()].map(({ line }) => line)).size,
    objectCount: objects.filter(({ kind }) => kind === 'object' || kind === 'item').length,
    firstRun: history[0]?.at ?? state.lease?.at ?? null,
    lastRun: last ? { run: last.run, at: last.at, outcome: last.outcome } : null,
    lease: heldBy(state.lease),
    expires: lifetimeOf(history)?.goesAt ?? null,
    leftovers: leftoversOf(state),
  };
  return { row, belongs: belongingOf(state) };
}

function heldBy(lease: Lease | null): HeldDoc | null {
  if (lease === null || lease.released !== null) return null;
  const since = Date.parse(lease.at);
  const until = Number.isNaN(since) ? lease.at : new Date(since + lease.durationMs + lease.deadlineMs).toISOString();
  return { holder: lease.holder, run: lease.run, since: lease.at, until };
}

const leftoversOf = ({ records, intents, left, deletes = [] }: LedgerState): LeftoversDoc => {
  const all = [...records.values()];
  return {
    unfinished: intents.size,
    superseded: all.reduce((sum, { superseded }) => sum + superseded.length, 0),
    leaving: all.filter(({ removing }) => removing).length + deletes.filter(({ open }) => open).length,
    left: left.size,
  };
};
