import { hexValues } from './escapes.ts';
import type { Range } from './text-finder.ts';
import type { Units } from './text-units.ts';

/**
 * What stands in a text as base64 or hex and is, decoded, a text itself: all of it as one text, and where each part of that comes from. It
 * has one character a byte, so that places are those of bytes: the normal form reads UTF-8 from it.
 */
export class PackedText {
  readonly #around: Units;
  readonly #runs: Run[] = [];
  #units: Units = nothing;
  #length = 0;
  /** The run of the last range, and a digit of it by number and by place. */
  #last = { run: 0, digit: 0, at: 0 };

  /** A line break within a run is none of it. */
  constructor(around: Units) {
    this.#around = around;
    for (let from = 0; from + shortestRun <= around.length; ) {
      const end = from + shortestRun - 1;
      let at = end;
      // From its end: of other text only one in so many characters is looked at.
      while (at >= from && isDigit(around[at] ?? 0)) at -= 1;
      if (at >= from) {
        from = at + 1;
        continue;
      }
      let to = end + 1;
      while (to < around.length && isDigit(around[to] ?? 0)) to += 1;
      if (isHexFrom(around, from)) this.#add({ at: this.#length, from, to, isHex: true });
      // What stands before it, as a slash does, may belong to the same alphabet.
      for (let skip = 0; skip < 4; skip += 1) {
        if (beginsAsText(around, from + skip)) this.#add({ at: this.#length, from: from + skip, to, isHex: false });
      }
      from = to + 1;
    }
  }

  get units(): Units {
    return this.#units.subarray(0, this.#length);
  }

  /** Where in the text around a range of this one stands. Who asks for several asks in their order. */
  rangeOf({ from, to }: Range): Range {
    let { run } = this.#last;
    while ((this.#runs[run + 1]?.at ?? Number.POSITIVE_INFINITY) <= from) run += 1;
    const { at = 0, from: begin = 0, to: end = 0, isHex } = this.#runs[run] ?? {};
    const [bytes, digits] = isHex ? [1, 2] : [3, 4];
    if (run !== this.#last.run || this.#last.at < begin) this.#last = { run, digit: 0, at: begin };
    this.#go(Math.floor((from - at) / bytes) * digits, end);
    const first = this.#last;
    this.#go(Math.ceil((to - at) / bytes) * digits - 1, end);
    const last = this.#last.at;
    this.#last = first;
    return { from: first.at, to: Math.min(end, last + 1) };
  }

  #go(digit: number, end: number): void {
    let { digit: here, at } = this.#last;
    while (at < end && (here < digit || isLineBreak(this.#around[at] ?? 0))) {
      if (!isLineBreak(this.#around[at] ?? 0)) here += 1;
      at += 1;
    }
    this.#last = { ...this.#last, digit: here, at };
  }

  #add(run: Run): void {
    this.#makeRoom(run.at + run.to - run.from + 1);
    const length = this.#decode(run);
    if (length <= run.at) return;
    this.#units[length] = between;
    this.#length = length + 1;
    this.#runs.push(run);
  }

  /** Up to where it is decoded: not at all where a character is no digit, or the first bytes are no text. */
  #decode({ at, from, to, isHex }: Run): number {
    const values = isHex ? hexValues : base64Values;
    const size = isHex ? 4 : 6;
    const around = this.#around;
    const units = this.#units;
    const head = at + headSize;
    let length = at;
    let bits = 0;
    let count = 0;
    for (let place = from; place < to; place += 1) {
      const code = around[place] ?? 0;
      const value = values[code] ?? -1;
      if (value < 0 || code < 0x20) {
        if (isLineBreak(code)) continue;
        return 0;
      }
      bits = (bits << size) | value;
      count += size;
      if (count < 8) continue;
      count -= 8;
      units[length] = (bits >>> count) & 0xff;
      length += 1;
      if (length === head && !isText(units, at, head)) return 0;
    }
    return length >= head || isText(units, at, length) ? length : 0;
  }

  #makeRoom(size: number): void {
    if (size <= this.#units.length) return;
    const units = new Uint16Array(Math.max(size, 2 * this.#units.length));
    units.set(this.units);
    this.#units = units;
  }
}

interface Run {
  /** Where in the decoded text it begins. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly isHex: boolean;
}

/** By its first bytes. UTF-16 has nothing in half of them. Of UTF-8 the last character may be cut. */
function isText(units: Units, from: number, to: number): boolean {
  let zeros = 0;
  for (let at = from; at < from + shortestRun && at < to; at += 1) if (units[at] === 0) zeros += 1;
  if (zeros > 3) return true;
  for (let at = from; at < to; at += 1) {
    const lead = units[at] ?? 0;
    if (lead < 0x80) continue;
    if (lead < 0xc2 || lead > 0xf4) return false;
    for (let more = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3; more > 0 && at + 1 < to; more -= 1) {
      at += 1;
      if (((units[at] ?? 0) & 0xc0) !== 0x80) return false;
    }
  }
  return true;
}

/** Of nine bytes that are a text few are beyond ASCII, of others half: the first bit of each stands in one of four digits. */
function beginsAsText(units: Units, from: number): boolean {
  let beyond = 0;
  for (let i = from; i < from + shortestRun - 4 && beyond < 3; i += 4) {
    if (((base64Values[units[i] ?? 0] ?? 0) & 32) !== 0) beyond += 1;
    if (((base64Values[units[i + 1] ?? 0] ?? 0) & 8) !== 0) beyond += 1;
    if (((base64Values[units[i + 2] ?? 0] ?? 0) & 2) !== 0) beyond += 1;
  }
  return beyond < 3;
}

function isHexFrom(units: Units, from: number): boolean {
  for (let at = from; at < from + shortestRun; at += 1) {
    const code = units[at] ?? 0;
    if ((hexValues[code] ?? -1) < 0 && !isLineBreak(code)) return false;
  }
  return true;
}

/** Characters of base64 and hex and line breaks, so many that a secret may be in them. */
const shortestRun = 16;
/** So many bytes tell whether all may be a text. */
const headSize = 32;
/** Stands between two runs: no secret has it, and it stays in the normal form. */
const between = 0x2400;
const nothing: Units = new Uint16Array(0);

const base64Values = new Int8Array(1 << 16).fill(-1);
for (const [value, c] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  base64Values[c.charCodeAt(0)] = value;
}
for (const [c, value] of Object.entries({ '-': 62, _: 63, '\r': 0, '\n': 0 })) base64Values[c.charCodeAt(0)] = value;
const isDigit = (code: number): boolean => (base64Values[code] ?? -1) >= 0;
const isLineBreak = (code: number): boolean => code === 0x0a || code === 0x0d;
