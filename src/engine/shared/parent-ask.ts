import type { Failure } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import type { Body, Http } from '../../http/types.ts';
import type { Collection } from '../../remote/collection.ts';
import type { ParentSpec } from '../../remote/parent-spec.ts';
import type { Reach } from '../../remote/reach.ts';
import type { Attempt } from '../line/phases.ts';

export type Mode = 'create' | 'update' | 'remove';

/** An entry of a shared parent, with its line. */
export interface LineEntry {
  readonly id: string;
  readonly http: Http;
  readonly stopping: AbortSignal;
  readonly reach: Extract<Reach, { kind: 'item' }>;
  readonly lock: string | null;
  readonly attempt: Attempt;
  /** Seconds by which reads of the parent may lag behind a write. */
  readonly lag: number;
  /** Nothing stood there when the line looked, and its first create is about to be sent. */
  readonly isNew: boolean;
  /** The entry's name at the provider, where the record says that it is another. */
  readonly kept: string | null;
  /** The record says that the provider shows its value otherwise than it was sent. */
  readonly isShownOtherwise: boolean;
  /** The ledger does not say how the provider spells the name: an older version or a dead run wrote the entry. Then any form of it is ours. */
  readonly isAnyForm: boolean;
}

/** A line's wish for one entry of a shared parent. */
export interface Ask extends Omit<LineEntry, 'reach' | 'lock' | 'kept'>, Learned {
  /** Equal for asks whose requests carry the same credential and the same headers. */
  readonly access: string;
  readonly spec: ParentSpec;
  /** Equal for asks of one collection. */
  readonly list: string;
  readonly item: string;
  readonly entry: Body | null;
  readonly mode: Mode;
  failure: unknown;
  /** The count of this batch's writes that held the entry. After one of them the item stands because of us. */
  writes: number;
  /** The provider's refusal of a write that named an older version of the parent. */
  outdated: unknown;
  resolve(standing: Standing): void;
  reject(error: unknown): void;
}

/** The batch's knowledge of one ask's entry. */
export interface Learned {
  /** Its name at the provider; `null` while that is not known to be another than the plan's. */
  kept: string | null;
  /** Names, and the entry's own value as JSON, before the first write of this batch. */
  before: ReadonlySet<string>;
  valueBefore: Json | undefined;
  /** Names, and the entry's own value, that the answer to a write shows. */
  answered: ReadonlySet<string> | null;
  answeredValue: Json | undefined;
}

/** Collections as they were read, by `Ask.list`. */
export type Collections = ReadonlyMap<string, Collection>;

export const isOpen = ({ failure }: Ask): boolean => failure === null;

/** The standing entry of an ask, as its record keeps it. */
export interface Standing {
  /** The entry's name as the provider spells it. */
  readonly name: string;
  /** Its value, where that is not as planned. */
  readonly value: Json | undefined;
  /** The value is no form of the sent one, so the provider does not keep that. */
  readonly isUnkept: boolean;
  /** The failure of an entry that was sent and does not stand in the list at all. */
  readonly dropped: Failure | null;
}
