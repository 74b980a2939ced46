import type { Json } from '../core/json.ts';
import type { Encoding, GraphqlRequest } from '../http/types.ts';
import type { AlikeRules } from './alike.ts';

/** How a parent that holds a collection is read and written (`http.list_item`), as data. */
export interface ParentSpec {
  readonly path: string;
  readonly method: 'PUT' | 'PATCH' | 'POST';
  readonly read_path?: string;
  readonly read_method?: 'GET' | 'POST';
  readonly send?: 'parent' | 'collection' | readonly string[];
  readonly item_path?: string;
  readonly if_missing?: 'empty' | 'error';
  readonly write_list_path?: string;
  readonly list_path: string;
  readonly shape: 'array' | 'delimited' | 'map';
  readonly key_field?: string;
  readonly when_empty?: 'delete';
  /** What is written in place of an empty collection. */
  readonly empty_as?: Json;
  /** What an absent or empty collection stands for, at a provider that acts as if this were in it: the first entry is written beside it. */
  readonly absent_as?: Json;
  readonly headers?: { readonly [name: string]: string };
  readonly query?: { readonly [name: string]: string };
  readonly encoding?: Encoding;
  /** Members of every write beside the collection. */
  readonly body?: Json;
  /** Pointers to members of the parent, outside of the collection, that a write takes along as they were read, where there are any. */
  readonly echo?: readonly string[];
  /** Entries that hold `match` have a member that the provider takes and never shows (`at`): such a value is written, not compared. */
  readonly hidden?: { readonly match: { readonly [pointer: string]: Json }; readonly at: string };
  /** Pointer into an entry → what the provider shows otherwise than it was sent, although it is the same. */
  readonly alike?: AlikeRules;
  /** Pointers into the written body, `*` for every member or entry: what the provider does not take back. */
  readonly drop?: readonly string[];
  /**
   * Pointer → value in the body of a refused read that means "not there", whatever its status: no collection yet
   * (`if_missing: empty`, where without it every 404 does), or no parent.
   */
  readonly missing_match?: { readonly [pointer: string]: Json };
  /** Seconds by which reads may go on saying "not there" after the first entry was written. */
  readonly settle?: number;
  /** Of what kind the parent must be to be written to; what stands in another one may still be taken out. */
  readonly require?: { readonly match: { readonly [pointer: string]: Json }; readonly fix: string };
  /**
   * A write names the version that was read, from a member of the parent (pointer) or a header of the answer: in a header, in the
   * query, or in the body, where some providers ask for the parent as it was read beside it (`original`).
   */
  readonly version?: {
    readonly from: string;
    readonly header?: string;
    readonly query?: string;
    readonly body?: string;
    readonly original?: string;
  };
  /**
   * The collection is names under choices of the parent, and each write is instructions that put a name under a choice or take it
   * away. `list_path` holds the groups of names; the value of a name is its choice. What the groups stand in must be there.
   */
  readonly choices?: {
    /** Pointer to the choices in the parent, and in one of them to what instructions call it by. */
    readonly list: string;
    readonly id: string;
    /** Pointers in a group: its names, and the place of its choice in the list; and what else it must hold to be looked at. */
    readonly names: string;
    readonly index: string;
    readonly match?: { readonly [pointer: string]: Json };
    /** Pointer to the instructions in a write, and what one of them is: `{name}` and `{choice}` stand for whole texts in it. */
    readonly instructions: string;
    readonly add: Json;
    readonly remove: Json;
  };
  /** What a refused write means, by its status, where the provider's own words do not say what to do. */
  readonly refusals?: readonly { readonly status: number; readonly detail: string; readonly fix: string }[];
  /** In place of path and method. What is written goes into the variables of `write`. */
  readonly graphql?: { readonly read: GraphqlRequest<Json>; readonly write: GraphqlRequest<Json> };
}

/**
 * An entry in a list of another object that holds an object, and that must go before `remove` may be sent: a tag on a revision. What
 * else holds it there keeps it from being removed, and is told.
 */
export interface Detach {
  readonly parent: ParentSpec;
  /** Name of the entry, as `parent.key_field` has it. It goes only where it holds the object: its successor's stays. */
  readonly item: string;
  /** Pointer into an entry to the id of the object that it holds. */
  readonly holds: string;
  /** Pointer into an entry: anything but 0, false or nothing there says that the object is in use. */
  readonly in_use?: string;
  /** Pointer into the parent: an object that is named there (by its id, or a path that ends in it) is not removed by the provider. */
  readonly kept_as?: string;
  /** Pointer to the list that shows what is in force, where a write takes its time; its entries have the same form. */
  readonly in_force?: string;
  /** Then waiting for it is given up with `WAIT_TIMEOUT`. */
  readonly seconds: number;
}
