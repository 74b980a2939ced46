import { EscapeStack } from './escape-stack.ts';
import {
  backslash,
  innerEscape,
  isByte,
  lengthOf,
  longestEscape,
  none,
  nothing,
  pointOf,
  rawEscape,
  softBreakAt,
  terminal,
} from './escapes.ts';
import { dropped, latinFold, plain, special, unitFold, unitFolds } from './fold.ts';
import type { Range, TextFinder } from './text-finder.ts';
import { textOf, type Units, unitsOf } from './text-units.ts';
import { UnitBuffer } from './unit-buffer.ts';

/**
 * One form for every spelling of a text: every layer of escapes decoded, letters small and without marks, and no character that only
 * separates or is invisible.
 */
export function normalOf(text: string): string {
  const reader = shared;
  reader.begin(unitsOf(text));
  reader.read(text.length);
  return textOf(reader.out.units, 0, reader.out.length);
}

/**
 * Finds the needles of a finder in the normal form of a text, and gives their places in the text itself. A long text is read in pieces, which
 * overlap by the length of the longest needle, so the search takes no more memory than a piece.
 */
export function findNormal(text: Units, finder: TextFinder, overlap: number): readonly Range[] {
  const ranges: Range[] = [];
  const reader = shared;
  reader.begin(text);
  for (let to = 0; to < text.length; reader.keepLast(overlap)) {
    to = reader.read(Math.min(text.length, to + Math.max(pieceSize, 4 * overlap)));
    for (const range of finder.find(reader.out.units, reader.out.length)) ranges.push(reader.out.rangeOf(range));
  }
  return ranges;
}

const pieceSize = 1 << 12;

class Reader {
  readonly out = new UnitBuffer();
  readonly #escapes = new EscapeStack(this.out);
  #raw: Units = new Uint16Array(0);
  #at = 0;

  begin(raw: Units): void {
    this.#raw = raw;
    this.#at = 0;
    this.out.length = 0;
    this.#escapes.begin(raw);
  }

  /** Reads on to about `to`, and tells how far it came. */
  read(to: number): number {
    const last = Math.min(this.#raw.length, to + longestEscape);
    this.out.makeRoom(to - this.#at + 4 * longestEscape);
    while (this.#at < to || (this.#escapes.isOpen && this.#at < last)) {
      if (this.#escapes.isOpen) this.#layered();
      else {
        this.#plain(to);
        if (this.#at < to && !this.#special(to)) this.#layered();
      }
    }
    if (this.#at === this.#raw.length) this.#escapes.interrupt(false);
    return this.#at;
  }

  keepLast(count: number): void {
    this.#escapes.forget(this.out.keepLast(count));
  }

  /** Nearly all of a text: characters that stand for themselves. This loop calls nothing, because a call would keep values out of registers. */
  #plain(to: number): void {
    const raw = this.#raw;
    const { units, starts, ends } = this.out;
    let { length } = this.out;
    let at = this.#at;
    while (at < to) {
      const fold = unitFolds[raw[at] ?? 0] ?? special;
      if ((fold - 1) >>> 0 < plain - 1) break;
      units[length] = fold;
      starts[length] = at;
      at += 1;
      ends[length] = at;
      // Dropped characters need no branch: words have no fixed length, so the processor would guess a branch wrong once a word.
      length += (fold + 0xffff) >>> 16;
    }
    this.out.length = length;
    this.#at = at;
  }

  /** Characters that may begin an escape, and escapes of one layer; `false` where an escape has more layers. */
  #special(to: number): boolean {
    const raw = this.#raw;
    const { units, starts, ends } = this.out;
    let { length } = this.out;
    let at = this.#at;
    let one = 1;
    while (at < to && isSpecial(raw[at] ?? 0)) {
      one = readOne(raw, at);
      if (one === 0) break;
      starts[length] = at;
      at += one >>> 16;
      units[length] = one;
      ends[length] = at;
      if ((one & 0xffff) !== dropped) length += 1;
    }
    this.out.length = length;
    this.#at = at;
    return one !== 0;
  }

  /** Reads characters of several bytes, and places where an escape may stand in an escape. */
  #layered(): void {
    const at = this.#at;
    const code = this.#raw[at] ?? 0;
    const reading = code < 0x80 && unitFold(code) === special ? rawEscape(this.#raw, at) : none;
    this.#at += reading < 0 ? 1 : lengthOf(reading);
    if (reading < 0) this.#escapes.take(code, at);
    else this.#escapes.takeRead(reading, at, this.#at);
  }
}

const isSpecial = (code: number): boolean => ((unitFolds[code] ?? special) - 1) >>> 0 < plain - 1;

/** Reads one character or escape: its normal form, and how many characters of the text it takes. 0 where other characters may decide that. */
function readOne(raw: Units, at: number): number {
  const code = raw[at] ?? 0;
  if (code >= 0x80) return read(1, foldAt(raw, at, code));
  let reading = rawEscape(raw, at);
  if (reading === none) {
    const broken = softBreakAt(raw, at);
    return broken > 0 ? read(broken, dropped) : itself(1, code);
  }
  for (let length = lengthOf(reading); reading > 0 && length <= longestEscape; length += lengthOf(reading) - 1) {
    const point = pointOf(reading);
    if (point === nothing) return read(length, dropped);
    if (point >= 0x80 && (point < 0x100 || point >= 0x10000 || isByte(reading))) return 0;
    if (unitFold(point) !== special || point >= 0x80) return read(length, unitFold(point));
    reading = innerEscape(raw, at + length - 1, point);
    if (reading === none) return itself(length, point);
  }
  return 0;
}

const read = (length: number, fold: number): number => (fold === special ? 0 : (length << 16) | fold);
/** A character that only looks like the beginning of an escape. Outside of an escape these two are invisible. */
const itself = (length: number, code: number): number => (length << 16) | (code === backslash || code === terminal ? dropped : code);

/** The normal form of a character from 0x80 on that is no byte of a longer character. */
function foldAt(raw: Units, at: number, code: number): number {
  const next = raw[at + 1] ?? 0;
  if (unitFold(code) !== special || code < 0xc0 || code >= 0x100 || (next >= 0x80 && next < 0xc0)) return unitFold(code);
  return latinFold(code);
}

/** A search ends before the next one begins, so all searches share one buffer. */
const shared = new Reader();
