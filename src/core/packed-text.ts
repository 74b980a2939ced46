import { hexValues } from './escapes.ts';
import type { Range } from './text-finder.ts';
import type { Units } from './text-units.ts';

/**
 * Decodes the runs of base64 and hex in a text that hold text themselves. It joins them into one text, and knows where each part of that
 * text comes from. The decoded text has one character a byte, so that places count bytes: the normal form reads UTF-8 from it.
 */
export class PackedText {
  readonly #around: Units;
  readonly #runs: Run[] = [];
  #units: Units = nothing;
  #length = 0;
  /** The run of the last range, and one of its digits by number and by place. */
  #last = { run: 0, digit: 0, at: 0 };

  /** A line break within a run is no part of it. */
  constructor(around: Units) {
    this.#around = around;
    for (let from = 0; from + shortestRun <= around.length; ) {
      const end = from + shortestRun - 1;
      let at = end;
      // Looks from the end, so that in other text it reads only one of many characters.
      while (at >= from && isDigit(around[at] ?? 0)) at -= 1;
      if (at >= from) {
        from = at + 1;
        continue;
      }
      let to = isHexFrom(around, from) ? this.#add(from, true) : 0;
      // A character before the run, such as a slash, may belong to the same alphabet.
      for (let skip = 0; skip < 4; skip += 1) if (beginsAsText(around, from + skip)) to = Math.max(to, this.#add(from + skip, false));
      if (to === 0) for (to = end + 1; to < around.length && isDigit(around[to] ?? 0); ) to += 1;
      from = to + 1;
    }
  }

  get units(): Units {
    return this.#units.subarray(0, this.#length);
  }

  /** Gives the place of a range in the text around. A caller asks for several ranges in their order. */
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

  /** Tells where the decoded part ends: 0 where it is no text, or where a digit of the other alphabet follows. */
  #add(from: number, isHex: boolean): number {
    const at = this.#length;
    const to = this.#decode(from, isHex);
    if (to === 0) this.#length = at;
    else {
      this.#units[this.#length] = between;
      this.#length += 1;
      this.#runs.push({ at, from, to, isHex });
    }
    return to;
  }

  #decode(from: number, isHex: boolean): number {
    const values = isHex ? hexValues : base64Values;
    const at = this.#length;
    let head = at + headSize;
    let bits = 0;
    let count = 0;
    let place = from;
    for (;;) {
      this.#makeRoom(this.#length + blockSize);
      const last = place;
      if (count === 0) place = this.#decodeFours(place, place + (this.#length < head ? headSize + headSize / 2 : blockSize), isHex);
      if (this.#length >= head && head > 0) {
        if (!isText(this.#units, at, head)) return 0;
        head = 0;
      }
      if (place > last) continue;
      const code = this.#around[place] ?? 0;
      const value = values[code] ?? -1;
      if (value < 0 && !isLineBreak(code)) break;
      place += 1;
      if (isLineBreak(code)) continue;
      bits = (bits << (isHex ? 4 : 6)) | value;
      count += isHex ? 4 : 6;
      if (count < 8) continue;
      count -= 8;
      this.#units[this.#length] = (bits >>> count) & 0xff;
      this.#length += 1;
    }
    const isWhole = !isHex || place >= this.#around.length || !isDigit(this.#around[place] ?? 0);
    return isWhole && (head === 0 || isText(this.#units, at, this.#length)) ? Math.min(place, this.#around.length) : 0;
  }

  /** Decodes nearly all of a run: groups of four digits that are whole bytes, with no line break between them. Tells how far it came. */
  #decodeFours(from: number, end: number, isHex: boolean): number {
    const values = isHex ? hexValues : base64Values;
    const size = isHex ? 4 : 6;
    const around = this.#around;
    const units = this.#units;
    let length = this.#length;
    const to = Math.min(end, around.length) - 3;
    let place = from;
    for (; place < to; place += 4) {
      const high = ((values[around[place] ?? 0] ?? 0) << size) | (values[around[place + 1] ?? 0] ?? 0);
      const low = ((values[around[place + 2] ?? 0] ?? 0) << size) | (values[around[place + 3] ?? 0] ?? 0);
      if ((high | low) >>> (2 * size) !== 0) break;
      units[length] = high >>> 4;
      if (!isHex) length += 1;
      units[length] = isHex ? high : ((high << 4) | (low >>> 8)) & 0xff;
      units[length + 1] = low & 0xff;
      length += 2;
    }
    this.#length = length;
    return place;
  }

  #makeRoom(size: number): void {
    if (size <= this.#units.length) return;
    const units = new Uint16Array(Math.max(size, 2 * this.#units.length, this.#around.length));
    units.set(this.units);
    this.#units = units;
  }
}

interface Run {
  /** Where the run begins in the decoded text. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly isHex: boolean;
}

/** In UTF-16 half of the first bytes are zero. In UTF-8 the characters behind the run may have spoiled the last three bytes. */
function isText(units: Units, from: number, to: number): boolean {
  let zeros = 0;
  for (let at = from; at < from + shortestRun && at < to; at += 1) if (units[at] === 0) zeros += 1;
  if (zeros > 3) return true;
  for (let at = from; at < to - 3; at += 1) {
    const lead = units[at] ?? 0;
    if (lead < 0x80) continue;
    if (lead < 0xc2 || lead > 0xf4) return false;
    for (let more = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3; more > 0; more -= 1) {
      at += 1;
      if (at < to - 3 && ((units[at] ?? 0) & 0xc0) !== 0x80) return false;
    }
  }
  return true;
}

/** Of nine bytes of text few are beyond ASCII; of nine other bytes about half are. The first bit of each stands in one of four digits. */
function beginsAsText(units: Units, from: number): boolean {
  let beyond = 0;
  for (let i = from; i < from + shortestRun - 4 && beyond < 3; i += 4) {
    beyond += ((base64Values[units[i] ?? 0] ?? 0) >>> 5) & 1;
    beyond += ((base64Values[units[i + 1] ?? 0] ?? 0) >>> 3) & 1;
    beyond += ((base64Values[units[i + 2] ?? 0] ?? 0) >>> 1) & 1;
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

/** Least length of a run of base64 or hex, line breaks included, that can hold a secret. */
const shortestRun = 16;
/** Bytes that suffice to tell whether the rest may be text. */
const headSize = 32;
/** Digits that are decoded at a time. Node compiles functions that are called often; a loop that it replaces while it runs stays slow. */
const blockSize = 1 << 10;
/** Stands between two runs. No secret holds this character, and the normal form keeps it. */
const between = 0x2400;
const nothing: Units = new Uint16Array(0);

/** The value of each digit. A line break has a value above that of any digit. */
const base64Values = new Int16Array(1 << 16).fill(-1);
for (const [value, c] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  base64Values[c.charCodeAt(0)] = value;
}
for (const [c, value] of Object.entries({ '-': 62, _: 63, '\r': 1 << 12, '\n': 1 << 12 })) base64Values[c.charCodeAt(0)] = value;
const isDigit = (code: number): boolean => (base64Values[code] ?? -1) >= 0;
const isLineBreak = (code: number): boolean => code === 0x0a || code === 0x0d;
