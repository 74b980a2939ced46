import { isUtf8 } from 'node:buffer';
import type { Range } from './text-finder.ts';

/** A text that stands in another one as base64 or hex, and where each part of it stands there. */
export interface Packed {
  readonly text: string;
  rangeOf(range: Range): Range;
}

/** What of `text` is, decoded, a text itself. A line break within is none of it. */
export function packedTexts(text: string): readonly Packed[] {
  const all: Packed[] = [];
  for (let from = 0; from + shortestRun <= text.length; ) {
    const end = from + shortestRun - 1;
    let at = end;
    // From its end: of other text only one in so many characters is looked at.
    while (at >= from && isDigit(text.charCodeAt(at))) at -= 1;
    if (at >= from) {
      from = at + 1;
      continue;
    }
    let to = end + 1;
    while (to < text.length && isDigit(text.charCodeAt(to))) to += 1;
    addPacked(all, text, { from, to });
    from = to + 1;
  }
  return all;
}

function addPacked(all: Packed[], text: string, { from, to }: Range): void {
  const add = (bytes: Buffer, inDigits: (range: Range) => Range): void => {
    if (isText(bytes)) all.push(new PackedIn(text, from, to, bytes, inDigits));
  };
  if (isHexFrom(text, from) && isHex.test(text.slice(from, to))) {
    const digits = text.slice(from, to).replace(/[\r\n]/g, '');
    add(Buffer.from(digits.slice(0, digits.length & ~1), 'hex'), (range) => ({ from: range.from * 2, to: range.to * 2 }));
  }
  // What stands before it, as a slash does, may belong to the same alphabet.
  for (let skip = 0; skip < 4; skip += 1) {
    const start = from + skip;
    if (!beginsAsText(text, start) || !isText(Buffer.from(text.slice(start, Math.min(to, start + head)), 'base64'))) continue;
    add(Buffer.from(text.slice(start, to), 'base64'), (range) => ({
      from: skip + Math.floor(range.from / 3) * 4,
      to: skip + Math.ceil(range.to / 3) * 4,
    }));
  }
}

class PackedIn implements Packed {
  readonly text: string;
  readonly #around: string;
  readonly #from: number;
  readonly #to: number;
  readonly #inDigits: (range: Range) => Range;
  /** Where each digit stands. */
  #places: readonly number[] | null = null;

  constructor(around: string, from: number, to: number, bytes: Buffer, inDigits: (range: Range) => Range) {
    // One character a byte, so that places are those of bytes: the normal form reads UTF-8 from it.
    this.text = bytes.toString('latin1');
    this.#around = around;
    this.#from = from;
    this.#to = to;
    this.#inDigits = inDigits;
  }

  rangeOf(range: Range): Range {
    this.#places ??= this.#digits();
    const places = this.#places;
    const { from, to } = this.#inDigits(range);
    return { from: places[Math.min(from, places.length - 1)] ?? 0, to: (places[Math.min(to, places.length) - 1] ?? 0) + 1 };
  }

  #digits(): readonly number[] {
    const places: number[] = [];
    for (let at = this.#from; at < this.#to; at += 1) if (!/[\r\n]/.test(this.#around[at] ?? '')) places.push(at);
    return places;
  }
}

/** UTF-16 has nothing in half of its bytes. Of UTF-8 the last character may be cut. */
function isText(bytes: Buffer): boolean {
  if (bytes.subarray(0, shortestRun).filter((byte) => byte === 0).length > 3) return true;
  for (let cut = 0; cut < 4; cut += 1) if (isUtf8(cut === 0 ? bytes : bytes.subarray(0, Math.max(0, bytes.length - cut)))) return true;
  return false;
}

/** Of nine bytes that are a text few are beyond ASCII, of others half: the first bit of each stands in one of four digits. */
function beginsAsText(text: string, from: number): boolean {
  let beyond = 0;
  for (let i = from; i < from + shortestRun - 4 && beyond < 3; i += 4) {
    if (((values[text.charCodeAt(i)] ?? 0) & 32) !== 0) beyond += 1;
    if (((values[text.charCodeAt(i + 1)] ?? 0) & 8) !== 0) beyond += 1;
    if (((values[text.charCodeAt(i + 2)] ?? 0) & 2) !== 0) beyond += 1;
  }
  return beyond < 3;
}

function isHexFrom(text: string, from: number): boolean {
  for (let i = 0; i < shortestRun; i += 1)
    if (((text.charCodeAt(from + i) | 0x20) - 0x61) >>> 0 > 5 && text.charCodeAt(from + i) > 0x39) return false;
  return true;
}

/** Characters of base64 and hex and line breaks, so many that a secret may be in them. */
const shortestRun = 16;
/** So much of a run tells whether the whole may be a text. */
const head = 64;
const isHex = /^[0-9a-f\r\n]+$/i;

const values = new Int8Array(1 << 16).fill(-1);
for (const [value, c] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) values[c.charCodeAt(0)] = value;
for (const [c, value] of Object.entries({ '-': 62, _: 63, '\r': 0, '\n': 0 })) values[c.charCodeAt(0)] = value;
const isDigit = (code: number): boolean => (values[code] ?? -1) >= 0;
