import type { Json } from '../core/json.ts';
import type { Sealed } from '../core/sealed.ts';
import type { Signs } from './signs.ts';
import { isSameId } from './spelling.ts';

/** The value of a field that exists but that the provider does not show. */
export const unreadable: unique symbol = Symbol('unreadable');
export type LiveValue = Json | Sealed | typeof unreadable | typeof unchanged | Unread | undefined;

/** An object as the provider holds it now. */
export interface Live extends Signs {
  readonly id: string;
  /** By the names of `Bound.fields`. A field left out is absent. */
  readonly values: { readonly [field: string]: LiveValue };
  /** Fields whose difference time alone made, such as the days that an object has left. They are nobody's drift. */
  readonly worn?: readonly string[];
  /** Outputs that the answer to this read or create shows. Lazy outputs are left out; sensitive ones are `Sealed`. */
  readonly outputs: { readonly [name: string]: Json | Sealed };
  /** When the object was last changed, by the provider's own clock, where an answer to a write tells (ISO 8601). */
  readonly changedAt?: string;
  /** A text that changes with every change of the object, whoever makes it. It saves the reads of `Unread` values. */
  readonly revision?: string;
  /** The list shows the object, but its own path answers that there is none: one of the two lags. */
  readonly isListedOnly?: true;
  /** Anything the op's own `update`, `ready` or `output` needs again. In memory only. */
  readonly raw?: unknown;
}

/** A value that costs a request of its own. It is read only where the object's revision differs from the recorded one. */
export class Unread {
  readonly read: () => Promise<LiveValue>;
  constructor(read: () => Promise<LiveValue>) {
    this.read = read;
  }
}

/** The value of a field that was not read: the object's revision tells that nobody changed it since it was recorded. */
export const unchanged: unique symbol = Symbol('unchanged');

/** The object with every value that a comparison with this record needs. `record` is `null` where the object has none. */
export async function withValues(live: Live, record: { readonly revision?: string } | null): Promise<Live> {
  if (!Object.values(live.values).some((value) => value instanceof Unread)) return live;
  const isAsRecorded = record?.revision !== undefined && record.revision === live.revision;
  const read = async (value: LiveValue): Promise<LiveValue> =>
    value instanceof Unread ? (isAsRecorded ? unchanged : await value.read()) : value;
  const values = await Promise.all(Object.entries(live.values).map(async ([field, value]) => [field, await read(value)] as const));
  return { ...live, values: Object.fromEntries(values) };
}

/** The object with this id. Where none has exactly this id, the only one whose id differs in case: some answers show ids in another case. */
export function sameAs(id: string, found: readonly Live[]): Live | null {
  const [one, ...more] = found.filter((live) => isSameId(live.id, id));
  return found.find((live) => live.id === id) ?? (one && more.length === 0 ? { ...one, id } : null);
}
