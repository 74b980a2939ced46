import { isMap } from '../../src/core/json.ts';

type Resolve = (schema: unknown) => unknown;
type Node = Readonly<Record<string, unknown>>;

/** A schema and all that it joins or chooses from. */
function partsOf(schema: unknown, resolve: Resolve): readonly Node[] {
  const here = resolve(schema);
  if (!isMap(here)) return [];
  const forms = [here.allOf, here.anyOf, here.oneOf].flatMap((list): unknown[] => (Array.isArray(list) ? list : []));
  return [here, ...forms.flatMap((form) => partsOf(form, resolve))];
}

const membersOf = ({ properties }: Node): readonly [string, unknown][] => (isMap(properties) ? Object.entries(properties) : []);

/** A value with every member that any form of a schema knows; a list has one entry. `deep`: levels that are left. */
export function wholeValue(schema: unknown, resolve: Resolve, deep = 12): unknown {
  const parts = deep === 0 ? [] : partsOf(schema, resolve);
  const inner = (part: unknown): unknown => wholeValue(part, resolve, deep - 1);
  const members = parts.flatMap(membersOf).filter(([, part]) => part !== false);
  const types = parts.flatMap(({ type }) => type ?? []).filter((type) => type !== 'null');
  if (members.length > 0) return Object.fromEntries(members.map(([name, part]) => [name, inner(part)]));
  const list = parts.find(({ items }) => items !== undefined);
  if (list) return [inner(list.items)];
  for (const part of parts) {
    if ('const' in part) return part.const;
    if (Array.isArray(part.enum)) return part.enum[0] as unknown;
  }
  return { integer: 7, number: 7, boolean: true, object: {}, array: [] }[String(types[0])] ?? 'theirs';
}

/** Pointers to the members of a value that no form of the schema takes; an entry of a list is `*`. */
export function refusedMembers(value: unknown, schemas: readonly unknown[], resolve: Resolve, at = ''): readonly string[] {
  const parts = schemas.flatMap((schema) => partsOf(schema, resolve));
  if (Array.isArray(value)) {
    const items = parts.flatMap((part) => part.items ?? []);
    const all: readonly unknown[] = value;
    return [...new Set(all.flatMap((one) => refusedMembers(one, items, resolve, `${at}/*`)))];
  }
  if (!isMap(value)) return [];
  const forms = parts.filter((part) => isMap(part.properties));
  if (forms.length === 0) return [];
  return Object.entries(value).flatMap(([name, one]) => {
    const known = forms.flatMap((form) => membersOf(form).filter(([member]) => member === name));
    const taking = known.flatMap(([, part]) => (part === false ? [] : [part]));
    if (taking.length > 0) return refusedMembers(one, taking, resolve, `${at}/${name}`);
    const isOpen = known.length === 0 && forms.some(({ additionalProperties }) => additionalProperties !== false);
    return isOpen ? [] : [`${at}/${name}`];
  });
}
