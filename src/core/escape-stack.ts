import { isByte, isQuoted, isQuotedAt, lengthOf, mayFollow, more, nothing, pointOf, type Reading, readEscape } from './escapes.ts';
import { dropped, foldOf, special, unitFold } from './fold.ts';
import type { Units } from './text-units.ts';
import type { UnitBuffer } from './unit-buffer.ts';

/**
 * Escapes while they are read, the innermost last: `%26%2365;` is two of them, one in the other. The characters of an escape take its
 * place and may be part of another escape, so every layer is read.
 */
export class EscapeStack {
  #raw: Units = new Uint16Array(0);
  readonly #out: UnitBuffer;
  /** Where each escape may have begun. */
  readonly #open: number[] = [];
  /** A character of several bytes, as far as it is read. */
  #lead = { at: -1, end: -1, left: 0, point: 0 };
  /** The last unit that was written as in quoted-printable. */
  #quotedAt = -1;

  constructor(out: UnitBuffer) {
    this.#out = out;
  }

  begin(raw: Units): void {
    this.#raw = raw;
    this.#open.length = 0;
    this.#lead.at = -1;
    this.#quotedAt = -1;
  }

  get isOpen(): boolean {
    return this.#open.length > 0;
  }

  forget(count: number): void {
    this.#open.length = 0;
    this.#lead.at -= count;
    this.#lead.end -= count;
    this.#quotedAt -= count;
  }

  /** The next unit of the raw text. */
  take(code: number, start: number): void {
    // Where backslashes escape each other, the last one counts.
    if (code === 0x5c && this.#raw[start + 1] === 0x5c) return;
    if (code >= 0x80 && code < 0x100) this.#addByte(code, start, start + 1);
    else if (unitFold(code) === dropped) {
      // An invisible character may stand within an escape as within anything else.
      if (code === 0 || code >= 0x80) return;
      this.interrupt(code === 0x0a || code === 0x0d);
    } else this.#addPoint(code, start, start + 1);
    this.#settle(start + 1);
  }

  /** The characters of an escape that was read whole. */
  takeRead(reading: Reading, start: number, end: number): void {
    this.#add(reading, start, end);
    this.#settle(end);
  }

  /** An invisible character stands within the beginning of an escape, or the text ends there. */
  interrupt(isLineBreak: boolean): void {
    for (let from = this.#open.at(-1); from !== undefined; from = this.#open.at(-1)) {
      // `=` at the end of a line says that the line goes on.
      const isSoftBreak = isLineBreak && this.#out.units[from] === 0x3d && from === this.#out.length - 1;
      this.#endOpen(this.#out.endOf(this.#out.length - 1));
      if (this.#open.at(-1) !== from) continue;
      this.#giveUp(from);
      if (isSoftBreak) this.#out.length = from;
    }
  }

  #add(reading: Reading, start: number, end: number): void {
    if (isByte(reading)) this.#addByte(pointOf(reading) & 0xff, start, end);
    else if (pointOf(reading) !== nothing) this.#addPoint(pointOf(reading), start, end);
  }

  #addPoint(point: number, start: number, end: number): void {
    const out = this.#out;
    if (point < 0x80) {
      this.#addAscii(point, start, end);
      return;
    }
    // No escape holds such a character, though the character may fold to one that an escape holds.
    this.interrupt(false);
    if (point >= 0xd800 && point < 0xdc00) out.put(point, start, end);
    else if (point >= 0xdc00 && point < 0xe000) {
      const high = out.length > 0 ? (out.units[out.length - 1] ?? 0) : 0;
      if (high < 0xd800 || high >= 0xdc00) return;
      const from = out.startOf(out.length - 1);
      out.length -= 1;
      this.#addFolded(foldOf(((high - 0xd800) << 10) + (point - 0xdc00) + 0x10000), from, end);
    } else this.#addFolded(foldOf(point), start, end);
  }

  #addAscii(code: number, start: number, end: number): void {
    const fold = unitFold(code);
    if (fold === dropped) this.interrupt(false);
    else if (fold > special) this.#out.put(fold, start, end);
    else if (!mayFollow(code, this.#raw[end] ?? 0) && code !== 0x1b) {
      if (code === 0x5c) this.interrupt(false);
      else this.#out.put(code, start, end);
    }
    // Backslashes that escape each other count as one.
    else if (code !== 0x5c || !this.#isAfterBackslash()) {
      if (code === 0x26) this.#endOpen(start);
      this.#open.push(this.#out.length);
      this.#out.put(code, start, end);
    }
  }

  #addFolded(folded: string, start: number, end: number): void {
    for (let i = 0; i < folded.length; i += 1) {
      const code = folded.charCodeAt(i);
      if (code < 0x80) this.#addAscii(code, start, end);
      else this.#out.put(code, start, end);
    }
  }

  /** A byte of UTF-8, or a character of Latin-1 where no more bytes of UTF-8 follow. */
  #addByte(byte: number, start: number, end: number): void {
    const lead = this.#lead;
    const out = this.#out;
    if (byte >= 0x80 && byte < 0xc0 && lead.at >= 0 && lead.end === out.length) {
      lead.point = (lead.point << 6) | (byte & 0x3f);
      lead.left -= 1;
      if (lead.left > 0) return;
      const from = out.startOf(lead.at);
      out.length = lead.at;
      lead.at = -1;
      this.#addPoint(Math.min(lead.point, 0x10ffff), from, end);
      return;
    }
    if (byte >= 0x80) this.interrupt(false);
    const at = out.length;
    this.#addPoint(byte, start, end);
    if (byte < 0xc2 || byte > 0xf4 || out.length === at) return;
    const left = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    this.#lead = { at, end: out.length, left, point: byte & (0x3f >> left) };
  }

  #isAfterBackslash(): boolean {
    const last = this.#out.length - 1;
    return this.#open.at(-1) === last && this.#out.units[last] === 0x5c;
  }

  /** Reads the innermost escapes as far as they are complete. */
  #settle(end: number): void {
    const out = this.#out;
    for (let from = this.#open.at(-1); from !== undefined; from = this.#open.at(-1)) {
      const reading = readEscape(out.units, from, out.length, false);
      if (reading === more) return;
      const rest = out.length - from - lengthOf(reading);
      if (reading < 0 || rest > 1 || (rest === 1 && out.units[from] === 0x1b)) this.#giveUp(from);
      else if (rest === 1) this.#replaceBeforeLast(from, reading);
      else if (out.units[from] !== 0x3d) this.#replace(from, reading, out.startOf(from), end);
      else if (this.#isQuoted(from, end)) {
        this.#replace(from, reading, out.startOf(from), end);
        this.#quotedAt = out.length - 1;
      } else this.#giveUp(from);
    }
  }

  #isQuoted(from: number, end: number): boolean {
    const isInRun = (from > 0 && this.#quotedAt === from - 1) || isQuotedAt(this.#raw, end);
    return isQuoted(this.#raw, this.#out.startOf(from), end, isInRun);
  }

  #replace(from: number, reading: Reading, start: number, end: number): void {
    this.#out.length = from;
    this.#open.pop();
    this.#add(reading, start, end);
  }

  #replaceBeforeLast(from: number, reading: Reading): void {
    const out = this.#out;
    const last = out.length - 1;
    const [unit, start, end] = [out.units[last] ?? 0, out.startOf(last), out.endOf(last)];
    this.#replace(from, reading, out.startOf(from), start);
    out.put(unit, start, end);
  }

  /** Ends an escape that needs no end of its own. */
  #endOpen(end: number): void {
    const from = this.#open.at(-1);
    if (from === undefined) return;
    const out = this.#out;
    out.put(space, end, end);
    out.length -= 1;
    const reading = readEscape(out.units, from, out.length + 1, false);
    if (reading < 0 || lengthOf(reading) !== out.length - from) return;
    this.#replace(from, reading, out.startOf(from), end);
    this.#settle(end);
  }

  /** The text only began like an escape. A backslash only escapes, so it is left out all the same. */
  #giveUp(from: number): void {
    const first = this.#out.units[from] ?? 0;
    this.#open.pop();
    if (first !== 0x5c && first !== 0x1b) return;
    this.#out.remove(from);
    if (this.#lead.at > from) {
      this.#lead.at -= 1;
      this.#lead.end -= 1;
    }
    if (this.#quotedAt > from) this.#quotedAt -= 1;
  }
}

/** Any escape that may end, ends at a space. */
const space = 0x20;
