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
  const long = raw.startsWith('\\U', at) ? /^\\U[0-9a-f]{8}/i.exec(raw.slice(at, at + 10))?.[0] : undefined;
  if (long !== undefined) return wholeOf(long, pointOf(Number.parseInt(long.slice(2), 16)));
  simple.lastIndex = at;
  const text = simple.exec(raw)?.[0];
  if (text === undefined) return null;
  if (text.startsWith('=')) {
    const isInRun = quoted.test(raw.slice(at + 3, at + 6)) || quoted.test(raw.slice(Math.max(0, at - 3), at));
    // A value in hexadecimal capitals goes on with its digits.
    const isValue = text !== '=3D' && /[0-9a-f]/i.test(raw.charAt(at + 3));
    return wholeOf(text, isValue && !isInRun ? 'none' : readEscape(text.toLowerCase(), () => text, isInRun));
  }
  const seen = known.get(text);
  if (seen !== undefined) return seen;
  const whole = wholeOf(
    text,
    readEscape(text.toLowerCase(), () => text, false),
  );
  if (known.size < 10_000) known.set(text, whole);
  return whole;
}

interface Whole {
  readonly length: number;
  /** `null`: it only looked like one, and its first character is what it is. */
  readonly reading: Exclude<Reading, string> | null;
}

const wholeOf = (text: string, reading: Reading): Whole =>
  reading === 'more' || reading === 'none' ? { length: 1, reading: null } : { length: text.length, reading };

const known = new Map<string, Whole>();
const quoted = /^=[0-9a-f]{2}$/i;
const simple =
  /%[0-9a-f]{2}|=[0-9a-f]{2}|\\(?:u[0-9a-f]{4}|x[0-9a-f]{2}|[nrtfv])|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,20});|\p{Cc}\[[0-?]*[ -/]*[@-~]/iuy;

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
