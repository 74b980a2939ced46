import { special, unitFold } from './fold.ts';
import type { Units } from './text-units.ts';

/**
 * One place of a text as one number, because an object for each of millions of places would cost too much. The number is an escape with its
 * length, which stands for a byte, a code point or nothing visible; or `none`; or what the reader still needs to know.
 */
export type Reading = number;
export const none: Reading = -3;
/** The text ends within the escape. */
export const more: Reading = -1;
/** The next character may begin an escape of its own, or is invisible. */
export const layered: Reading = -2;

export const lengthOf = (reading: Reading): number => reading >>> 22;
export const pointOf = (reading: Reading): number => reading & nothing;
export const isByte = (reading: Reading): boolean => (reading & byteFlag) !== 0;
/** The code point of an escape for something invisible. */
export const nothing = 0x1fffff;
const byteFlag = 0x200000;

const found = (length: number, point: number): Reading => (length << 22) | (point > 0x10ffff ? nothing : point);
const foundByte = (length: number, byte: number): Reading => (length << 22) | byteFlag | byte;

/**
 * Reads an escape: percent, quoted-printable, backslash, entity, terminal. The case of its letters does not count. In a raw text a part of
 * the escape may be spelled as another escape.
 */
export function readEscape(units: Units, at: number, end: number, isRaw: boolean): Reading {
  switch (units[at]) {
    case percent:
      return readPercent(units, at, end, isRaw);
    case equals:
      return readQuotedPrintable(units, at, end, isRaw);
    case backslash:
      return readBackslash(units, at, end, isRaw);
    case ampersand:
      return readEntity(units, at, end, isRaw);
    default:
      return readTerminal(units, at, end, isRaw);
  }
}

/** Reads the escape at a place of a raw text. Where there is none, the next few characters mostly suffice to know. */
export function rawEscape(raw: Units, at: number): Reading {
  const code = raw[at] ?? 0;
  const next = raw[at + 1] ?? 0;
  if (code === percent || code === equals) {
    const byte = (hexAt(raw, at + 1) << 4) | hexAt(raw, at + 2);
    if (byte >= 0) return code === percent || isQuotedIn(raw, at) ? foundByte(3, byte) : none;
    return code === percent && (next | 0x20) === 0x75 ? readPercent(raw, at, raw.length, true) : none;
  }
  if (code === ampersand) return mayFollow(code, next) ? readEntity(raw, at, raw.length, true) : none;
  if (code === backslash) return mayFollow(code, next) ? readBackslash(raw, at, raw.length, true) : none;
  return readTerminal(raw, at, raw.length, true);
}

function isQuotedIn(raw: Units, at: number): boolean {
  const isInRun = isQuotedAt(raw, at + 3) || isQuotedAt(raw, at - 3);
  // A value in hexadecimal capitals goes on with its digits.
  const isValue = hexAt(raw, at + 3) >= 0 && !(raw[at + 1] === 0x33 && raw[at + 2] === 0x44);
  return (isInRun || !isValue) && isQuoted(raw, at, at + 3, isInRun);
}

/**
 * `=` stands before many values that begin like an escape, as in `key=af83`. So an escape counts only where quoted-printable must encode the
 * character and writes it this way, or where one escape follows another.
 */
export function isQuoted(raw: Units, from: number, to: number, isInRun: boolean): boolean {
  if (isInRun || to - from !== 3) return isInRun;
  const high = raw[from + 1] ?? 0;
  const low = raw[from + 2] ?? 0;
  const byte = hexAt(raw, from + 1) * 16 + hexAt(raw, from + 2);
  const letter = byte | 0x20;
  const isEncodedAnyway = byte < 0x7f && !(byte > 0x2f && byte < 0x3a) && !(letter > 0x60 && letter < 0x7b);
  const isCapital = high < 0x61 && low < 0x61 && (high > 0x39 || low > 0x39);
  return isEncodedAnyway && isCapital;
}

export const isQuotedAt = (raw: Units, at: number): boolean => raw[at] === equals && hexAt(raw, at + 1) >= 0 && hexAt(raw, at + 2) >= 0;

/** The length of a soft line break: `=` at the end of a line, which says that the line goes on. 0 where there is none. */
export function softBreakAt(raw: Units, at: number): number {
  if (raw[at] !== equals) return 0;
  if (raw[at + 1] === 0x0a) return 2;
  return raw[at + 1] === 0x0d && raw[at + 2] === 0x0a ? 3 : 0;
}

/** Whether an escape that begins with this character may go on with that one. */
export const mayFollow = (code: number, next: number): boolean => ((next < 0x80 ? follows[next] : 0) ?? 0) >= (code === backslash ? 2 : 1);

/**
 * An escape ends at this place, and its character begins another escape: this reads that other one. `layered` where more of it may be
 * escapes. A text of two layers, such as a query in a query, mostly has no other kind.
 */
export function innerEscape(raw: Units, at: number, code: number): Reading {
  const next = raw[at + 1] ?? 0;
  if (code !== terminal && !mayFollow(code, next)) return none;
  if (next < 0x20 || next >= 0x80 || unitFold(next) === special || unitFold(raw[at + 2] ?? 0) === special) return layered;
  const outer = raw[at] ?? 0;
  raw[at] = code;
  const reading = readEscape(raw, at, raw.length, true);
  raw[at] = outer;
  if (code !== equals || reading < 0) return reading;
  // In quoted-printable within quoted-printable, each escape confirms the next.
  return raw[at - 2] === equals || isQuotedAt(raw, at + 3) ? layered : none;
}

/** Characters of the longest escape. */
export const longestEscape = 64;

const percent = 0x25;
const ampersand = 0x26;
const equals = 0x3d;
export const backslash = 0x5c;
export const terminal = 0x1b;

export const hexValues = new Int8Array(1 << 16).fill(-1);
for (const [value, c] of [...'0123456789abcdef'].entries()) for (const one of [c, c.toUpperCase()]) hexValues[one.charCodeAt(0)] = value;
const hexAt = (units: Units, at: number): number => hexValues[units[at] ?? 0] ?? -1;

/** 1: may follow `%`, `&` or `=`; 2: may follow a backslash too. Any other character behind a backslash stands for itself. */
const follows = new Uint8Array(128);
for (const c of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789#\r\n') follows[c.charCodeAt(0)] = 1;
for (const c of '01234567xXuUeEnNrRtTfFvV%&\\=\u001b') follows[c.charCodeAt(0)] = 2;

/** Judges an escape that is not complete yet: the text must go on, a layer is in the way, or there is no escape. */
function open(units: Units, at: number, end: number, isRaw: boolean): Reading {
  if (at >= end) return more;
  const code = units[at] ?? 0;
  return isRaw && (code === 0 || code >= 0x80 || unitFold(code) === special) ? layered : none;
}

/** Two digits, as a number; else what `open` says. */
function byteAt(units: Units, at: number, end: number, isRaw: boolean): number {
  const high = at < end ? hexAt(units, at) : -1;
  const low = at + 1 < end ? hexAt(units, at + 1) : -1;
  return high < 0 || low < 0 ? open(units, high < 0 ? at : at + 1, end, isRaw) : (high << 4) | low;
}

/** Four digits, as a number; else what `open` says. */
function unitAt(units: Units, at: number, end: number, isRaw: boolean): number {
  const high = byteAt(units, at, end, isRaw);
  const low = high < 0 ? high : byteAt(units, at + 2, end, isRaw);
  return low < 0 ? low : (high << 8) | low;
}

function readPercent(units: Units, at: number, end: number, isRaw: boolean): Reading {
  const isUnit = at + 1 < end && ((units[at + 1] ?? 0) | 0x20) === 0x75;
  const number = isUnit ? unitAt(units, at + 2, end, isRaw) : byteAt(units, at + 1, end, isRaw);
  if (isUnit) return number < 0 ? number : found(6, number);
  return number >= 0 ? foundByte(3, number) : number === more ? more : none;
}

function readQuotedPrintable(units: Units, at: number, end: number, isRaw: boolean): Reading {
  const byte = byteAt(units, at + 1, end, isRaw);
  return byte >= 0 ? foundByte(3, byte) : byte === more ? more : none;
}

function readBackslash(units: Units, at: number, end: number, isRaw: boolean): Reading {
  if (at + 1 >= end) return more;
  const code = units[at + 1] ?? 0;
  switch (code | 0x20) {
    case 0x6e:
    case 0x72:
    case 0x74:
    case 0x66:
    case 0x76:
      return found(2, nothing);
    case 0x65:
      return found(2, 0x1b);
    case 0x75:
      return readUnit(units, at, end, isRaw);
    case 0x78: {
      if (at + 2 < end && units[at + 2] === brace) return readBraces(units, at, end, isRaw);
      const byte = byteAt(units, at + 2, end, isRaw);
      return byte >= 0 ? foundByte(4, byte) : byte === more ? more : none;
    }
    default:
      return code >= 0x30 && code < 0x34 ? readOctal(units, at, end, isRaw) : none;
  }
}

function readUnit(units: Units, at: number, end: number, isRaw: boolean): Reading {
  if (at + 2 < end && units[at + 2] === brace) return readBraces(units, at, end, isRaw);
  const unit = unitAt(units, at + 2, end, isRaw);
  const low = unit >= 0 && units[at + 1] === 0x55 ? unitAt(units, at + 6, end, isRaw) : none;
  if (low >= 0) return found(10, unit * 0x10000 + low);
  return unit >= 0 ? found(6, unit) : unit;
}

function readBraces(units: Units, at: number, end: number, isRaw: boolean): Reading {
  let point = 0;
  let to = at + 3;
  for (; to < end && to < at + 9 && hexAt(units, to) >= 0; to += 1) point = point * 16 + hexAt(units, to);
  return to < end && to > at + 3 && units[to] === 0x7d ? found(to + 1 - at, point) : open(units, to, end, isRaw);
}

/** `\\0` may do without more digits: the character that comes next ends it. */
function readOctal(units: Units, at: number, end: number, isRaw: boolean): Reading {
  let byte = 0;
  let to = at + 1;
  for (; to < end && to < at + 4 && (units[to] ?? 0) >>> 3 === 6; to += 1) byte = byte * 8 + ((units[to] ?? 0) & 7);
  const rest = to === at + 4 ? none : open(units, to, end, isRaw);
  return rest === none ? foundByte(to - at, byte) : rest;
}

function readEntity(units: Units, at: number, end: number, isRaw: boolean): Reading {
  if (at + 1 < end && units[at + 1] === 0x23) return readNumber(units, at, end, isRaw);
  let hash = 0;
  let to = at + 1;
  for (; to < end && to < at + 21; to += 1) {
    const letter = (units[to] ?? 0) | 0x20;
    if ((letter - 0x61) >>> 0 > 25) break;
    hash = nameHash(hash, letter);
  }
  if (to >= end) return more;
  if (units[to] === 0x3b) return entities.get(hash) === undefined ? none : found(to + 1 - at, entities.get(hash) ?? 0);
  if (units[to] === equals || open(units, to, end, isRaw) === none) return none;
  // The semicolon of a name may be written in another way, and all of a number.
  const isNumber = to === at + 1 && units[to] === percent && units[to + 1] === 0x32 && units[to + 2] === 0x33;
  return isNumber || entities.has(hash) ? layered : none;
}

/** `&#115` may do without its semicolon: the character that comes next ends it. */
function readNumber(units: Units, at: number, end: number, isRaw: boolean): Reading {
  const isHex = at + 2 < end && ((units[at + 2] ?? 0) | 0x20) === 0x78;
  const from = isHex ? at + 3 : at + 2;
  let point = 0;
  let to = from;
  if (isHex) for (; to < end && to < from + 6 && hexAt(units, to) >= 0; to += 1) point = (point << 4) | hexAt(units, to);
  else for (; to < end && to < from + 7 && ((units[to] ?? 0) - 0x30) >>> 0 < 10; to += 1) point = point * 10 + (units[to] ?? 0) - 0x30;
  if (to < end && to > from && units[to] === 0x3b) return found(to + 1 - at, point);
  const isNext = to + 1 < end && units[to] === ampersand && units[to + 1] === 0x23;
  const rest = isNext ? none : open(units, to, end, isRaw);
  return rest === none && to >= from + 2 ? found(to - at, point) : rest;
}

/** A sequence that sets the colour or the place of a terminal stands for nothing visible. */
function readTerminal(units: Units, at: number, end: number, isRaw: boolean): Reading {
  let to = at + 1;
  if (to < end && units[to] !== 0x5b) return open(units, to, end, isRaw) === none ? found(2, nothing) : open(units, to, end, isRaw);
  const last = Math.min(end, at + longestEscape - 1);
  to += 1;
  while (to < last && (units[to] ?? 0) >>> 4 === 3) to += 1;
  while (to < last && (units[to] ?? 0) >>> 4 === 2) to += 1;
  const code = units[to] ?? 0;
  if (to < last && code >= 0x40 && code <= 0x7e) return found(to + 1 - at, nothing);
  // The digits and signs of the sequence may be spelled as escapes.
  return isRaw ? layered : to >= end ? more : none;
}

const brace = 0x7b;
const nameHash = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0;

/** Names of characters that are no letters. Of the names that matter, no two differ in case alone. */
const signs: { readonly [name: string]: string } = {
  ...{
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    sol: '/',
    bsol: '\\',
    lowbar: '_',
    underbar: '_',
    hyphen: '-',
    dash: '-',
  },
  ...{ plus: '+', equals: '=', period: '.', comma: ',', colon: ':', semi: ';', excl: '!', quest: '?', num: '#', dollar: '$', percnt: '%' },
  ...{ commat: '@', ast: '*', midast: '*', lpar: '(', rpar: ')', lsqb: '[', lbrack: '[', rsqb: ']', rbrack: ']', lcub: '{', lbrace: '{' },
  ...{ rcub: '}', rbrace: '}', vert: '|', verbar: '|', verticalline: '|', hat: '^', grave: '`', diacriticalgrave: '`', tilde: '~' },
  ...{ tab: '\t', newline: '\n', shy: '\u00ad', zwj: '\u200d', zwnj: '\u200c', zerowidthspace: '\u200b', ndash: '-', mdash: '-' },
  ...{ szlig: 'ß', aelig: 'æ', oelig: 'œ', oslash: 'ø', euro: '€', pound: '£', yen: '¥', cent: '¢', sect: '§', copy: '©', reg: '®' },
};

/** By the hash of their names, and of the names of letters with a mark. */
const entities = new Map<number, number>();
const marks = ['uml', 'acute', 'grave', 'circ', 'tilde', 'ring', 'cedil', 'caron', 'macr', 'breve', 'ogon', 'dot'];
const letters = [...'abcdefghijklmnopqrstuvwxyz'].flatMap((letter) => marks.map((mark) => [`${letter}${mark}`, letter] as const));
for (const [name, character] of [...letters, ...Object.entries(signs)]) {
  let hash = 0;
  for (let i = 0; i < name.length; i += 1) hash = nameHash(hash, name.charCodeAt(i));
  entities.set(hash, character.codePointAt(0) ?? 0);
}
