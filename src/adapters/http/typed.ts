import { isMap, type Json } from '../../core/json.ts';
import { Sealed } from '../../core/sealed.ts';

/**
 * What an XML answer says, in the types that the plan declares: XML knows texts only, and a list of one looks like its entry.
 * A number or boolean that reads the same is it, a lone element is a list of one, an empty element is an empty text, list or
 * map. What the plan does not declare, and what does not fit, stays as it was read.
 */
export function typedLike(planned: unknown, live: Json): Json {
  if (Array.isArray(planned)) return listLike(planned, live);
  if (isMap(planned)) {
    if (live === '') return {};
    if (!isMap(live)) return live;
    const members: { readonly [name: string]: Json } = live;
    const named = Object.entries(planned).flatMap(([name, want]): [string, Json][] => {
      const value = Object.hasOwn(members, name) ? members[name] : undefined;
      // A list without entries has no element at all.
      if (value === undefined) return Array.isArray(want) && want.length === 0 ? [[name, []]] : [];
      return [[name, typedLike(want, value)]];
    });
    return { ...members, ...Object.fromEntries(named) };
  }
  const text = textOf(live);
  if (planned instanceof Sealed || typeof planned === 'string') return text ?? live;
  if (typeof planned === 'number' || typeof planned === 'boolean') return text?.trim() === String(planned) ? planned : (text ?? live);
  return planned === null && text === '' ? null : live;
}

function listLike(planned: readonly unknown[], live: Json): Json {
  const items: readonly Json[] = Array.isArray(live) ? live : live === '' ? [] : [live];
  return items.map((item, i) => typedLike(planned[i] ?? planned[0], item));
}

/** The text of an element, also of one with attributes. */
function textOf(live: Json): string | null {
  if (typeof live === 'string') return live;
  if (!isMap(live) || Object.keys(live).some((name) => !name.startsWith('@') && name !== '#text')) return null;
  return typeof live['#text'] === 'string' ? live['#text'] : '';
}
