import { type Units, unitsOf } from './text-units.ts';

/** Finds many needles in a text, each whole or cut off at its end. A scan costs about a nanosecond a character. */
export class TextFinder {
  /** Needles are at least this long, so that their beginning alone leaves few candidates. */
  static readonly shortest = 6;
  readonly #root: Branch = { text: '', least: Number.POSITIVE_INFINITY, next: new Map() };
  /**
   * One bit for the hash of each four characters among the first six of a needle: so every third place of a text suffices to find each
   * needle. Bits keep the set within the first cache of a processor.
   */
  readonly #mayBegin = new Uint32Array(1 << 11);

  /** A text that ends within the needle, or goes on differently, is found when it holds at least the first `least` characters. */
  add(needle: string, least = needle.length): void {
    const shown = Math.min(least, needle.length);
    if (shown < TextFinder.shortest) throw new RangeError(`a needle has at least ${TextFinder.shortest} characters`);
    for (let i = 0; i < stride; i += 1) {
      const hash = hashOf(needle.charCodeAt(i), needle.charCodeAt(i + 1), needle.charCodeAt(i + 2), needle.charCodeAt(i + 3));
      this.#mayBegin[hash >>> 5] = (this.#mayBegin[hash >>> 5] ?? 0) | (1 << (hash & 31));
    }
    let branch = this.#root;
    for (let depth = 0; depth < needle.length; depth += branch.text.length) {
      branch = branchAt(branch, needle, depth);
      branch.least = Math.min(branch.least, shown);
    }
  }

  /** Ranges covered by needles, in order. Overlapping needles are one range, so that no part of a needle stays uncovered. */
  find(text: string | Units, end = text.length): readonly Range[] {
    const units = typeof text === 'string' ? unitsOf(text) : text;
    const mayBegin = this.#mayBegin;
    const ranges: { from: number; to: number }[] = [];
    let first = units[stride - 1] ?? 0;
    for (let at = stride - 1; at + stride < end; at += stride) {
      const last = units[at + stride] ?? 0;
      const hash = hashOf(first, units[at + 1] ?? 0, units[at + 2] ?? 0, last);
      first = last;
      if ((((mayBegin[hash >>> 5] ?? 0) >>> (hash & 31)) & 1) === 1)
        this.#lookFrom(units, { from: at - stride + 1, to: at + 1 }, end, ranges);
    }
    return ranges;
  }

  /** Adds the ranges of needles that begin at these places. */
  #lookFrom(units: Units, places: Range, end: number, ranges: { from: number; to: number }[]): void {
    for (let at = places.from; at < places.to; at += 1) {
      const to = at + this.#lengthAt(units, at, end);
      if (to === at) continue;
      const last = ranges.at(-1);
      if (last && at < last.to) last.to = Math.max(last.to, to);
      else ranges.push({ from: at, to });
    }
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

/** Needles that begin alike, as tokens of one provider do. A look-up costs the same however many there are. */
interface Branch {
  /** Their common text here. */
  text: string;
  /** How many characters, counted from the beginning, tell too much of one of these needles. */
  least: number;
  readonly next: Map<number, Branch>;
}

/** The branch of a needle behind `depth` of its characters: a new branch, or a branch that is cut to the common text. */
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

const hashOf = (a: number, b: number, c: number, d: number): number => ((a << 12) ^ (b << 8) ^ (c << 4) ^ d) & 0xffff;

/** Only every third place of a text is looked at. */
const stride = 3;
