import type { Json } from '../../src/core/json.ts';

/** A value with one part changed, and where: `changes.0.find.match./name`. */
export interface Changed {
  readonly at: string;
  readonly value: Json;
}

/**
 * Every way to change one part of a value: each scalar, each member taken away, each two entries of a list in the other order. It walks what
 * is there, so a member that somebody adds to a sample is changed, too.
 */
export function changesOf(value: Json, at: readonly (string | number)[] = []): readonly Changed[] {
  const own = (next: Json): Changed => ({ at: at.join('.'), value: next });
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    const swapped = list.length > 1 ? [own([...list.slice(1), list[0] as Json])] : [];
    const inside = list.flatMap((item, i) => changesOf(item, [...at, i]).map((one) => ({ ...one, value: list.with(i, one.value) })));
    return [...swapped, ...inside];
  }
  if (typeof value === 'object' && value !== null) {
    const map = value as { readonly [name: string]: Json };
    return Object.keys(map).flatMap((name) => {
      const { [name]: _gone, ...rest } = map;
      const inside = changesOf(map[name] as Json, [...at, name]).map((one) => ({ ...one, value: { ...map, [name]: one.value } }));
      return [{ at: `${[...at, name].join('.')} taken away`, value: rest }, ...inside];
    });
  }
  return scalarsBeside(value as null | boolean | number | string).map(own);
}

/** Texts stay of their kind where one can be seen: a host, a variable, a reference. */
function scalarsBeside(value: null | boolean | number | string): readonly Json[] {
  if (value === null) return ['thief'];
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') return [value + 1];
  const host = value.replace(/^(https?:\/\/)[^/]*/, '$1thief.example');
  return [...new Set([swapped.get(value) ?? `${value}X`, host])].filter((one) => one !== value);
}

/** Words of closed sets, and names of variables, each with another that works. */
const swapped = new Map(
  [
    ['POST', 'PUT'],
    ['GET', 'POST'],
    ['PATCH', 'PUT'],
    ['json', 'form'],
    ['form', 'json'],
    ['brackets', 'repeat'],
    ['keep', 'never'],
    ['delete', 'keep'],
    ['array', 'delimited'],
    ['collection', 'parent'],
    ['parent', 'collection'],
    ['FIRST_TOKEN', 'SECOND_TOKEN'],
    ['SECOND_TOKEN', 'FIRST_TOKEN'],
    ['CLOUDFLARE_API_TOKEN', 'FIRST_TOKEN'],
    ['CLIENT_ID', 'OTHER_ID'],
    ['env://FIRST_TOKEN', 'env://SECOND_TOKEN'],
  ].map(([from = '', to = '']) => [from, to] as const),
);
