import type { Live, LiveValue } from './live-object.ts';

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
