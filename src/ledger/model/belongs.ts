import type { LedgerState } from './facts.ts';
import { receiptsBranch, type ScopeName, scopeOf } from './names.ts';

/** The pull requests that a scope was made for, and their repositories, as its ledger names them. */
export interface Belonging {
  /** In the order in which runs named them, as far as that is known; those that only seals name come last. */
  readonly pulls: readonly number[];
  /** Of the facts that name a pull request and tell its repository. The one that was named last stands last. */
  readonly repositories: readonly string[];
}

type Facts = Pick<LedgerState, 'history' | 'intents' | 'lease'>;

/**
 * Tells whose a scope is. Lease and intents name the pull request from the first push on; the history does so only when a run has ended.
 * Ledgers of earlier versions have the history and the seals alone. Anybody who can push can write such facts, so a caller that ends a scope
 * needs every named pull request to be closed. `seals`: the seal lists that the caller believes.
 */
export function belongingOf(facts: Facts, seals: Iterable<{ readonly pulls: readonly number[] }> = []): Belonging {
  const named = namedIn(facts);
  return {
    pulls: [...new Set([...named.map(({ number }) => number), ...[...seals].flatMap(({ pulls }) => pulls)])],
    repositories: [...new Set(named.flatMap(({ repository }) => repository ?? []).reverse())].reverse(),
  };
}

/** The pull request that the scope was last applied for, of this repository; `null` when none is named. */
export function lastPullOf(facts: Facts, repository: string): number | null {
  return namedIn(facts).findLast((one) => one.repository === null || one.repository === repository)?.number ?? null;
}

/** Oldest first. A lease that is not given back is of a later run than every line of the history. */
function namedIn({ history, intents, lease }: Facts): readonly { readonly number: number; readonly repository: string | null }[] {
  const unfinished = [...intents.values()].flatMap(({ pull }) => pull ?? []);
  const told = history.flatMap(({ pr: number, repository }) => (number === null ? [] : [{ number, repository }]));
  const held = lease?.pull ? [lease.pull] : [];
  return lease?.released === null ? [...told, ...unfinished, ...held] : [...unfinished, ...held, ...told];
}

/** A name that is too long for a branch stands in the lease and in the receipt. The branch, which is a hash of it, vouches for it. */
export function scopeNameOf(
  branch: string,
  { receipt, lease }: Pick<LedgerState, 'receipt' | 'lease'>,
  environment: string,
): ScopeName | null {
  const name = scopeOf(branch);
  if (name) return name;
  const told = [lease?.of, receipt].find((one) => one && receiptsBranch(environment, one.scope, one.plan) === branch);
  return told ? { environment, scope: told.scope, plan: told.plan } : null;
}
