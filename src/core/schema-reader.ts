import { z } from 'zod';

/** The schema does not take the value. Why not, the schema itself says. */
export const refused: unique symbol = Symbol('refused');

/**
 * Reads values by a schema, for where thousands are read and nearly all are right: the same verdict and the same result as
 * `safeParse`, without a word on what is wrong. What it reads unchanged is the value itself and no copy. A schema parses some ten times
 * slower, because it could explain every value; a caller asks it only after a refusal.
 */
export function readerOf<S extends z.ZodType>(schema: S): (value: unknown) => z.output<S> | typeof refused {
  // It gives what the schema's own parse would.
  return reading(schema) as (value: unknown) => z.output<S> | typeof refused;
}

type Read = (value: unknown) => unknown;
type Schema = z.core.$ZodType;

const made = new WeakMap<Schema, Read>();

/** The reader of a schema, made when the first value comes: most parts of a large schema see none. */
function reading(schema: Schema): Read {
  const known = made.get(schema);
  if (known) return known;
  let own: Read | null = null;
  const read: Read = (value) => {
    own ??= checking(schema, byType(schema));
    return own(value);
  };
  made.set(schema, read);
  return read;
}

/** What is not written out below is read by the schema itself, so that every verdict is exact. */
const exactly =
  (schema: Schema): Read =>
  (value) => {
    const result = z.core.safeParse(schema, value);
    return result.success ? result.data : refused;
  };

const take = (isTaken: (value: unknown) => boolean): Read => {
  return (value) => (isTaken(value) ? value : refused);
};

function byType(schema: Schema): Read {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'string':
      return def.coerce ? exactly(schema) : take((value) => typeof value === 'string');
    case 'number':
      return def.coerce ? exactly(schema) : take(Number.isFinite);
    case 'boolean':
      return def.coerce ? exactly(schema) : take((value) => typeof value === 'boolean');
    case 'null':
      return take((value) => value === null);
    case 'unknown':
    case 'any':
    case 'custom':
      return (value) => value;
    case 'literal':
    case 'enum': {
      const values: ReadonlySet<unknown> = schema._zod.values ?? new Set();
      return take((value) => values.has(value));
    }
    case 'nullable': {
      const inner = reading(def.innerType);
      return (value) => (value === null ? null : inner(value));
    }
    case 'optional':
      return optional(schema, def.innerType);
    case 'default': {
      const inner = reading(def.innerType);
      return (value) => {
        const read = value === undefined ? undefined : inner(value);
        return read === undefined ? def.defaultValue : read;
      };
    }
    case 'array':
      return list(def.element);
    case 'record':
      return record(schema, def);
    case 'object':
      return object(schema, def);
    case 'union':
      return union(def.options);
    default:
      return exactly(schema);
  }
}

/** The rules of a schema beside its type, run as the schema runs them. */
function checking(schema: Schema, read: Read): Read {
  const own = schema._zod.traits.has('$ZodCheck') ? [schema as z.core.$ZodTypes & z.core.$ZodCheck] : [];
  const checks: readonly z.core.$ZodCheck<never>[] = [...own, ...(schema._zod.def.checks ?? [])];
  if (checks.length === 0) return read;
  return (value) => {
    const got = read(value);
    if (got === refused) return refused;
    const payload: z.core.ParsePayload<never> = { value: got as never, issues: [] };
    for (const { _zod: check } of checks) {
      if (check.def.when && !check.def.when(payload)) continue;
      const late = check.check(payload);
      if (late instanceof Promise) throw new z.core.$ZodAsyncError();
      if (payload.issues.length > 0) return refused;
    }
    return payload.value;
  };
}

function optional(schema: Schema, innerType: Schema): Read {
  const inner = reading(innerType);
  if (schema._zod.traits.has('$ZodExactOptional')) return inner;
  if (innerType._zod.optin === 'defaulted') return exactly(schema);
  return (value) => (value === undefined ? undefined : inner(value));
}

function list(element: Schema): Read {
  const item = reading(element);
  return (value) => {
    if (!Array.isArray(value)) return refused;
    const items: unknown[] = [];
    for (const one of value) {
      const read = item(one);
      if (read === refused) return refused;
      items.push(read);
    }
    return items.every((read, i) => read === value[i]) ? value : items;
  };
}

/** The members that were taken of a map, which is the map itself where they are all that it has, as it has them and in its order. */
class Taken {
  readonly #from: { readonly [key: string]: unknown };
  readonly #keys: string[] = [];
  readonly #values: unknown[] = [];
  #isSame = true;

  constructor(from: { readonly [key: string]: unknown }) {
    this.#from = from;
  }

  add(key: string, value: unknown): void {
    this.#keys.push(key);
    this.#values.push(value);
    this.#isSame &&= value === this.#from[key] && key in this.#from;
  }

  /** `keys`: of all members that the map has, in their order. */
  whole(keys: readonly string[]): unknown {
    const isAll = this.#keys.length === keys.length && this.#keys.every((key, i) => key === keys[i]);
    if (this.#isSame && isAll) return this.#from;
    return Object.fromEntries(this.#keys.map((key, i) => [key, this.#values[i]]));
  }
}

function record(schema: Schema, { keyType, valueType }: z.core.$ZodRecordDef): Read {
  const exact = exactly(schema);
  // A key that is read as another, or that must be there, is rare.
  if (keyType._zod.def.type !== 'string' || keyType._zod.def.checks?.length) return exact;
  const member = reading(valueType);
  return (value) => {
    if (!isPlain(value) || Object.hasOwn(value, '__proto__')) return exact(value);
    const taken = new Taken(value);
    const keys = Object.keys(value);
    for (const key of keys) {
      const read = member(value[key]);
      if (read === refused) return refused;
      taken.add(key, read);
    }
    return taken.whole(keys);
  };
}

/** Absent members: `left out` needs no reading, `filled in` has a default, `needed` must be there. */
type Absent = 'left out' | 'filled in' | 'needed';

function object(schema: Schema, { shape, catchall }: z.core.$ZodObjectDef): Read {
  const rest = catchall?._zod.def.type;
  if (rest !== undefined && rest !== 'never' && rest !== 'unknown') return exactly(schema);
  const exact = exactly(schema);
  const members = Object.entries(shape).map(([key, member]) => ({ key, read: reading(member), absent: absentOf(member) }));
  const known = new Set(Object.keys(shape));
  return (value) => {
    if (!isPlain(value) || Object.hasOwn(value, '__proto__')) return exact(value);
    const taken = new Taken(value);
    for (const { key, read, absent } of members) {
      const isThere = key in value;
      if (!isThere && absent === 'left out') continue;
      if (!isThere && absent === 'needed') return refused;
      const got = read(value[key]);
      if (!isThere && (got === refused || got === undefined)) return exact(value);
      if (got === refused) return refused;
      taken.add(key, got);
    }
    const keys = Object.keys(value);
    if (rest === undefined) return taken.whole(keys);
    for (const key of keys) {
      if (known.has(key)) continue;
      if (rest === 'never') return refused;
      taken.add(key, value[key]);
    }
    return taken.whole(keys);
  };
}

function absentOf({ _zod: { optin, optout } }: Schema): Absent {
  if (optin === undefined) return 'needed';
  return optin === 'optional' && optout === 'optional' ? 'left out' : 'filled in';
}

function union(options: readonly Schema[]): Read {
  const readers = options.map(reading);
  return (value) => {
    for (const read of readers) {
      const got = read(value);
      if (got !== refused) return got;
    }
    return refused;
  };
}

/** A map as JSON or YAML makes it; any other object is for the schema to judge. */
function isPlain(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
