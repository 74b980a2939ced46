import type { Json } from '../core/json.ts';
import type { Sealed } from '../core/sealed.ts';
import type { Encoding, Http, ProviderBlock } from '../http/types.ts';
import type { Live } from '../remote/live-object.ts';
import type { Reach } from '../remote/reach.ts';
import type { Value } from '../remote/value.ts';
import type { Bulk } from './bulk.ts';
import type { Detect } from './detect.ts';
import type { QuotaSpec } from './quota.ts';
import type { Setup } from './setup.ts';

export type Params = { readonly [name: string]: Value };

/** One param: what the plan may say, what an editor completes, what the generated page shows. */
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
  /** A literal here is `SECRET_LITERAL`: only `{ secret }`, a sensitive `{ from }` or `{ public }` is taken. */
  readonly secret?: boolean;
  readonly doc: string;
  /** Where a person finds the value, such as a place in the provider's console; for what is looked up, not chosen. */
  readonly todo?: string;
  readonly example?: Json;
}

export interface OutputSpec {
  readonly doc: string;
  /** Never stored, never shown; masked before first use. */
  readonly sensitive?: boolean;
  /** Exists only in the create answer. */
  readonly once?: boolean;
  /** Needs a request of its own: read only when a line asks for it (`Bound.output`). */
  readonly lazy?: boolean;
}

/** What destroy does with the object: `never` where the provider cannot delete. */
export type DestroyPolicy = 'delete' | 'keep' | 'never';

/** What an op works with. It never retries, logs, hashes, locks or sees a credential. */
export interface Io {
  readonly http: Http;
  readonly signal: AbortSignal;
  /** A sentence for the report: "redeployed, because the build began before the variables were written". */
  note(text: string): void;
  /** Set on creates of ops with `idempotency`: send it as `idempotencyKey`. */
  readonly idempotencyKey?: string;
  /** `false` for a find or read that must show what is there from now on: after a lost answer, under a lock, to verify a write. */
  readonly share?: boolean;
}

export type Readiness =
  | { readonly state: 'ready'; readonly live: Live }
  | { readonly state: 'wait'; readonly detail: string }
  /** Ended badly: `EXTERNAL_FAILED`. */
  | { readonly state: 'failed'; readonly detail: string }
  /** Ready, but built before the state it needs was written: `kick` is called. */
  | { readonly state: 'stale'; readonly detail: string; readonly live: Live };

/** Whether an object can be made yet. */
export type Room =
  | { readonly state: 'ready' }
  | { readonly state: 'wait'; readonly detail: string }
  /** It never can: `EXTERNAL_FAILED`. */
  | { readonly state: 'failed'; readonly detail: string };

/** Desired fields with everything resolved; nothing pending or kept is in it. */
export type Desired = { readonly [field: string]: Json | Sealed | readonly Value[] | { readonly [name: string]: Value } };

interface BoundBase {
  /** Identity inside the API block. Holds no secret. */
  readonly key: string;
  /** Declared fields only: these are compared and hashed, nothing else. */
  readonly fields: { readonly [field: string]: Value };
  readonly reach: Reach;
  /** Lengths and characters that the resolved names break, if any: `PARAM_INVALID` before any request. */
  readonly problems?: readonly string[];
  /** Seconds until waiting for it to be ready is given up (`timeoutParam`); the run's own deadline holds beside it. */
  readonly timeout?: number;
}

/** One object per line. */
export interface ObjectBound extends BoundBase {
  readonly kind: 'object';
  /** Fields whose change makes a new object. */
  readonly immutable?: readonly string[];
  /** Fields sent on create only and never compared. */
  readonly writeOnly?: readonly string[];
  /** Replacing: whether the provider allows the old and the new object side by side. Default true. */
  readonly coexist?: boolean;
  /** Creates repeat under an idempotency key. */
  readonly idempotency?: boolean;
  /** None, one or many. `reach.find` says the same as data. */
  find(io: Io): Promise<readonly Live[]>;
  /** Reads one object by id; `null` when it is gone. For objects that stand although `find` may see them no more: a tag was taken away. */
  read?(io: Io, id: string): Promise<Live | null>;
  /**
   * Asked again and again before the create is announced, until what the object is to stand in is ready. For an object of another
   * that the plan may not make: one of the plan's own is ready before its outputs are used.
   */
  room?(io: Io): Promise<Room>;
  create(io: Io, desired: Desired): Promise<Live>;
  /** Without it a difference is `PARAM_INVALID` at plan time. */
  update?(io: Io, live: Live, desired: Desired, changed: readonly string[]): Promise<Live>;
  /** Lines that one request may make together. */
  readonly bulk?: Bulk;
  /** Polled until ready after create, and before outputs are used. */
  ready?(io: Io, live: Live): Promise<Readiness>;
  /** A lazy output, read when a line asks for it. */
  output?(io: Io, live: Live, name: string): Promise<Json | Sealed>;
}

/** One entry of a collection on a parent; the parent actor reads and writes it (`reach.parent`). */
export interface ItemBound extends BoundBase {
  readonly kind: 'item';
  /** Lock name, equal for all items whose writes touch the same parent object. */
  readonly lockOn: string;
  readonly reach: Extract<Reach, { kind: 'item' }>;
  /** What stands in the collection: the value of `delimited` and `array` items, a map with `key_field`, or a map's value. */
  readonly entry: Value;
  /** A sentence for the report about the parent as it was read, such as what its other writer will do to this entry. */
  remark?(parent: unknown): string | null;
}

/** A one-off effect: sent when the hash of `fields` (the trigger) changes, at least once. */
export interface ActionBound extends BoundBase {
  readonly kind: 'action';
  send(io: Io): Promise<{ readonly outputs: { readonly [name: string]: Json | Sealed } }>;
}

/** Waits for something that others make (a deployment); owns nothing. */
export interface WaitBound extends BoundBase {
  readonly kind: 'wait';
  /**
   * `since`: when the newest state that it must contain was written, by the provider's own clock (ms since 1970); `null` if nothing of
   * ours, `Infinity` where all that stands there now is older.
   */
  poll(io: Io, since: number | null): Promise<Readiness>;
  /** Starts what is waited for again, once; then it is polled on. */
  kick?(io: Io, live: Live): Promise<void>;
}

export type Bound = ObjectBound | ItemBound | ActionBound | WaitBound;

/** Facts of the run that an op may bind to. */
export interface BindContext {
  readonly block: ProviderBlock;
  readonly environment: string;
  readonly scope: string;
  readonly sha: string | null;
  readonly branch: string | null;
  readonly destroy?: DestroyPolicy;
  /** The API block that the line names, `null` when it names none: an action without one is sent bare. */
  readonly api?: string | null;
}

/** What is wrong with a part of params, in a sentence. It is shown where the part stands in the plan. */
export interface PartProblem {
  readonly detail: string;
  readonly at: readonly (string | number)[];
}

/** What is wrong with params: of the whole line, or of a part of it. */
export type ParamProblem = string | PartProblem;

/** One operation of an adapter or recipe. */
export interface Op {
  readonly kind: Bound['kind'];
  readonly doc: string;
  readonly params: { readonly [name: string]: ParamSpec };
  /** Params beyond `params` are errors unless this is set (the generic adapter checks its own). */
  readonly open?: boolean;
  readonly outputs: { readonly [name: string]: OutputSpec };
  /** Outputs that depend on the params; used instead of `outputs` where given. Params may be unresolved: literals only. */
  outputsFor?(params: { readonly [name: string]: unknown }): { readonly [name: string]: OutputSpec };
  /** The block this line really uses, where a param decides it. */
  providerFor?(block: ProviderBlock, params: Params): ProviderBlock;
  /** What a person should know beforehand: quotas and limits of the provider, and what it does by itself. */
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
  /** What its requests are made from, where that is data: a plan's digest covers it. */
  readonly template?: object;
  /** How its provider says that there is no room for another one, and how many it holds. */
  readonly quota?: QuotaSpec;
  /**
   * What is wrong with params as the plan writes them, for ops that are `open`: found before the first request. References
   * are opaque leaves here.
   */
  problems?(params: { readonly [name: string]: unknown }): readonly ParamProblem[];
  /**
   * The line, ready to act. Throws `Failure('PARAM_INVALID')` for bad params (also a sealed value that would reach key,
   * reach or lock name) and `PendingValue` when a value that decides the key does not exist yet.
   */
  bind(params: Params, context: BindContext): Bound;
}

/** Defaults of an API block: what `providers.<name>` overrides. */
export interface ProviderDefaults {
  /** `null`: the block must give `base_url`. */
  readonly base_url: string | null;
  /** Beside `<NAME>_API_URL`, which always works. */
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
  readonly ops: { readonly [name: string]: Op };
}
