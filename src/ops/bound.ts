import type { Json } from '../core/json.ts';
import type { Sealed } from '../core/sealed.ts';
import type { Http } from '../http/types.ts';
import type { FindOptions } from '../remote/find.ts';
import type { Live } from '../remote/live-object.ts';
import type { Reach } from '../remote/reach.ts';
import type { Value } from '../remote/value.ts';
import type { ParamProblem } from './problem.ts';
export type Params = { readonly [name: string]: Value };

/** The tools of an op. An op never retries, logs, hashes, locks or sees a credential. */
export interface Io {
  readonly http: Http;
  readonly signal: AbortSignal;
  /** Adds a sentence to the report: "redeployed, because the build began before the variables were written". */
  note(text: string): void;
  /** Set for creates of ops with `idempotency`, which send it as `idempotencyKey`. */
  readonly idempotencyKey?: string;
  /** `false` for a find or read that needs fresh state: after a lost answer, under a lock, to verify a write. */
  readonly share?: boolean;
  /** For a find: ids of recorded objects. The find must show them whatever their name is now. */
  readonly ids?: readonly string[];
  /**
   * For an update of a line that says `drift: report`: fields that others changed and that stay. `desired` has them as they stand.
   * An operation that can send the changed fields alone sends no others.
   */
  readonly leaves?: readonly string[];
  /** For a find of the object of our own create: where nothing matches exactly, other forms that the provider may have made match too. */
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
  /** The object failed for good: `EXTERNAL_FAILED`. */
  | { readonly state: 'failed'; readonly detail: string }
  /** Ready, but built before its state was written: the run calls `kick`. */
  | { readonly state: 'stale'; readonly detail: string; readonly live: Live };

/** Whether an object can be made yet. */
export type Room =
  | { readonly state: 'ready' }
  | { readonly state: 'wait'; readonly detail: string }
  /** It can never be made: `EXTERNAL_FAILED`. */
  | { readonly state: 'failed'; readonly detail: string };

/** Desired fields with every value resolved, and without pending or kept values. */
export type Desired = { readonly [field: string]: Json | Sealed | readonly Value[] | { readonly [name: string]: Value } };

export interface BoundBase {
  /** Identity inside the API block. Holds no secret. */
  readonly key: string;
  /** Declared fields only: these are compared and hashed, nothing else. */
  readonly fields: { readonly [field: string]: Value };
  readonly reach: Reach;
  /** Absolute addresses of its requests beside the base URL of its block. */
  readonly elsewhere?: readonly string[];
  /** Lengths and characters that the resolved names break, if any: `PARAM_INVALID` before any request. */
  readonly problems?: readonly ParamProblem[];
  /** Seconds to wait until the object is ready (`timeoutParam`). The run's own deadline holds too. */
  readonly timeout?: number;
}

/** One object per line. */
export interface ObjectBound extends BoundBase {
  readonly kind: 'object';
  /** Fields whose change makes a new object. */
  readonly immutable?: readonly string[];
  /** Fields sent on create only and never compared. */
  readonly writeOnly?: readonly string[];
  /** Whether the provider allows the old and the new object side by side in a replacement. Default true. */
  readonly coexist?: boolean;
  /** The provider ends the object by itself, so many milliseconds after the create or the last update. */
  readonly lives?: number;
  /** Creates repeat under an idempotency key. */
  readonly idempotency?: boolean;
  /** Finds none, one or many objects. `reach.find` is the same find as data. */
  find(io: Io): Promise<readonly Live[]>;
  /** Reads one object by id; `null` when it is gone. For objects that exist although `find` may not see them, because a tag was taken away. */
  read?(io: Io, id: string): Promise<Live | null>;
  /**
   * Called repeatedly before the create is announced, until the parent of the new object is ready. For a parent that the plan does not
   * make: a parent from the plan is ready before its outputs are used.
   */
  room?(io: Io): Promise<Room>;
  create(io: Io, desired: Desired): Promise<Live>;
  /** Changes the object. For an op without `update`, a difference is `PARAM_INVALID` at plan time. */
  update?(io: Io, live: Live, desired: Desired, changed: readonly string[]): Promise<Live>;
  /**
   * Tells how an update of `changed` treats a field that others changed and that must stay: it does not send the field, sends it back as it
   * was read, or can only send it as planned. An operation without this member sends it as it was read.
   */
  leaving?(field: string, changed: readonly string[]): 'unsent' | 'as read' | 'as planned';
  /** Lines that one request may make together. */
  readonly bulk?: Bulk;
  /** Polled after the create, and before outputs are used, until the object is ready. */
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
  /** The entry in the collection: the value of `delimited` and `array` items, a map with `key_field`, or a map's value. */
  readonly entry: Value;
  /** A sentence for the report about the parent as it was read, such as the effect of its other writer on this entry. */
  remark?(parent: unknown): string | null;
}

/** A one-off effect: sent when the hash of `fields` (the trigger) changes, at least once. */
export interface ActionBound extends BoundBase {
  readonly kind: 'action';
  send(io: Io): Promise<{ readonly outputs: { readonly [name: string]: Json | Sealed } }>;
}

/** Waits for something that others make (a deployment). It owns nothing. */
export interface WaitBound extends BoundBase {
  readonly kind: 'wait';
  /**
   * `since`: when the newest state that the deployment must contain was written, by the provider's own clock (ms since 1970). `null` where
   * we wrote nothing; `Infinity` where every existing deployment is older.
   */
  poll(io: Io, since: number | null): Promise<Readiness>;
  /** Starts the awaited process again, once. Polling goes on after that. */
  kick?(io: Io, live: Live): Promise<void>;
}

export type Bound = ObjectBound | ItemBound | ActionBound | WaitBound;

/** One of the lines that one request makes together. */
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
   * The result of each line, in their order: the object, or the error. `null`: the provider refused them all, maybe because of a mistake in
   * one of them, and made none; each is then sent alone. Throws where the result is unknown.
   */
  create(io: Io, wanted: readonly Wanted[]): Promise<readonly (Live | Error)[] | null>;
}
