import { isMap, type Json } from '../core/json.ts';
import { splitPointer } from '../core/pointer.ts';

/** A difference between the sent and the shown value that means nothing. */
export interface AlikeRule {
  /** The meaning of an absent value, or of null. */
  readonly default?: Json;
  /** Texts that differ only in the case of their letters are equal. */
  readonly ignore_case?: boolean;
  /** One value and a list of that one value are equal. */
  readonly lone?: boolean;
}

/** Pointer inside a value → rule; `*` stands for every entry of a list or member of a map. */
export type AlikeRules = { readonly [pointer: string]: AlikeRule };

/** The live value as the plan would write it where both mean the same, so that only real differences remain. */
export function alike(planned: unknown, live: unknown, rules: AlikeRules | undefined): unknown {
  if (rules === undefined) return live;
  return Object.entries(rules).reduce((value, [pointer, rule]) => at(planned, value, splitPointer(pointer), rule), live);
}

function at(planned: unknown, live: unknown, parts: readonly string[], rule: AlikeRule): unknown {
  const [part, ...rest] = parts;
  if (part === undefined) return meantBy(planned, live, rule);
  if (Array.isArray(live)) {
    const list: readonly unknown[] = live;
    return list.map((one, i) => (part === '*' || part === String(i) ? at(memberOf(planned, String(i)), one, rest, rule) : one));
  }
  if (!isMap(live)) return live;
  if (part === '*')
    return Object.fromEntries(Object.entries(live).map(([name, one]) => [name, at(memberOf(planned, name), one, rest, rule)]));
  const before = Object.hasOwn(live, part) ? live[part] : undefined;
  const after = at(memberOf(planned, part), before, rest, rule);
  return after === before ? live : { ...live, [part]: after };
}

function meantBy(planned: unknown, live: unknown, rule: AlikeRule): unknown {
  if (live === undefined || live === null) return rule.default ?? live;
  if (rule.lone && Array.isArray(planned) !== Array.isArray(live)) return lone(live);
  const isText = typeof planned === 'string' && typeof live === 'string';
  return rule.ignore_case && isText && planned.toLowerCase() === live.toLowerCase() ? planned : live;
}

/** Turns a list of one value into that value, and a value into a list of it. A longer list stays as it is. */
function lone(live: unknown): unknown {
  if (!Array.isArray(live)) return [live];
  const list: readonly unknown[] = live;
  return list.length === 1 ? list[0] : list;
}

/** The planned member of this name. In a list without order another entry may stand at this place, and then the case of letters counts. */
function memberOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return (value as readonly unknown[])[Number(name)];
  return isMap(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
