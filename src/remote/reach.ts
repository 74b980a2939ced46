import type { Json } from '../core/json.ts';
import type { Paging, StoredRequest } from '../http/types.ts';
import type { Detach, ParentSpec } from './parent-spec.ts';

/** Pointer → value in the body of an answer; `{ contains: <text> }` for a text with that in it, or somewhere below the pointer. */
export type AnswerMatch = { readonly [pointer: string]: Json };

/**
 * How an object is located, as data: in a list by `match`, or by its own path (`list` null, a 404 is "none").
 * Holds no secret, so it is kept in intents and finds a create whose answer was lost.
 */
export interface FindSpec {
  readonly request: StoredRequest;
  /** Pointer to the list inside the answer; `''` for a bare list; `null` when the answer is the object. */
  readonly list: string | null;
  /** Pointer → value each match must have; compared as text where one side is a number. */
  readonly match: { readonly [pointer: string]: Json };
  /** Pointers that must be absent or null: an entry that is on its way out is no match. */
  readonly absent?: readonly string[];
  /** The list shows the newest of several alone: a recorded object that it shows no more stands all the same. */
  readonly latest_only?: boolean;
  /** The provider may put the zone behind a host name that lacks it. */
  readonly completed?: boolean;
  /** Pointer → value in an answer that leaves its list out where there is nothing in it: `{ '/meta/total': 0 }`. */
  readonly empty?: { readonly [pointer: string]: Json };
  readonly page?: Paging;
  /** Pointer to the id in a matching item. */
  readonly id: string;
  /** The id itself, where the caller chose it: `id` is then not read. */
  readonly chosen_id?: string;
  /** The mark of environment and scope that the create leaves, and where: what bears another one is not what an intent announced. */
  readonly mark?: { readonly at: string; readonly text: string };
  /** Pointer to the moment it was made (ISO 8601, or a number of seconds or milliseconds). */
  readonly created_at?: string;
  /** Statuses of this read that mean "none", beside 404 and 410 on a read by path. */
  readonly none?: readonly number[];
  /** What the body of its answer says that means "none", whatever the status is. */
  readonly none_match?: AnswerMatch;
  /** Seconds by which this list may lag behind a write: "nothing found" is believed only so much later. */
  readonly settle?: number;
}

/** How to see that a delete, once accepted, has ended. Data like the rest of `Reach`: a destroy may have nothing else. */
export interface UntilGone {
  /** Reads the one object; `{id}` stands for its id. 404 and 410 say that it is gone, every 2xx that it still is there. */
  readonly read: StoredRequest;
  /** More statuses that say "gone". */
  readonly none?: readonly number[];
  /** What the body of its answer says that means "gone", whatever the status is: `{ '/state': 'deleted' }`. */
  readonly none_match?: AnswerMatch;
  /** Then it is given up with `WAIT_TIMEOUT`: the record stays, and the next run asks again. */
  readonly seconds: number;
}

/** What a record or intent keeps so that the object can be found and removed without plan and adapter. */
export type Reach =
  | {
      readonly kind: 'object';
      readonly find: FindSpec | null;
      /** `{id}` in path and body stands for the object's id. `null`: the provider cannot delete. */
      readonly remove: StoredRequest | null;
      /**
       * What the body of `remove` must repeat of the object: pointer into the body → pointer into the object as `find` shows it right before.
       * The ledger keeps neither old values nor secrets that way.
       */
      readonly repeats?: { readonly [at: string]: string };
      /** Statuses of `remove` that mean "gone", beside 404 and 410. */
      readonly gone?: readonly number[];
      /** What the body of a refused `remove` says that means "gone", whatever its status. */
      readonly gone_match?: AnswerMatch;
      /** One thing to do where the provider refuses `remove` for a reason of its own. */
      readonly remove_fix?: string;
      /** Where `remove` is refused with one of these statuses because of what the line itself asked for: this takes it back. */
      readonly unlock?: { readonly on: readonly number[]; readonly request: StoredRequest };
      /** `remove` is answered before it is done: the object is then read until it is gone, and its record stays until it is. */
      readonly until_gone?: UntilGone;
      /** What is taken away before `remove` is sent. */
      readonly detach?: Detach;
      /** A read that answers 2xx whenever the credential may see this kind of object: the witness for "absent". */
      readonly witness?: StoredRequest;
    }
  | { readonly kind: 'item'; readonly parent: ParentSpec; readonly item: string }
  | { readonly kind: 'none' };
