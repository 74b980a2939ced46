/** What stands around an expression. */
export interface Context {
  /** The calls around it, the innermost first: `createClient`, `new Pool`, `z.string`. */
  readonly calls: readonly string[];
  /** For each call, which of its arguments it is, from 0; `null` where it only stands in one. */
  readonly places: readonly (number | null)[];
  /** The name of the member that it is the value of: `connectionString`. */
  readonly member: string | null;
  /** The members and variables around it, the innermost first. */
  readonly members: readonly string[];
  /** The variable that gets it, alone or in an object. */
  readonly assigned: string | null;
}

/** Larger expressions than this are no calls of a client. */
const farthest = 1_500;

/**
 * Looks outward from an offset: through the open brackets before it, to the calls, members and the variable that they belong to. It looks
 * at text, so a bracket inside a quoted text may mislead it; then it finds nothing that fits.
 */
export function contextAt(text: string, from: number): Context {
  // A template of the value alone is the value.
  const at = text.startsWith('`${', from - 3) ? from - 3 : from;
  const [calls, members, places]: [string[], string[], (number | null)[]] = [[], [], []];
  let member: string | null = null;
  let assigned: string | null = null;
  let depth = 0;
  const note = (end: number, isFirst: boolean): boolean => {
    const before = text.slice(Math.max(0, end - 120), end);
    const own = memberBefore.exec(before)?.[1];
    if (own !== undefined) {
      members.push(own);
      if (isFirst) member = own;
      return false;
    }
    const given = assignedBefore.exec(before);
    const name = given?.[1];
    if (given === null || name === undefined) return false;
    // A named argument, as in Python: `connect(url=`.
    if (/\w=\s*$/.test(given[0]) && /[(,]\s*$/.test(before.slice(0, given.index))) {
      members.push(name);
      if (isFirst) member = name;
      return false;
    }
    assigned = name;
    return true;
  };
  if (note(at, true)) return { calls, places, member, members, assigned };
  let place: number | null = 0;
  const until = Math.max(0, at - farthest);
  for (let i = at - 1; i >= until; i -= 1) {
    const sign = text[i];
    if (sign === ')' || sign === ']' || sign === '}') depth += 1;
    else if (sign === ';' && depth === 0) break;
    else if (sign === ',' && depth === 0) place = place === null ? null : place + 1;
    else if (sign === '(' || sign === '[' || sign === '{') {
      if (depth > 0) {
        depth -= 1;
        continue;
      }
      const call = sign === '(' ? callBefore.exec(text.slice(Math.max(0, i - 120), i))?.[1] : undefined;
      const start = call === undefined ? i : i - call.length;
      if (call !== undefined) {
        calls.push(call.replace(/\s+/g, ' '));
        places.push(place);
      }
      place = sign === '(' && place !== null ? 0 : null;
      if (calls.length > 6 || note(start, false)) break;
    }
  }
  return { calls, places, member, members, assigned };
}

/** `name: `, `"name" => `, `name = ` inside a call; but `name := ` and `const name = ` give a variable. */
const memberBefore = /([\w$]+)["']?\s*(?::(?![:=])|=>)\s*(?:\w+\s*\?\?\s*)?$/;
const assignedBefore = /([\w$]+)(?:\s*:\s*[\w<>|.[\] ]{1,60})?\s*(?::=|(?<![=!<>])=)\s*(?:await\s+|\(\s*)?$/;
const callBefore = /((?:new\s+)?[\w$]+(?:(?:\?\.|\.|::|->|\\)[\w$!]+)*!?)(?:<[^<>()]{0,60}>)?\s*$/;

/** Tells whether the value at an offset is only a piece of a text: of a template, or behind a text and a plus. */
export const isPiece = (text: string, at: number): boolean =>
  /(?:`[^`]{1,300}\$|\b[fF]"[^"\n]{1,300}|\b[fF]'[^'\n]{1,300}|"[^"\n]{1,300}#)\{\s*$|["'`]\s*\+\s*$/.test(
    text.slice(Math.max(0, at - 310), at),
  );
