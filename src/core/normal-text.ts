import { EscapeStack, longestEscape } from './escape-stack.ts';
import { isEscapeAt, mayBeginEscape, wholeEscape } from './escapes.ts';
import { dropped, latinFold, plain, special, unitFold, unitFolds } from './fold.ts';
import { isIn, type Range, type TextFinder, windowHash } from './text-finder.ts';
import { UnitBuffer } from './unit-buffer.ts';

/**
 * The one form that a text has however it is spelled: every layer of escapes decoded, letters small and without marks, nothing that
 * only separates or is not seen.
 */
export function normalOf(text: string): string {
  const reader = shared;
  reader.begin(text, none, () => {});
  reader.read(text.length);
  return reader.out.text;
}

export interface NormalSearch {
  readonly finder: TextFinder;
  /** The longest needle: pieces of a long text overlap by so many characters, so it takes no more memory than they. */
  readonly overlap: number;
  /** Learns where in the raw text something was read as an escape. A text may begin there that is none. */
  readonly onEscape: (from: number, to: number) => void;
}

/** Where in `text` stands what the finder knows in the normal form. */
export function findNormal(text: string, { finder, overlap, onEscape }: NormalSearch): readonly Range[] {
  const ranges: Range[] = [];
  const reader = shared;
  reader.begin(text, finder.mayStart, onEscape);
  for (let to = 0; to < text.length; ) {
    to = reader.read(Math.min(text.length, to + Math.max(pieceSize, 4 * overlap)));
    if (reader.candidates.length > 0) {
      for (const range of finder.findAt(reader.out.text, reader.candidates)) ranges.push(reader.out.rangeOf(range));
    }
    reader.keepLast(overlap);
  }
  return ranges;
}

const pieceSize = 1 << 12;
const stride = 1 << 9;
const none = new Uint32Array(1 << 11);

class Reader {
  readonly out = new UnitBuffer();
  /** Where the finder may know something, in order. */
  readonly candidates: number[] = [];
  readonly #escapes = new EscapeStack(this.out);
  #raw = '';
  #mayStart = none;
  #onEscape: (from: number, to: number) => void = () => {};
  #at = 0;

  begin(raw: string, mayStart: Uint32Array<ArrayBuffer>, onEscape: (from: number, to: number) => void): void {
    this.#raw = raw;
    this.#mayStart = mayStart;
    this.#onEscape = onEscape;
    this.#at = 0;
    this.out.keepLast(0);
    this.#escapes.begin(raw);
    this.candidates.length = 0;
  }

  /** Reads on to about there, and tells how far it came. */
  read(to: number): number {
    const last = Math.min(this.#raw.length, to + longestEscape);
    this.out.makeRoom(to - this.#at + 4 * longestEscape);
    while (this.#at < to || (this.#escapes.isOpen && this.#at < last)) {
      if (!this.#escapes.isOpen) this.#plain(Math.min(to, this.#at + stride));
      if (this.#at < to || this.#escapes.isOpen) this.#special();
    }
    if (this.#at === this.#raw.length) this.#escapes.interrupt(false);
    this.#lookBack(this.out.low);
    return this.#at;
  }

  keepLast(count: number): void {
    const gone = this.out.keepLast(count);
    this.#escapes.forget(gone);
    const kept = this.candidates.filter((at) => at >= gone).map((at) => at - gone);
    this.candidates.splice(0, this.candidates.length, ...kept);
    this.out.lookAgain();
  }

  /**
   * Nearly all of a text: characters that are what they are. Few at a time: Node compiles what is called often, and a loop that it has to
   * replace while it runs stays half as fast.
   */
  #plain(to: number): void {
    const raw = this.#raw;
    const { units, starts, ends } = this.out;
    const mayStart = this.#mayStart;
    let { length } = this.out;
    let hash = hashBefore(units, length);
    let at = this.#at;
    // Without a branch for what is dropped: words of no fixed length would make the processor guess wrong once each.
    for (; at < to; at += 1) {
      const code = raw.charCodeAt(at);
      const fold = unitFolds[code] ?? special;
      if ((fold - 1) >>> 0 < plain - 1) break;
      units[length] = fold;
      starts[length] = at;
      ends[length] = at + 1;
      const isKept = (fold + 0xffff) >>> 16;
      length = (length + isKept) | 0;
      hash = (hash + Math.imul(isKept, windowHash(hash, fold) - hash)) | 0;
      if (isIn(mayStart, hash) && length >= 4) this.candidates.push(length - 4);
    }
    this.out.length = length;
    this.#at = at;
    this.out.lookAgain();
  }

  /** What begins an escape or is within one, and characters of several units. */
  #special(): void {
    const at = this.#at;
    const code = this.#raw.charCodeAt(at);
    this.#at += 1;
    const fold = this.#escapes.isOpen ? special : foldAt(this.#raw, at, code);
    if (fold !== special) {
      if (fold !== dropped) this.out.put(fold, at, at + 1);
      this.#lookBack(Math.max(0, this.out.length - 1));
      return;
    }
    const whole = code < 0x80 && unitFold(code) === special ? wholeEscape(this.#raw, at) : null;
    if (whole?.reading) {
      this.#at = at + whole.length;
      this.#escapes.takeRead(whole.reading, at, this.#at);
    } else if (this.#escapes.isOpen || code >= 0x80 || (!whole && mayBeginEscape(this.#raw, at))) this.#escapes.take(code, at);
    else if (code !== backslash) this.out.put(code, at, at + 1);
    this.#onEscape(at, this.#at + 1);
    if (!this.#escapes.isOpen) this.#lookBack(this.out.low);
  }

  /** Asks again for what ends from there on, which was not read as plain characters. */
  #lookBack(from: number): void {
    const { units, length } = this.out;
    const mayStart = this.#mayStart;
    while ((this.candidates.at(-1) ?? Number.NEGATIVE_INFINITY) + 4 > from) this.candidates.pop();
    let hash = hashBefore(units, from);
    for (let index = from; index < length; index += 1) {
      hash = windowHash(hash, units[index] ?? 0);
      if (isIn(mayStart, hash) && index >= 3) this.candidates.push(index - 3);
    }
    this.out.lookAgain();
  }
}

/** What stays of a character that could be special and, by what stands beside it, may be what it is. */
function foldAt(raw: string, at: number, code: number): number {
  if (unitFold(code) !== special) return unitFold(code);
  if (code < 0x80) return code === 0x1b || isEscapeAt(raw, at) ? special : code === backslash ? dropped : code;
  const next = raw.charCodeAt(at + 1);
  if (code < 0xc0 || code >= 0x100 || (next >= 0x80 && next < 0xc0)) return special;
  return latinFold(code);
}

const backslash = 0x5c;

function hashBefore(units: Uint16Array, length: number): number {
  let hash = 0;
  for (let index = Math.max(0, length - 4); index < length; index += 1) hash = windowHash(hash, units[index] ?? 0);
  return hash;
}

/** A search ends before the next one begins, so all can have the same room. */
const shared = new Reader();
