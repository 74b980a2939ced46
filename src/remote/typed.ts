import { isMap, type Json } from '../core/json.ts';
import { getAt, joinPointer, splitPointer } from '../core/pointer.ts';
import { Sealed } from '../core/sealed.ts';

/**
 * An XML answer in the types that the plan declares. XML knows texts only, and a list of one looks like its entry.
 * A text that reads as the planned number or boolean becomes it, a lone element becomes a list of one, and an empty element an empty text,
 * list or map. Parts that the plan does not declare, and parts that do not fit, stay as they were read.
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

/** The value at a pointer in XML. The first entry of a list may be a lone element, and an element with attributes gives its text. */
export function elementAt(value: unknown, pointer: string): unknown {
  const at = splitPointer(pointer).reduce((inner: unknown, part) => {
    const isAlone = part === '0' && inner !== undefined && !Array.isArray(inner) && !(isMap(inner) && Object.hasOwn(inner, part));
    return isAlone ? inner : getAt(inner, joinPointer([part]));
  }, value);
  return isMap(at) && typeof at['#text'] === 'string' ? at['#text'] : at;
}

function listLike(planned: readonly unknown[], live: Json): Json {
  const items: readonly Json[] = Array.isArray(live) ? live : live === '' ? [] : [live];
  return items.map((item, i) => typedLike(planned[i] ?? planned[0], item));
}

/** The text of an element, with or without attributes. */
function textOf(live: Json): string | null {
  if (typeof live === 'string') return live;
  if (!isMap(live) || Object.keys(live).some((name) => !name.startsWith('@') && name !== '#text')) return null;
  return typeof live['#text'] === 'string' ? live['#text'] : '';
}
