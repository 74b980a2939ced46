import type { Json } from '../core/json.ts';
import type { Sealed } from '../core/sealed.ts';
import type { Http } from '../http/types.ts';
import type { FindOptions } from '../remote/find.ts';
import type { Live } from '../remote/live-object.ts';
import type { Reach } from '../remote/reach.ts';
import type { Value } from '../remote/value.ts';
export type Params = { readonly [name: string]: Value };

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
  /** For a find: ids of recorded objects, which are found whatever they are called now. */
  readonly ids?: readonly string[];
  /**
   * For an update of a line that says `drift: report`: fields that others changed and that stay. `desired` has them as they stand.
   * Whoever can send the changed fields alone sends no others.
   */
  readonly leaves?: readonly string[];
  /** For a find of what a create of ours may have made: where nothing matches as it stands, what the provider may have made of it does. */
  readonly isAlike?: boolean;
}

/** How the find of an op looks into a list. A read may be joined with equal ones unless the engine wants one of its own. */
export const lookBy = ({ signal, share, ids, isAlike }: Io): FindOptions => ({
  signal,
  share: share !== false,
  ...(ids && { ids }),
  ...(isAlike && { isAlike }),
});

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

export interface BoundBase {
  /** Identity inside the API block. Holds no secret. */
  readonly key: string;
  /** Declared fields only: these are compared and hashed, nothing else. */
  readonly fields: { readonly [field: string]: Value };
  readonly reach: Reach;
  /** Absolute addresses that its requests go to beside the base URL of its block. */
  readonly elsewhere?: readonly string[];
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
  /**
   * What an update of `changed` does about a field that others changed and that is to stay: it does not send the field, sends it back as it
   * was read, or can only send it as planned. As read, where the op does not say.
   */
  leaving?(field: string, changed: readonly string[]): 'unsent' | 'as read' | 'as planned';
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

/** One of the lines that a request makes together. */
export interface Wanted {
  readonly bound: ObjectBound;
  readonly desired: Desired;
}

/** A create that carries several lines of one plan: thirty variables of a project are one write. */
export interface Bulk {
  /** Equal for lines that one request may carry; the engine adds account and credential. */
  readonly key: string;
  /** Lines in one request. */
  readonly most: number;
  /**
   * What became of each, in their order: the object, or why there is none. `null`: the provider refused them all for what may
   * be wrong with one of them, and made none; then each is sent alone. Throws where nobody knows.
   */
  create(io: Io, wanted: readonly Wanted[]): Promise<readonly (Live | Error)[] | null>;
}
