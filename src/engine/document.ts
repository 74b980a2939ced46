import type { ErrorData } from '../core/errors.ts';
import type { Json } from '../core/json.ts';
import type { VerdictName } from '../core/verdict.ts';
import type { InitDoc } from './init-document.ts';
import type { Orphan } from './orphan-document.ts';
import type { LifetimeDoc } from './receipt-document.ts';

/** The JSON documents of the command line. Stable: other programs build on them. `schema` is raised by a breaking change. */
export type Verdict = VerdictName;
export type Drift = 'none' | 'changed' | 'missing';

/** One side of a field change; `value` only where it may be shown. */
export interface Side {
  readonly state: 'literal' | 'resolved' | 'pending' | 'secret' | 'sensitive' | 'kept' | 'absent';
  readonly value?: Json;
}

export interface FieldChange {
  readonly field: string;
  readonly before: Side;
  readonly after: Side;
  /** Others made this difference, and it stays. */
  readonly left?: true;
  /** Time alone made it, as with the days that an object has left. */
  readonly worn?: true;
}

/** A line that failed lines kept from its turn. It has no error of its own: people read of it at theirs. */
export interface KeptLine {
  readonly code?: 'DEPENDENCY_FAILED';
  /** Ids of the failed lines that it waits for: the first causes, and not the lines between. */
  readonly because?: readonly string[];
}

export interface PlanLineDoc extends KeptLine {
  readonly id: string;
  /** The place of the line in the plan: `release.plan.yaml:12:9`; left out for a line that only the ledger names. */
  readonly place?: string;
  readonly adapter: string;
  readonly op: string;
  readonly recipe?: string;
  /** Names the object for people. */
  readonly subject?: string;
  readonly verdict: Verdict;
  readonly why?: string;
  /** Ids of the lines that it comes after. */
  readonly after?: readonly string[];
  readonly drift: Drift;
  /** The line says `drift: report`, so what others changed or took away stays so. */
  readonly driftLeft?: true;
  readonly changes: readonly FieldChange[];
  /** Keys of the line that its record takes over: `id` where the line is renamed, and what decides what a destroy does. */
  readonly recordChanges?: readonly FieldChange[];
  /** Resolved params, as they may be shown. */
  readonly inputs: { readonly [param: string]: Side };
  readonly waitingOn?: readonly string[];
  /** Entries of the same collection that pilotfish did not make. */
  readonly unmanaged?: readonly string[];
  readonly error?: ErrorData;
}

/** A host that is not the provider's own, and the lines whose requests, tokens or secrets go there. */
export interface HostDoc {
  /** Scheme, host and port: never a path, which may be secret. */
  readonly origin: string;
  readonly lines: readonly string[];
}

export interface PlanDoc {
  readonly schema: 1;
  readonly ok: boolean;
  readonly command: 'plan';
  readonly environment: string;
  readonly scope: string;
  readonly digest: string;
  readonly lines: readonly PlanLineDoc[];
  /** Left out where every line keeps to the hosts that its provider documents. */
  readonly hosts?: readonly HostDoc[];
  readonly orphans: readonly Orphan[];
  /** The command that writes back what others changed and these lines leave. */
  readonly putBack?: string;
  /** Recorded lines that a destroy narrowed by `--only` or `--orphans` leaves as they are. */
  readonly stays?: readonly string[];
  /** The destroy takes only what has left the plan. */
  readonly orphansOnly?: true;
  readonly warnings: readonly string[];
  readonly summary: { readonly [verdict in Verdict]?: number };
  readonly error?: ErrorData;
}

export type RunStatus = 'complete' | 'partial' | 'failed' | 'stale' | 'interrupted';

export interface ApplyLineDoc extends KeptLine {
  readonly id: string;
  /** The place of the line in the plan: `release.plan.yaml:12:9`; left out for a line that only the ledger names. */
  readonly place?: string;
  readonly adapter: string;
  readonly op: string;
  readonly recipe?: string;
  readonly subject?: string;
  /** Final state of the line: settled, refused, failed, skipped, interrupted, waiting. */
  readonly state: string;
  readonly verdict: Verdict;
  readonly why?: string;
  /** Ids of the lines that it comes after. */
  readonly after?: readonly string[];
  /** Drift and changes from the look, before the run wrote. */
  readonly drift: Drift;
  readonly driftLeft?: true;
  readonly changes: readonly FieldChange[];
  readonly recordChanges?: readonly FieldChange[];
  readonly ms: number;
  readonly requests: number;
  readonly notes?: readonly string[];
  readonly error?: ErrorData;
}

/** The address of a deployment, and the line that waited for it. */
export interface PreviewDoc {
  readonly line: string;
  readonly url: string;
}

export interface ApplyDoc {
  readonly schema: 1;
  readonly ok: boolean;
  readonly command: 'apply';
  readonly status: RunStatus;
  readonly environment: string;
  readonly scope: string;
  readonly runId: string;
  /** The digest that a plan of the same moment gives. */
  readonly digest: string;
  readonly lines: readonly ApplyLineDoc[];
  readonly hosts?: readonly HostDoc[];
  /** Outputs that may be shown, by line. */
  readonly outputs: { readonly [line: string]: { readonly [output: string]: Json } };
  /** The addresses of the deployments that lines waited for; left out where there is none. */
  readonly previews?: readonly PreviewDoc[];
  /** Left out where the scope does not expire, or where its end is not known. */
  readonly lifetime?: LifetimeDoc;
  readonly receipt: { readonly branch: string; readonly commit: string | null };
  readonly stats: {
    readonly requests: number;
    readonly writes: number;
    readonly fetches: number;
    readonly pushes: number;
    readonly lockPushes: number;
    readonly ms: number;
  };
  readonly warnings: readonly string[];
  readonly orphans: readonly Orphan[];
  readonly putBack?: string;
  /** Recorded lines that a destroy narrowed by `--only` or `--orphans` leaves as they are. */
  readonly stays?: readonly string[];
  /** The destroy takes only what has left the plan. */
  readonly orphansOnly?: true;
  readonly error?: ErrorData;
}

/**
 * The end of one scope of `apply --destroy --closed`: `destroyed` now, `gone` before, `removed` with its branch, `kept` for the
 * reason given, or `failed`. A plan says `would destroy` and `would remove`.
 */
export type ClosedOutcome = 'destroyed' | 'gone' | 'removed' | 'kept' | 'failed' | 'interrupted' | 'would destroy' | 'would remove';

export interface ClosedScopeDoc {
  /** `null` where the ledger is too damaged to tell. */
  readonly scope: string | null;
  readonly plan: string | null;
  readonly branch: string;
  /** The pull requests that its ledger names. */
  readonly pullRequests: readonly number[];
  readonly outcome: ClosedOutcome;
  readonly why: string;
  /** The run of its destroy. */
  readonly runId?: string;
  readonly lines?: readonly ApplyLineDoc[];
  readonly hosts?: readonly HostDoc[];
  /** Left out where the scope does not expire, where its end is not known, and without `--expired`. */
  readonly lifetime?: LifetimeDoc;
  /** The content of a scope that no pull request ends, and the command by which a person ends it. */
  readonly unowned?: { readonly records: number; readonly announced: number; readonly missing: number; readonly command: string };
  readonly warnings?: readonly string[];
  readonly error?: ErrorData;
}

/** The one document of `plan --destroy --closed` and `apply --destroy --closed`. */
export interface ClosedDoc {
  readonly schema: 1;
  readonly ok: boolean;
  readonly command: 'plan' | 'apply';
  readonly mode: 'closed';
  readonly status: 'complete' | 'failed' | 'interrupted';
  readonly environment: string;
  readonly repository: string;
  readonly scopes: readonly ClosedScopeDoc[];
  readonly summary: { readonly [outcome in ClosedOutcome]?: number };
  readonly stats: ApplyDoc['stats'];
  /** The error of the first scope that failed. */
  readonly error?: ErrorData;
}

/** A run that never began. */
export interface FailureDoc {
  readonly schema: 1;
  readonly ok: false;
  readonly command: string;
  readonly error: ErrorData;
  readonly errors?: readonly ErrorData[];
}

export type Document = PlanDoc | ApplyDoc | ClosedDoc | FailureDoc | InitDoc;

/**
 * The news of a run while it goes on; the live progress and the trace listen. No secret is ever in it.
 * `at`: milliseconds of one clock for the whole run, at the moment of the event, or at the end of work that took `ms`.
 */
export type RunEvent =
  /** `run` and `lines`: its id and how many lines it has, told when they begin. */
  | {
      readonly type: 'run';
      readonly state: string;
      readonly at: number;
      readonly detail?: string;
      readonly run?: string;
      readonly lines?: number;
    }
  | {
      readonly type: 'line';
      readonly line: string;
      readonly from: string;
      readonly to: string;
      readonly event: string;
      /** The line whose end ended this one before its turn. */
      readonly because?: string;
      readonly at: number;
    }
  | {
      /** The lines of the run, before the first of them starts; all of them again where a destroy begins anew. Orphans that are pruned come last, in an event of their own. */
      readonly type: 'lines';
      readonly lines: readonly {
        readonly id: string;
        readonly after: readonly string[];
        readonly adapter: string;
        readonly op: string;
        readonly recipe?: string;
        readonly subject?: string;
      }[];
      readonly at: number;
    }
  | {
      readonly type: 'verdict';
      readonly line: string;
      /** The subject with the values that are known by now. */
      readonly subject?: string;
      readonly verdict: Verdict;
      readonly why: string;
      readonly drift: Drift;
      readonly driftLeft?: true;
      readonly changes: readonly FieldChange[];
      /** The parent whose list holds the entry. */
      readonly lock: string | null;
      readonly at: number;
    }
  | { readonly type: 'failure'; readonly line: string; readonly error: ErrorData; readonly at: number }
  | {
      /** A machine beside the lines: the coordinator, a shared parent, or a wait until something is ready. */
      readonly type: 'machine';
      readonly machine: 'coordinator' | 'parent' | 'readiness';
      readonly actor: string;
      readonly from: string;
      readonly to: string;
      readonly event: string;
      readonly at: number;
    }
  | { readonly type: 'note'; readonly line: string; readonly text: string; readonly at: number }
  | { readonly type: 'wait'; readonly line: string; readonly detail: string; readonly at: number }
  | {
      readonly type: 'request';
      readonly line: string | null;
      readonly method: string;
      readonly url: string;
      readonly status: number | null;
      readonly ms: number;
      readonly attempt: number;
      readonly at: number;
    }
  | { readonly type: 'ledger'; readonly what: 'fetch' | 'push'; readonly ms: number; readonly at: number };
