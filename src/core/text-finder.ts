/** Where in a text any of many needles stands, whole or cut off at its end. A scan costs a few nanoseconds a character. */
export class TextFinder {
  /** Needles are at least this long, so that their beginning alone leaves few candidates. */
  static readonly shortest = 6;
  /** Lengths of the heads that begin with these characters, longest first. */
  readonly #lengths = new Map<string, readonly number[]>();
  readonly #needles = new Map<string, Group>();
  /** Whether one begins with four characters, by their hash. */
  readonly mayStart = new Uint32Array(1 << 11);

  /** A text that ends within the needle, or goes on as another one, is found from its first `least` characters on. */
  add(needle: string, least = needle.length): void {
    const shown = Math.min(least, needle.length);
    if (shown < TextFinder.shortest) throw new RangeError(`a needle has at least ${TextFinder.shortest} characters`);
    const start = needle.slice(0, TextFinder.shortest);
    const lengths = this.#lengths.get(start) ?? [];
    if (!lengths.includes(shown))
      this.#lengths.set(
        start,
        [shown, ...lengths].sort((a, b) => b - a),
      );
    const head = needle.slice(0, shown);
    const group = this.#needles.get(head) ?? new Group();
    group.add(needle);
    this.#needles.set(head, group);
    const hash = hashOfFour(needle);
    this.mayStart[hash >>> 5] = (this.mayStart[hash >>> 5] ?? 0) | (1 << (hash & 31));
  }

  /** Ranges covered by needles, in order; overlapping ones are one range, so that no part of a needle stays uncovered. */
  find(text: string, from = 0, to = text.length): readonly Range[] {
    if (this.#needles.size === 0) return [];
    const candidates: number[] = [];
    const { mayStart } = this;
    const last = Math.min(text.length, to + 3);
    let hash = 0;
    for (let at = from; at < last; at += 1) {
      hash = windowHash(hash, text.charCodeAt(at));
      if (isIn(mayStart, hash) && at >= from + 3) candidates.push(at - 3);
    }
    return candidates.length === 0 ? [] : this.findAt(text, candidates);
  }

  /** The same, where a needle can begin at these places only. */
  findAt(text: string, places: readonly number[]): readonly Range[] {
    const ranges: { from: number; to: number }[] = [];
    for (const at of places) {
      const length = this.#lengthAt(text, at);
      if (length === 0) continue;
      const last = ranges.at(-1);
      if (last && at < last.to) last.to = Math.max(last.to, at + length);
      else ranges.push({ from: at, to: at + length });
    }
    return ranges;
  }

  #lengthAt(text: string, at: number): number {
    let most = 0;
    for (const length of this.#lengths.get(text.slice(at, at + TextFinder.shortest)) ?? []) {
      const group = this.#needles.get(text.slice(at, at + length));
      if (group) most = Math.max(most, group.shared(text, at));
    }
    return most;
  }
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Needles with one head, sorted: the one that shares most with a text stands beside the place of that text, so their number does not matter. */
class Group {
  readonly #sorted: string[] = [];
  #longest = 0;

  add(needle: string): void {
    const place = this.#placeOf(needle);
    if (this.#sorted[place] === needle) return;
    this.#sorted.splice(place, 0, needle);
    this.#longest = Math.max(this.#longest, needle.length);
  }

  /** How many characters of the text from `at` on are those of a needle. */
  shared(text: string, at: number): number {
    const place = this.#sorted.length === 1 ? 0 : this.#placeOf(text.slice(at, at + this.#longest));
    return Math.max(...[place - 1, place].map((index) => sharedWith(this.#sorted[index] ?? '', text, at)));
  }

  #placeOf(text: string): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sorted[middle] ?? '') < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function sharedWith(needle: string, text: string, at: number): number {
  if (text.startsWith(needle, at)) return needle.length;
  let length = 0;
  while (length < needle.length && needle.charCodeAt(length) === text.charCodeAt(at + length)) length += 1;
  return length;
}

/** A bit for each hash: the whole set stays in the first cache of a processor. */
export const isIn = (set: Uint32Array, hash: number): boolean => (((set[hash >>> 5] ?? 0) >>> (hash & 31)) & 1) === 1;

/** The hash of the last four characters, of the one before and the next one: each is shifted out by the fourth after it. */
export const windowHash = (hash: number, code: number): number => ((hash << 4) ^ code) & 0xffff;

function hashOfFour(text: string): number {
  let hash = 0;
  for (let i = 0; i < 4; i += 1) hash = windowHash(hash, text.charCodeAt(i));
  return hash;
}
