/** What the end of a text is: an escape that goes on, none, or the byte or code point that it stands for; `null` for nothing that is seen. */
export type Reading = 'more' | 'none' | { readonly byte: number } | { readonly point: number | null };

/**
 * Reads an escape of which `text` is all so far, in small letters: percent, quoted-printable, backslash, entity, terminal. `raw` is how it
 * was written. No escape is longer than some dozen characters, so a reader of a stream asks again with each.
 */
export function readEscape(text: string, raw: () => string, isInRun: boolean): Reading {
  switch (text[0]) {
    case '%':
      return readPercent(text);
    case '=':
      return readQuotedPrintable(text, raw, isInRun);
    case '\\':
      return readBackslash(text);
    case '&':
      return readEntity(text);
    default:
      return readTerminal(text);
  }
}

/** An escape of one layer that stands at a place of a raw text: nearly all are such, and few are different. */
export function wholeEscape(raw: string, at: number): Whole | null {
  switch (raw.charCodeAt(at)) {
    case percent:
      return bytesAt(raw, at + 1, 2) < 0 ? null : (percents[bytesAt(raw, at + 1, 2)] ?? null);
    case equals:
      return wholeQuoted(raw, at);
    case backslash:
      return wholeBackslash(raw, at);
    case ampersand:
      return wholeEntity(raw, at);
    default:
      terminal.lastIndex = at;
      return blank(terminal.exec(raw)?.[0].length ?? 0);
  }
}

/** Whether an escape that begins with this character may go on with that one. */
export const mayFollow = (code: number, next: number): boolean => ((next < 0x80 ? follows[next] : 0) ?? 0) >= (code === backslash ? 2 : 1);

/** Whether an escape may begin at a place of a raw text, by little more than the next character. */
export function isEscapeAt(raw: string, at: number): boolean {
  const code = raw.charCodeAt(at);
  const next = raw.charCodeAt(at + 1);
  if (code !== percent && code !== equals) return mayFollow(code, next);
  return bytesAt(raw, at + 1, 2) >= 0 || (code === percent ? (next | 0x20) === 0x75 : next === 0x0a || next === 0x0d);
}

interface Whole {
  readonly length: number;
  /** `null`: it only looked like one, and its first character is what it is. */
  readonly reading: Exclude<Reading, string> | null;
}

const [percent, ampersand, equals, backslash] = [0x25, 0x26, 0x3d, 0x5c] as const;

const hexValues = new Int8Array(1 << 16).fill(-1);
for (const [value, c] of [...'0123456789abcdef'].entries()) for (const one of [c, c.toUpperCase()]) hexValues[one.charCodeAt(0)] = value;
const percents: readonly Whole[] = Array.from({ length: 256 }, (_, byte) => ({ length: 3, reading: { byte } }));

/** 1 for what may follow `%`, `&` or `=`; 2 for what follows a backslash too. Any other character behind a backslash stands for itself. */
const follows = new Uint8Array(128);
for (const c of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789#\r\n') follows[c.charCodeAt(0)] = 1;
for (const c of '01234567xXuUeEnNrRtTfFvV%&\\=\u001b') follows[c.charCodeAt(0)] = 2;

/** -1 where not all of so many characters are digits. */
function bytesAt(raw: string, at: number, count: number): number {
  let number = 0;
  for (let i = at; i < at + count; i += 1) {
    const value = hexValues[raw.charCodeAt(i)] ?? -1;
    if (value < 0) return -1;
    number = number * 16 + value;
  }
  return number;
}

const blank = (length: number): Whole | null => (length === 0 ? null : { length, reading: { point: null } });
const inRange = (length: number, point: number): Whole => ({ length, reading: { point: point > 0x10ffff ? null : point } });

function wholeBackslash(raw: string, at: number): Whole | null {
  const next = raw.charAt(at + 1);
  if ('nrtfvNRTFV'.includes(next) && next !== '') return blank(2);
  const long = next === 'U' ? bytesAt(raw, at + 2, 8) : -1;
  if (long >= 0) return inRange(10, long);
  const unit = next === 'u' || next === 'U' ? bytesAt(raw, at + 2, 4) : -1;
  if (unit >= 0) return inRange(6, unit);
  const byte = next === 'x' || next === 'X' ? bytesAt(raw, at + 2, 2) : -1;
  return byte < 0 ? null : { length: 4, reading: { byte } };
}

function wholeQuoted(raw: string, at: number): Whole | null {
  if (bytesAt(raw, at + 1, 2) < 0) return null;
  const text = raw.slice(at, at + 3);
  const isInRun = quoted.test(raw.slice(at + 3, at + 6)) || quoted.test(raw.slice(Math.max(0, at - 3), at));
  // A value in hexadecimal capitals goes on with its digits.
  const isValue = text !== '=3D' && /[0-9a-f]/i.test(raw.charAt(at + 3));
  return wholeOf(text, isValue && !isInRun ? 'none' : readEscape(text.toLowerCase(), () => text, isInRun));
}

function wholeEntity(raw: string, at: number): Whole | null {
  let end = at + 1;
  for (let code = raw.charCodeAt(end); code === 0x23 || (code < 0x80 && follows[code] !== 0 && code > 0x2f); code = raw.charCodeAt(end)) {
    if (end - at > longestEntity) return null;
    end += 1;
  }
  if (raw.charCodeAt(end) !== 0x3b) return null;
  const text = raw.slice(at, end + 1);
  const seen = known.get(text);
  if (seen !== undefined) return seen;
  const whole = wholeOf(
    text,
    readEscape(text.toLowerCase(), () => text, false),
  );
  if (known.size < 10_000) known.set(text, whole);
  return whole;
}

const wholeOf = (text: string, reading: Reading): Whole =>
  reading === 'more' || reading === 'none' ? { length: 1, reading: null } : { length: text.length, reading };

const known = new Map<string, Whole>();
const longestEntity = 24;
const quoted = /^=[0-9a-f]{2}$/i;
const terminal = /\p{Cc}\[[0-?]*[ -/]*[@-~]/uy;

/** Whether an escape of several layers may begin here; else the character is what it is. */
export function mayBeginEscape(raw: string, at: number): boolean {
  begin.lastIndex = at;
  return begin.test(raw);
}

const begin = /%u|=\r?\n|\\(?:[0-7Ue]|[xu]\{)|&(?:#|%23|[a-z]{1,20};)|\p{Cc}/iuy;

/** `&#115` may do without its semicolon and `\\0` without more digits: the character that comes next ends it. */
export function endedEscape(text: string): Reading {
  const octal = /^\\([0-7]{1,2})[^0-7]$/s.exec(text)?.[1];
  if (octal !== undefined) return { byte: Number.parseInt(octal, 8) };
  const number = /^&#(?:(\d{2,7})|x([0-9a-f]{2,6}))[^;]$/s.exec(text);
  if (!number) return 'none';
  return pointOf(number[1] === undefined ? Number.parseInt(number[2] ?? '', 16) : Number(number[1]));
}

function readPercent(text: string): Reading {
  if (/^%[0-9a-f]{2}$/.test(text)) return { byte: Number.parseInt(text.slice(1), 16) };
  if (/^%u[0-9a-f]{4}$/.test(text)) return pointOf(Number.parseInt(text.slice(2), 16));
  return /^%(?:[0-9a-f]?|u[0-9a-f]{0,3})$/.test(text) ? 'more' : 'none';
}

/**
 * `=` stands before many values that begin like an escape, as in `key=af83`. So only what this encoding has to encode counts, written as it
 * writes it, or one that follows another.
 */
function readQuotedPrintable(text: string, raw: () => string, isInRun: boolean): Reading {
  if (/^=[0-9a-f]?$/.test(text)) return 'more';
  if (!/^=[0-9a-f]{2}$/.test(text)) return 'none';
  const byte = Number.parseInt(text.slice(1), 16);
  const isEncodedAnyway = byte < 0x7f && !/[0-9a-z]/i.test(String.fromCharCode(byte));
  return isInRun || (isEncodedAnyway && /^=(?=.*[A-F])[0-9A-F]{2}$/.test(raw())) ? { byte } : 'none';
}

function readBackslash(text: string): Reading {
  const hex = /^\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|[ux]\{([0-9a-f]{1,6})\})$/.exec(text);
  if (hex?.[1] !== undefined) return { byte: Number.parseInt(hex[1], 16) };
  if (hex) return pointOf(Number.parseInt(hex[2] ?? hex[3] ?? '', 16));
  if (/^\\[0-3][0-7]{2}$/.test(text)) return { byte: Number.parseInt(text.slice(1), 8) };
  if (/^\\[nrtfv]$/.test(text)) return { point: null };
  if (text === '\\e') return { point: 0x1b };
  return /^\\(?:x[0-9a-f]?|u[0-9a-f]{0,3}|[ux]\{[0-9a-f]{0,6}|[0-3][0-7]?)?$/.test(text) ? 'more' : 'none';
}

function readEntity(text: string): Reading {
  if (/^&#\d{1,7};$/.test(text)) return pointOf(Number(text.slice(2, -1)));
  if (/^&#x[0-9a-f]{1,6};$/.test(text)) return pointOf(Number.parseInt(text.slice(3, -1), 16));
  const name = /^&([a-z]{2,20});$/.exec(text)?.[1];
  if (name !== undefined) {
    const letter = /^([a-z])(?:uml|acute|grave|circ|tilde|ring|cedil|caron|macr|breve|ogon|dot)$/.exec(name)?.[1];
    const character = Object.hasOwn(entities, name) ? entities[name] : letter;
    return character === undefined ? 'none' : pointOf(character.codePointAt(0) ?? 0);
  }
  return /^&(?:#(?:\d{0,7}|x[0-9a-f]{0,6})?|[a-z]{0,20})$/.test(text) ? 'more' : 'none';
}

/** Without the colour or the place that a terminal is told. */
function readTerminal(text: string): Reading {
  const after = text.slice(1);
  if (/^(?:\[[0-?]*)?$/.test(after)) return 'more';
  return /^(?:\[[0-?]*[@-~]|[^[])$/s.test(after) ? { point: null } : 'none';
}

const pointOf = (point: number): Reading => ({ point: point > 0x10ffff ? null : point });

/** Names of what is no letter. Case does not tell any two of them apart that matter. */
const entities: { readonly [name: string]: string } = {
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
