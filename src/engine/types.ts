import type { Dispatcher } from 'undici';
import type { Clock } from '../core/clock.ts';
import type { ProviderBlock } from '../http/types.ts';
import type { Store } from '../ledger/stores/store.ts';
import type { Bound } from '../ops/bound.ts';
import type { DestroyPolicy, Op, OutputSpec } from '../ops/op.ts';
import type { Registry } from '../ops/registry.ts';
import type { Context, Expr, FromRef, Plan, PlanLine, SecretRef } from '../plan/types.ts';
import type { RepositoryFacts } from '../platform/checkout.ts';
import type { RunEvent } from './document.ts';
import type { Exported } from './exports/exported.ts';
import type { Wanting } from './timing/wanted.ts';

/** The request of a command; flags of the same names. */
export interface RunRequest {
  /** Working directory. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** `--plan` */
  readonly plan: string | null;
  /** `--env`, default `preview`. */
  readonly environment: string;
  readonly scope: string | null;
  readonly pr: number | null;
  readonly branch: string | null;
  readonly sha: string | null;
  readonly only: readonly string[];
  readonly recreate: readonly string[];
  readonly reconcile: boolean;
  /** `--put-back` */
  readonly putBack?: boolean;
  readonly destroy: boolean;
  /** `--prune`: an apply removes what has left the plan. */
  readonly prune?: boolean;
  /** `--orphans`: a destroy removes only what has left the plan. */
  readonly orphans?: boolean;
  /** A destroy takes the ledger of the plan with this name, `null` for one without a name. Without this member the plan at hand tells. */
  readonly ofPlan?: string | null;
  /** What the pull request of an event must have. A destroy takes its scope if it lacks that, and an apply of it comes too late. */
  readonly wanting?: Wanting;
  readonly expect: string | null;
  /** `--plan-from`: the commit whose plan says which hosts, credentials and commands are trusted. */
  readonly planFrom?: string | null;
  /** `--restore-ledger` */
  readonly restoreLedger?: string | null;
  /** `--trust-ledger` */
  readonly trustLedger?: string | null;
  readonly approvedBy: string | null;
  readonly leaseTimeoutMs: number;
  readonly waitTimeoutMs: number;
}

/** The request of `plan --destroy --closed` and `apply --destroy --closed`. */
export interface ClosedRequest
  extends Pick<RunRequest, 'cwd' | 'env' | 'plan' | 'environment' | 'leaseTimeoutMs' | 'waitTimeoutMs' | 'planFrom'> {
  /** `--keep-receipts` */
  readonly keepReceiptsDays: number;
  /** `--expired`: also the scopes whose time is over. */
  readonly isExpired?: boolean;
  /** The command is `plan`, which only tells what an apply would do. */
  readonly isPlan?: boolean;
  /** Open pull requests that must have this to keep their previews; absent where every open one keeps its preview. */
  readonly wanting?: Wanting;
  /** Only these receipts branches, because a person confirmed no others. */
  readonly branches?: readonly string[];
}

/** The commands that a run may start for tokens and secrets, and a basis that stands for all that it would do with these. */
export interface WantedCommands {
  readonly commands: readonly (readonly string[])[];
  /** Where requests of the run go, for people. */
  readonly hosts: readonly string[];
  /** Changes with a line, a host, a credential or the ledger. */
  readonly basis: string;
}

/** Knows which commands a person approved. */
export interface CommandGate {
  approves(wanted: WantedCommands): boolean;
}

/** The outside of a run; tests replace it. */
export interface RunWorld {
  readonly clock?: Clock;
  readonly dispatcher?: Dispatcher;
  readonly store?: Store;
  /** The checkout, where it is known already; `null` for none. Without this member the run asks git. */
  readonly repository?: RepositoryFacts | null;
  /** First abort: drain; the second ends at once (the CLI does that itself). */
  readonly signal?: AbortSignal;
  readonly listen?: (event: RunEvent) => void;
  /** Learns each secret before its first use, to mask it where the output goes. */
  readonly onSecret?: (text: string) => void;
  /** Absent when a person started the run. Then every command that the run names may be started. */
  readonly commandGate?: CommandGate;
}

/** A `from:` reference of a line, with the top-level param it stands in. */
export interface LineEdge {
  readonly param: string;
  readonly ref: FromRef;
}

/** A line of the plan, checked against its op: nothing about it can still be a mistake of the plan file. */
export interface PreparedLine {
  readonly line: PlanLine;
  /** Adapter name in the identity: canonical, `http` for every recipe. */
  readonly adapter: string;
  readonly opName: string;
  /** Canonical `<family>.<op>`. */
  readonly recipe: string | null;
  readonly op: Op;
  readonly outputs: { readonly [name: string]: OutputSpec };
  /** The block before `op.providerFor`, which may change it when the params are known. */
  readonly block: ProviderBlock;
  /** The API that the line names or its recipe implies: `BindContext.api`. */
  readonly api: string | null;
  /** Params with the op's defaults filled in. */
  readonly params: { readonly [name: string]: Expr };
  readonly edges: readonly LineEdge[];
  /** Ids of every line this one comes after: `from` (params and credential) and `depends_on`. */
  readonly after: readonly string[];
  readonly destroy: DestroyPolicy;
  readonly credential: FromRef | SecretRef | null;
  /** Where its requests go, as far as known before values come by reference; `null` when such a value decides it. */
  readonly sends: { readonly block: ProviderBlock; readonly elsewhere: readonly string[] } | null;
  /** The line's binding when no param waits for a value. One binding serves its check and every look. */
  readonly whole: WholeBinding | null;
}

/** An op's binding of params that hold no reference. */
export interface WholeBinding {
  readonly bound: Bound;
  /** The block after `op.providerFor`. */
  readonly block: ProviderBlock;
  readonly identity: string;
}

/** The plan with everything checked that can be checked before the first request. Lines are in topological order. */
export interface Prepared {
  readonly plan: Plan;
  readonly context: Context & { readonly scope: string };
  readonly lines: readonly PreparedLine[];
  /** The variables for a command; empty where the run wants none. */
  readonly exports: readonly Exported[];
  /** Everything that the plan may name, with the recipe families of its own. */
  readonly registry: Registry;
  readonly warnings: readonly string[];
}
