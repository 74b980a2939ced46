import type { Json } from '../core/json.ts';
import type { Paging, StoredRequest } from '../http/types.ts';
import type { Detach, ParentSpec } from './parent-spec.ts';

/** Pointer → value in the body of an answer; `{ contains: <text> }` for a text there, or anywhere below the pointer, that holds this text. */
export type AnswerMatch = { readonly [pointer: string]: Json };

/**
 * How an object is located, as data: in a list by `match`, or by its own path (`list` null, a 404 is "none").
 * It holds no secret, so intents keep it, and it finds the object of a create whose answer was lost.
 */
export interface FindSpec {
  readonly request: StoredRequest;
  /** Pointer to the list inside the answer; `''` for a bare list; `null` when the answer is the object. */
  readonly list: string | null;
  /** Pointer → value that each match must have; compared as text where one side is a number. */
  readonly match: { readonly [pointer: string]: Json };
  /** Pointers that must be absent or null: an entry that is being deleted is no match. */
  readonly absent?: readonly string[];
  /** The list shows only the newest of several objects, so a recorded object that it does not show may still exist. */
  readonly latest_only?: boolean;
  /** The provider may put the zone behind a host name that lacks it. */
  readonly completed?: boolean;
  /** Pointer → value in an answer that leaves an empty list out: `{ '/meta/total': 0 }`. */
  readonly empty?: { readonly [pointer: string]: Json };
  readonly page?: Paging;
  /** Pointer to the id in a matching item. */
  readonly id: string;
  /** The id itself, where the caller chose it. `id` is not read then. */
  readonly chosen_id?: string;
  /** The mark of environment and scope that the create leaves, and its place. An object with another mark is not the announced one. */
  readonly mark?: { readonly at: string; readonly text: string };
  /** Pointer to the moment it was made (ISO 8601, or a number of seconds or milliseconds). */
  readonly created_at?: string;
  /** A write gives the object another `created_at`, so that tells no object from another. */
  readonly created_at_moves?: boolean;
  /** Pointer to a value that the provider gives each object it makes, beside the id that paths take. No edit changes the value. */
  readonly uid?: string;
  /** Statuses of this read that mean "none", beside 404 and 410 on a read by path. */
  readonly none?: readonly number[];
  /** Values in the body of its answer that mean "none", whatever the status is. */
  readonly none_match?: AnswerMatch;
  /** Seconds by which this list may lag behind a write. "Nothing found" is believed only after that time. */
  readonly settle?: number;
}

/** How to see that an accepted delete has ended. It is data like the rest of `Reach`, because a destroy may have nothing else. */
export interface UntilGone {
  /** Reads the one object; `{id}` stands for its id. 404 and 410 mean that the object is gone, every 2xx that it still exists. */
  readonly read: StoredRequest;
  /** More statuses that say "gone". */
  readonly none?: readonly number[];
  /** Values in the body of its answer that mean "gone", whatever the status is: `{ '/state': 'deleted' }`. */
  readonly none_match?: AnswerMatch;
  /** After this time the wait ends with `WAIT_TIMEOUT`. The record stays, and the next run asks again. */
  readonly seconds: number;
}

/** The data that a record or intent keeps to find and remove the object without plan and adapter. */
export type Reach =
  | {
      readonly kind: 'object';
      readonly find: FindSpec | null;
      /** Reads one object by its id, where `find` reads a list: the list may show less of it. `{id}` stands for the id. */
      readonly read?: FindSpec;
      /** `{id}` in path and body stands for the object's id. `null`: the provider cannot delete. */
      readonly remove: StoredRequest | null;
      /**
       * What the body of `remove` must repeat of the object: pointer into the body → pointer into the object as `find` shows it right before.
       * The ledger keeps neither old values nor secrets that way.
       */
      readonly repeats?: { readonly [at: string]: string };
      /** Statuses of `remove` that mean "gone", beside 404 and 410. */
      readonly gone?: readonly number[];
      /** Values in the body of a refused `remove` that mean "gone", whatever its status. */
      readonly gone_match?: AnswerMatch;
      /** One thing to do when the provider refuses `remove` for a reason of its own. */
      readonly remove_fix?: string;
      /** Takes back a protection that the line itself asked for, when the provider refuses `remove` with one of these statuses. */
      readonly unlock?: { readonly on: readonly number[]; readonly request: StoredRequest };
      /** Set where `remove` is answered before it is done. The object is then read until it is gone, and its record stays that long. */
      readonly until_gone?: UntilGone;
      /** The entry that is taken away before `remove` is sent. */
      readonly detach?: Detach;
      /** A read that answers 2xx whenever the credential may see this kind of object: the witness for "absent". */
      readonly witness?: StoredRequest;
    }
  | { readonly kind: 'item'; readonly parent: ParentSpec; readonly item: string }
  | { readonly kind: 'none' };
