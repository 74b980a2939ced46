import type { Json } from '../core/json.ts';
import type { Body } from '../http/types.ts';
import type { AlikeRules } from './alike.ts';
export interface Entry<V = Json> {
  readonly name: string;
  readonly value: V;
  /** The entry's name at the provider, where the plan spells the name differently. */
  readonly spelling?: string;
}

/** A parent's collection as read. Values that will be written (`Collection<Body>`) may hold sealed leaves. */
export interface Collection<V = Json> {
  /** The parent object as answered (below `item_path`); `null` when the parent is missing. */
  readonly raw: unknown;
  readonly entries: readonly Entry<V>[];
  /** A 404 that `if_missing: empty` reads as an empty collection. */
  readonly missing: boolean;
  /** Read from XML, which has texts only. Entries are seen in the types that the plan gives them. */
  readonly isXml?: true;
  /** Differences between sent and shown entries that mean nothing. */
  readonly alike?: AlikeRules;
  /** The version that a conditional write names. */
  readonly version?: string | number;
}

export interface EntryChange {
  readonly item: string;
  /** The wanted entry; `null` removes the item. */
  readonly entry: Body | null;
}

export interface Applied {
  readonly next: Collection<Body>;
  /** The body to write; `null` deletes the collection (`when_empty: delete`). Without meaning when nothing changed. */
  readonly body: Body | null;
  readonly changed: boolean;
}
