import type { Json } from '../core/json.ts';
import type { Encoding, ProviderBlock } from '../http/types.ts';
import type { Bound, Params } from './bound.ts';
import type { ConsolePage } from './console.ts';
import type { Detect } from './detect.ts';
import type { ParamProblem } from './problem.ts';
import type { QuotaSpec } from './quota.ts';
import type { Setup } from './setup.ts';
import type { SubjectTemplate } from './subject.ts';

/** One param, for the check of a plan, the completion in an editor and the generated page. */
export interface ParamSpec {
  readonly type: 'string' | 'boolean' | 'integer' | 'number' | 'list' | 'map' | 'any';
  readonly required?: boolean;
  readonly default?: Json;
  readonly enum?: readonly Json[];
  /** An ECMAScript regular expression that the whole value must match where it is anchored. */
  readonly pattern?: string;
  readonly format?: 'url' | 'https_url' | 'hostname' | 'uuid' | 'digits';
  readonly max_length?: number;
  readonly min_length?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Item type of a list. */
  readonly items?: 'string' | 'integer' | 'map' | 'any';
  /** A literal here is `SECRET_LITERAL`: the plan must give `{ secret }`, a sensitive `{ from }` or `{ public }`. */
  readonly secret?: boolean;
  /** The text may hold templates of the provider, such as `${{shared.HOST}}` or `${db.DATABASE_URL}`, which are sent as they stand. */
  readonly templates?: true;
  readonly doc: string;
  /** Where a person finds the value, such as a place in the provider's console. For values that are looked up, not chosen. */
  readonly todo?: string;
  readonly example?: Json;
}

export interface OutputSpec {
  readonly doc: string;
  /** Never stored, never shown; masked before first use. */
  readonly sensitive?: boolean;
  /** Exists only in the create answer. */
  readonly once?: boolean;
  /** Needs a request of its own, so it is read only when a line asks for it (`Bound.output`). */
  readonly lazy?: boolean;
}

/** What destroy does with the object: `never` where the provider cannot delete. */
export type DestroyPolicy = 'delete' | 'keep' | 'never';

/** Facts of the run that an op may bind to. */
export interface BindContext {
  readonly block: ProviderBlock;
  readonly environment: string;
  readonly scope: string;
  readonly sha: string | null;
  readonly branch: string | null;
  readonly destroy?: DestroyPolicy;
  /** The API block that the line names, `null` when it names none. An action without a block is sent bare. */
  readonly api?: string | null;
}

/** One operation of an adapter or recipe. */
export interface Op {
  readonly kind: Bound['kind'];
  readonly doc: string;
  /** Names the object of a line for people, by the params that identify it. Reports show the key of a line without it. */
  readonly subject?: SubjectTemplate;
  /** The page of its object in the provider's console. */
  readonly console?: ConsolePage;
  readonly params: { readonly [name: string]: ParamSpec };
  /** Params beyond `params` are errors unless this is set (the generic adapter checks its own). */
  readonly open?: boolean;
  readonly outputs: { readonly [name: string]: OutputSpec };
  /** Outputs that depend on the params, in place of `outputs`. Params may be unresolved, so only literals count. */
  outputsFor?(params: { readonly [name: string]: unknown }): { readonly [name: string]: OutputSpec };
  /** The block that this line really uses, where a param decides that. */
  providerFor?(block: ProviderBlock, params: Params): ProviderBlock;
  /** Facts that a person should know beforehand: quotas and limits of the provider, and its actions of its own. */
  readonly notes?: readonly string[];
  /** What destroy does, in a sentence, where it is not a plain delete. */
  readonly destroys?: string;
  /** What destroy does unless the line says otherwise. Default `delete`. */
  readonly destroy?: DestroyPolicy;
  /** The line may force `destroy: delete` although the default is another. Default true, except after `never`. */
  readonly mayDelete?: boolean;
  /** A line of this op writes production whatever the environment, when this returns true. */
  writesProduction?(params: Params): boolean;
  /** A run may end `partial` while this waits, because its host reports deployments to the code host. */
  readonly reported?: boolean;
  /** The data that its requests are made from, where there is such data. A plan's digest covers it. */
  readonly template?: object;
  /** The template stands in a file of the user's, so it may change while pilotfish and the plan stay the same. */
  readonly isByHand?: true;
  /** How its provider refuses another object when it is full, and how many objects it holds. */
  readonly quota?: QuotaSpec;
  /**
   * The mistakes in params as the plan writes them, for ops that are `open`. They are found before the first request. References
   * are opaque leaves here.
   */
  problems?(params: { readonly [name: string]: unknown }): readonly ParamProblem[];
  /**
   * The line, ready to act. Throws `PendingValue` when a value that decides the key does not exist yet, and `Failure('PARAM_INVALID')`
   * for bad params, also for a sealed value that would reach key, reach or lock name. `at` of that failure names the part at fault.
   */
  bind(params: Params, context: BindContext): Bound;
}

/** Defaults of an API block: what `providers.<name>` overrides. */
export interface ProviderDefaults {
  /** `null`: the block must give `base_url`. */
  readonly base_url: string | null;
  /** A variable for the address beside `<NAME>_API_URL`, which always works. */
  readonly base_url_env?: string;
  readonly auth: ProviderBlock['auth'];
  /** With `aws_v4`; the plan's block gives them otherwise. */
  readonly region?: string;
  readonly session_token_env?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly encoding?: Encoding;
  readonly form_arrays?: 'repeat' | 'index' | 'brackets';
  readonly media_type?: string;
  readonly refuse_credential?: { readonly prefixes: readonly string[]; readonly unless_env?: string };
  readonly concurrency?: number;
  /** Keys of `providers.<name>` beyond the common ones, kept in `settings`. */
  readonly settings?: { readonly [name: string]: { readonly doc: string; readonly required?: boolean } };
}

/** A built-in or plugged-in adapter, or a recipe family: a name, its API, its operations. */
export interface Adapter {
  readonly name: string;
  /** The specification's neutral family name. */
  readonly alias?: string;
  readonly title: string;
  readonly docs: string;
  readonly provider: ProviderDefaults;
  readonly setup?: Setup;
  readonly detect?: Detect;
  /**
   * A recipe family in a file of the user's. Nobody reviewed it with pilotfish, so its hosts and its credential count like those of a line
   * that is written by hand: they are never the provider's own.
   */
  readonly isByHand?: true;
  readonly ops: { readonly [name: string]: Op };
}
