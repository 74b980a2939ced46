import type { Json } from '../core/json.ts';
import type { Encoding, GraphqlRequest } from '../http/types.ts';

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
  readonly headers?: { readonly [name: string]: string };
  readonly query?: { readonly [name: string]: string };
  readonly encoding?: Encoding;
  /** Members of every write beside the collection. */
  readonly body?: Json;
  /** Pointers into the written body, `*` for every member or entry: what the provider does not take back. */
  readonly drop?: readonly string[];
  /**
   * Pointer → value in the body of a refused read that means "not there", whatever its status: no collection yet
   * (`if_missing: empty`, where without it every 404 does), or no parent.
   */
  readonly missing_match?: { readonly [pointer: string]: Json };
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
  /** In place of path and method. What is written goes into the variables of `write`. */
  readonly graphql?: { readonly read: GraphqlRequest<Json>; readonly write: GraphqlRequest<Json> };
}
