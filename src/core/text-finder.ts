/** Where in a text any of many needles stands. Needles are added at any time; a scan costs a few nanoseconds a character. */
export class TextFinder {
  /** Needles are at least this long, so that their beginning alone leaves few candidates. */
  static readonly shortest = 6;
  readonly #byStart = new Map<string, Bucket>();
  readonly #mayStart = new Uint8Array(1 << 16);

  add(needle: string): void {
    if (needle.length < TextFinder.shortest) throw new RangeError(`a needle has at least ${TextFinder.shortest} characters`);
    const start = needle.slice(0, TextFinder.shortest);
    const bucket = this.#byStart.get(start) ?? { needles: new Set(), lengths: [] };
    bucket.needles.add(needle);
    bucket.lengths = [...new Set([needle.length, ...bucket.lengths])].sort((a, b) => b - a);
    this.#byStart.set(start, bucket);
    this.#mayStart[hashOfFour(needle, 0)] = 1;
  }

  /** Ranges covered by needles, in order; overlapping ones are one range, so that no part of a needle stays uncovered. */
  find(text: string): readonly { readonly from: number; readonly to: number }[] {
    const ranges: { from: number; to: number }[] = [];
    if (this.#byStart.size === 0 || text.length < TextFinder.shortest) return ranges;
    let hash = hashOfFour(text, 0);
    for (let at = 0; at + TextFinder.shortest <= text.length; at += 1) {
      const here = hash;
      // The next four are these without the first, and one more.
      hash = (Math.imul(here - Math.imul(text.charCodeAt(at), weightOfFirst), 37) + text.charCodeAt(at + 4)) & 0xffff;
      if (this.#mayStart[here] === 0) continue;
      const bucket = this.#byStart.get(text.slice(at, at + TextFinder.shortest));
      const length = bucket?.lengths.find((one) => bucket.needles.has(text.slice(at, at + one)));
      if (length === undefined) continue;
      const last = ranges.at(-1);
      if (last && at < last.to) last.to = Math.max(last.to, at + length);
      else ranges.push({ from: at, to: at + length });
    }
    return ranges;
  }
}

/** Needles that begin alike, as tokens of one provider do: looked up by length, so that their number does not matter. */
interface Bucket {
  readonly needles: Set<string>;
  /** Longest first. */
  lengths: readonly number[];
}

/** By how much the first of four characters counts. */
const weightOfFirst = 37 ** 3;

function hashOfFour(text: string, at: number): number {
  let hash = text.charCodeAt(at);
  for (let i = 1; i < 4; i += 1) hash = Math.imul(hash, 37) + text.charCodeAt(at + i);
  return hash & 0xffff;
}
