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
  /** The value that is written in place of an empty collection. */
  readonly empty_as?: Json;
  /** The entries that a provider assumes in an absent or empty collection. The first entry is written beside them. */
  readonly absent_as?: Json;
  readonly headers?: { readonly [name: string]: string };
  readonly query?: { readonly [name: string]: string };
  readonly encoding?: Encoding;
  /** Members of every write beside the collection. */
  readonly body?: Json;
  /** Pointers to members of the parent outside of the collection. A write takes them along as they were read, where they exist. */
  readonly echo?: readonly string[];
  /** Entries that hold `match` have a member (`at`) that the provider takes and never shows. Its value is written, not compared. */
  readonly hidden?: { readonly match: { readonly [pointer: string]: Json }; readonly at: string };
  /** Pointer into an entry → a difference between the sent and the shown value that means nothing. */
  readonly alike?: AlikeRules;
  /** Pointers into the written body, `*` for every member or entry, to members that the provider does not take back. */
  readonly drop?: readonly string[];
  /**
   * Pointer → value in the body of a refused read that means "not there", whatever its status: with `if_missing: empty` no
   * collection yet (without this key every 404 means that), otherwise no parent.
   */
  readonly missing_match?: { readonly [pointer: string]: Json };
  /** The kind of a parent that may be written to. An entry may still be removed from a parent of another kind. */
  readonly require?: { readonly match: { readonly [pointer: string]: Json }; readonly fix: string };
  /**
   * A write names the version of the read, from a member of the parent (pointer) or a header of the answer. It stands in a header, in the
   * query or in the body. Some providers also want the parent as it was read beside it in the body (`original`).
   */
  readonly version?: {
    readonly from: string;
    readonly header?: string;
    readonly query?: string;
    readonly body?: string;
    readonly original?: string;
  };
  /**
   * The collection consists of names under choices of the parent, and a write consists of instructions that put a name under a choice or
   * take it away. `list_path` holds the groups of names; the value of a name is its choice. The object around the groups must exist.
   */
  readonly choices?: {
    /** Pointer to the choices in the parent, and pointer within a choice to the id that instructions use. */
    readonly list: string;
    readonly id: string;
    /** Pointers in a group to its names and to the place of its choice in the list, and the values that a group must hold to count. */
    readonly names: string;
    readonly index: string;
    readonly match?: { readonly [pointer: string]: Json };
    /** Pointer to the instructions in a write, and the form of an instruction, in which `{name}` and `{choice}` stand for whole texts. */
    readonly instructions: string;
    readonly add: Json;
    readonly remove: Json;
  };
  /** Seconds by which a read may lag behind a write. */
  readonly settle?: number;
  /** The meaning of a refused write, by its status, where the provider's own words do not say what to do. */
  readonly refusals?: readonly { readonly status: number; readonly detail: string; readonly fix: string }[];
  /** In place of path and method. The written body goes into the variables of `write`. */
  readonly graphql?: { readonly read: GraphqlRequest<Json>; readonly write: GraphqlRequest<Json> };
}

/**
 * An entry in a list of another object that holds an object and must go before `remove` may be sent, such as a tag on a revision. Other
 * entries that hold the object there keep it from being removed, and the error names them.
 */
export interface Detach {
  readonly parent: ParentSpec;
  /** Name of the entry, as `parent.key_field` has it. The entry goes only while it holds the object: a successor's entry stays. */
  readonly item: string;
  /** Pointer into an entry to the id of the object that it holds. */
  readonly holds: string;
  /** Pointer into an entry. Any value there but 0, false or nothing says that the object is in use. */
  readonly in_use?: string;
  /** Pointer into the parent. The provider does not remove an object that is named there, by its id or by a path that ends in its id. */
  readonly kept_as?: string;
  /** Pointer to the list of the entries in force, at a provider whose writes take time. Its entries have the same form. */
  readonly in_force?: string;
  /** After this time the wait ends with `WAIT_TIMEOUT`. */
  readonly seconds: number;
}
