import { type Units, unitsOf } from './text-units.ts';

/** Where in a text any of many needles stands, whole or cut off at its end. A scan costs about a nanosecond a character. */
export class TextFinder {
  /** Needles are at least this long, so that their beginning alone leaves few candidates. */
  static readonly shortest = 6;
  readonly #root: Branch = { text: '', least: Number.POSITIVE_INFINITY, next: new Map() };
  /** Whether a needle begins with four characters, by their hash. A bit for each hash: the set stays in the first cache of a processor. */
  readonly #mayStart = new Uint32Array(1 << 11);

  /** A text that ends within the needle, or goes on as another one, is found from its first `least` characters on. */
  add(needle: string, least = needle.length): void {
    const shown = Math.min(least, needle.length);
    if (shown < TextFinder.shortest) throw new RangeError(`a needle has at least ${TextFinder.shortest} characters`);
    let hash = 0;
    for (let i = 0; i < 4; i += 1) hash = windowHash(hash, needle.charCodeAt(i));
    this.#mayStart[hash >>> 5] = (this.#mayStart[hash >>> 5] ?? 0) | (1 << (hash & 31));
    let branch = this.#root;
    for (let depth = 0; depth < needle.length; depth += branch.text.length) {
      branch = branchAt(branch, needle, depth);
      branch.least = Math.min(branch.least, shown);
    }
  }

  /** Ranges covered by needles, in order; overlapping ones are one range, so that no part of a needle stays uncovered. */
  find(text: string | Units, end = text.length): readonly Range[] {
    const units = typeof text === 'string' ? unitsOf(text) : text;
    const mayStart = this.#mayStart;
    const ranges: { from: number; to: number }[] = [];
    let hash = 0;
    for (let at = -3; at < end - 3; at += 1) {
      hash = windowHash(hash, units[at + 3] ?? 0);
      if ((((mayStart[hash >>> 5] ?? 0) >>> (hash & 31)) & 1) === 0 || at < 0) continue;
      const to = at + this.#lengthAt(units, at, end);
      if (to === at) continue;
      const last = ranges.at(-1);
      if (last && at < last.to) last.to = Math.max(last.to, to);
      else ranges.push({ from: at, to });
    }
    return ranges;
  }

  #lengthAt(units: Units, from: number, end: number): number {
    let most = 0;
    let at = from;
    for (let branch = this.#root.next.get(units[at] ?? 0); branch !== undefined; branch = branch.next.get(units[at] ?? 0)) {
      const whole = at + branch.text.length;
      at += sharedWith(branch.text, units, at, end);
      if (at - from >= branch.least) most = at - from;
      if (at < whole || at === end) break;
    }
    return most;
  }
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Needles that begin alike, as tokens of one provider do: how many there are does not matter to who looks one up. */
interface Branch {
  /** What they have in common here. */
  text: string;
  /** From how many characters on, counted from their beginning, one of them tells too much. */
  least: number;
  readonly next: Map<number, Branch>;
}

/** The branch of a needle behind so many of its characters: a new one, or one that is cut to what both have in common. */
function branchAt(parent: Branch, needle: string, depth: number): Branch {
  const known = parent.next.get(needle.charCodeAt(depth));
  let shared = 0;
  while (known && shared < known.text.length && known.text.charCodeAt(shared) === needle.charCodeAt(depth + shared)) shared += 1;
  if (known && shared === known.text.length) return known;
  const text = known ? known.text.slice(0, shared) : needle.slice(depth);
  const branch: Branch = { text, least: known?.least ?? Number.POSITIVE_INFINITY, next: new Map() };
  if (known) {
    known.text = known.text.slice(shared);
    branch.next.set(known.text.charCodeAt(0), known);
  }
  parent.next.set(text.charCodeAt(0), branch);
  return branch;
}

function sharedWith(text: string, units: Units, at: number, end: number): number {
  const most = Math.min(text.length, end - at);
  let length = 0;
  while (length < most && text.charCodeAt(length) === units[at + length]) length += 1;
  return length;
}

/** The hash of the last four characters, of the one before and the next one: each is shifted out by the fourth after it. */
const windowHash = (hash: number, code: number): number => ((hash << 4) ^ code) & 0xffff;
