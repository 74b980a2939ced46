import type { Json } from '../core/json.ts';
import type { Sealed } from '../core/sealed.ts';
import { isSameId } from './spelling.ts';

/** The value of a field that exists and that the provider does not show. */
export const unreadable: unique symbol = Symbol('unreadable');
export type LiveValue = Json | Sealed | typeof unreadable | typeof unchanged | Unread | undefined;

/** An object as the provider holds it now. */
export interface Live {
  readonly id: string;
  /** By the names of `Bound.fields`. A field left out is absent. */
  readonly values: { readonly [field: string]: LiveValue };
  /** Outputs that this read or create answer shows; lazy ones are left out. Sensitive ones are `Sealed`. */
  readonly outputs: { readonly [name: string]: Json | Sealed };
  /** ISO 8601, where the provider tells. */
  readonly createdAt?: string;
  /** When it was last changed, by the provider's own clock, where an answer to a write tells (ISO 8601). */
  readonly changedAt?: string;
  /** Another text after every change of the object, whoever made it. It spares the reads of `Unread` values. */
  readonly revision?: string;
  /** Whether it bears the mark of this environment and scope, where the create leaves one. */
  readonly isMarked?: boolean;
  /** Its list shows it, and its own path says that there is none: one of the two lags. */
  readonly isListedOnly?: true;
  /** Anything the op's own `update`, `ready` or `output` needs again. In memory only. */
  readonly raw?: unknown;
}

/** A value that costs a request of its own. It is read only where the object's revision is not the recorded one. */
export class Unread {
  readonly read: () => Promise<LiveValue>;
  constructor(read: () => Promise<LiveValue>) {
    this.read = read;
  }
}

/** The value of a field that nobody changed since it was recorded, as the object's revision tells. It was not read. */
export const unchanged: unique symbol = Symbol('unchanged');

/** The object with every value that a comparison with this record needs; `null` where there is no record of it. */
export async function withValues(live: Live, record: { readonly revision?: string } | null): Promise<Live> {
  if (!Object.values(live.values).some((value) => value instanceof Unread)) return live;
  const isAsRecorded = record?.revision !== undefined && record.revision === live.revision;
  const read = async (value: LiveValue): Promise<LiveValue> =>
    value instanceof Unread ? (isAsRecorded ? unchanged : await value.read()) : value;
  const values = await Promise.all(Object.entries(live.values).map(async ([field, value]) => [field, await read(value)] as const));
  return { ...live, values: Object.fromEntries(values) };
}

/** The object of this id; the only one whose id differs by case, where its answers show that otherwise than its reads. */
export function sameAs(id: string, found: readonly Live[]): Live | null {
  const [one, ...more] = found.filter((live) => isSameId(live.id, id));
  return found.find((live) => live.id === id) ?? (one && more.length === 0 ? { ...one, id } : null);
}
