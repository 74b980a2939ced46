import type { Json } from '../core/json.ts';
import type { Body } from '../http/types.ts';
import type { AlikeRules } from './alike.ts';
export interface Entry<V = Json> {
  readonly name: string;
  readonly value: V;
  /** Its name at the provider, where the plan spells it otherwise. */
  readonly spelling?: string;
}

/** A parent's collection as read. Values that are still to be written (`Collection<Body>`) may hold sealed leaves. */
export interface Collection<V = Json> {
  /** The parent object as answered (below `item_path`); `null` when it is missing. */
  readonly raw: unknown;
  readonly entries: readonly Entry<V>[];
  /** A 404 that `if_missing: empty` reads as an empty collection. */
  readonly missing: boolean;
  /** Read from XML, which has texts only: entries are seen in the types that the plan gives them. */
  readonly isXml?: true;
  /** What entries show otherwise than they were sent, although it is the same. */
  readonly alike?: AlikeRules;
  /** What a conditional write names. */
  readonly version?: string | number;
}

export interface EntryChange {
  readonly item: string;
  /** What is to stand there; `null` removes the item. */
  readonly entry: Body | null;
}

export interface Applied {
  readonly next: Collection<Body>;
  /** What to write; `null` deletes the collection (`when_empty: delete`). Without meaning when nothing changed. */
  readonly body: Body | null;
  readonly changed: boolean;
}
