import { isMap } from '../../src/core/json.ts';

export interface CoerceWith {
  /** Follows a reference. */
  resolve(schema: unknown): unknown;
  /** Whether a value is valid under a part of the schema: decides between branches. */
  fits(schema: object, value: unknown): boolean;
}

/** Text, as a form or a query carries it, read as the type that the schema names. What does not read so stays text, for the validator to refuse. */
export function coerce(value: unknown, schema: unknown, how: CoerceWith): unknown {
  const here = how.resolve(schema);
  if (!isMap(here)) return value;
  const branches = [...listOf(here.anyOf), ...listOf(here.oneOf)].filter(isMap);
  const fitting = branches
    .map((branch) => ({ branch, read: coerce(value, branch, how) }))
    .find(({ branch, read }) => how.fits(branch, read));
  let read = fitting ? fitting.read : value;
  for (const part of listOf(here.allOf)) read = coerce(read, part, how);

  const types = Array.isArray(here.type) ? here.type : [here.type];
  if (typeof read === 'string') return types.includes('array') ? [coerce(read, here.items, how)] : fromText(read, types, here.enum);
  const list = types.includes('array') ? listFrom(read) : null;
  if (list) return list.map((item) => coerce(item, here.items, how));
  if (!isMap(read)) return read;
  const members = isMap(here.properties) ? here.properties : {};
  return Object.fromEntries(
    Object.entries(read).map(([name, member]) => [name, coerce(member, members[name] ?? here.additionalProperties, how)]),
  );
}

function fromText(text: string, types: readonly unknown[], values: unknown): unknown {
  if (types.includes('string') || listOf(values).includes(text)) return text;
  const wantsNumber = types.includes('number') || types.includes('integer');
  if (wantsNumber && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** `x[0]=a&x[1]=b` is a list when the schema says so; as a map of digits it would be an object. */
function listFrom(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (!isMap(value)) return null;
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key))
    ? keys.sort((one, other) => Number(one) - Number(other)).map((key) => value[key])
    : null;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
