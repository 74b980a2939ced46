import type { Clock } from '../core/clock.ts';
import type { Redactor } from '../core/redact.ts';
import type { CodeHost } from '../host/code-host.ts';
import type { Client } from '../http/client.ts';
import type { ScopeName } from '../ledger/model/names.ts';
import type { Store } from '../ledger/stores/store.ts';
import type { Registry } from '../ops/registry.ts';
import type { PlanHead } from '../plan/load.ts';
import type { RepositoryFacts } from '../platform/checkout.ts';
import type { SweepPulls } from './closed-pulls.ts';
import type { ClosedOutcome, ClosedScopeDoc } from './document.ts';
import type { Session } from './session.ts';
import type { ClosedRequest, RunWorld } from './types.ts';

/** All scopes of one `--closed` share these. */
export interface ClosedWork {
  readonly request: ClosedRequest;
  readonly world: RunWorld & { readonly store: Store };
  readonly host: CodeHost;
  readonly registry: Registry;
  /** One for all scopes, so that none tells a secret of another. */
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly store: Store;
  readonly client: Client;
  readonly pulls: SweepPulls;
  /** The head of the plan file, where one can be read; `null` too for the work on a scope of another plan. */
  readonly plan: PlanHead | null;
  readonly readSecret: Session['readSecret'];
}

/** The cost of all destroys of a `--closed` together. */
export interface Cost {
  requests: number;
  writes: number;
  lockPushes: number;
}

/** A scope whose pull requests are closed as far as the list of the open ones tells. */
export interface Scope extends ScopeName {
  readonly branch: string;
  readonly head: string;
  readonly pulls: readonly number[];
  /** The commit that it was last applied for. */
  readonly commit: string | null;
  /** Another run has the scope, or died with it. */
  readonly isHeld: boolean;
  /** The checkout, with the name of the repository that the scope's seals are bound to. */
  readonly facts: RepositoryFacts | null;
}

export type Say = (outcome: ClosedOutcome, why: string, more?: Partial<ClosedScopeDoc>) => ClosedScopeDoc;

/** The work on one scope that is left after the look at its ledger. */
export interface Turn {
  readonly branch: string;
  /** The destroy must first wait for the lease of another run. */
  readonly isHeld: boolean;
  act(cost: Cost): Promise<ClosedScopeDoc>;
}

/** The end of a scope by the code host's clock, and the labels that keep it. */
export interface Expiry {
  readonly end: number;
  readonly labels: readonly string[];
}
