type Spell = (secret: string) => string;

const bytesOf = (secret: string): readonly number[] => [...Buffer.from(secret, 'utf8')];
const hexOf = (code: number): string => code.toString(16).padStart(2, '0');
const eachByte =
  (spell: (hex: string, byte: number) => string, between = ''): Spell =>
  (secret) =>
    bytesOf(secret)
      .map((byte) => spell(hexOf(byte), byte))
      .join(between);
const eachCharacter =
  (spell: (character: string, code: number) => string): Spell =>
  (secret) =>
    [...secret].map((character) => spell(character, character.codePointAt(0) ?? 0)).join('');
const eachUnit =
  (spell: (hex: string) => string): Spell =>
  (secret) =>
    Array.from({ length: secret.length }, (_, i) => spell(secret.charCodeAt(i).toString(16).padStart(4, '0'))).join('');
const inPieces =
  (between: string, size = 5): Spell =>
  (secret) =>
    [...secret].map((character, i) => (i > 0 && i % size === 0 ? `${between}${character}` : character)).join('');
const behind =
  (before: string, encoding: BufferEncoding = 'base64'): Spell =>
  (secret) =>
    Buffer.from(`${before}${secret}`, 'utf8').toString(encoding);

const json: Spell = (secret) => JSON.stringify(secret).slice(1, -1);
const percent: Spell = (secret) => encodeURIComponent(secret);
const base64 = behind('');
const quotedPrintable: Spell = (secret) => secret.replace(/[^!-<>-~ ]/gu, (c) => eachByte((hex) => `=${hex.toUpperCase()}`)(c));
const lowerHex: Spell = (text) => text.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase());
const named: { readonly [character: string]: string } = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;', '/': '&sol;', '\\': '&bsol;', '%': '&percnt;', '+': '&plus;' },
  ...{
    ' ': '&nbsp;',
    '?': '&quest;',
    '=': '&equals;',
    '-': '&hyphen;',
    _: '&lowbar;',
    ä: '&auml;',
    ö: '&ouml;',
    '\n': '&NewLine;',
    ':': '&colon;',
  },
};
const fullWidth = eachCharacter((character, code) => (code > 0x20 && code < 0x7f ? String.fromCodePoint(code + 0xfee0) : character));

/**
 * How somebody else may spell a secret that it quotes. Written without the redactor's own code, so that what one forgets the other does
 * not. Each is exact: who knows it reads the secret back.
 */
export const spellings: { readonly [name: string]: Spell } = {
  'as it is': (secret) => secret,
  'in JSON': json,
  'in JSON with slashes escaped': (secret) => json(secret).replaceAll('/', '\\/'),
  'in a page, no element beginning': (secret) => json(secret).replaceAll('<', '\\u003c'),
  'in a page, no sign of HTML': (secret) => json(secret).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026'),
  'in JSON twice': (secret) => json(json(secret)),
  'in JSON thrice': (secret) => json(json(json(secret))),
  'in JSON, all characters escaped': eachUnit((hex) => `\\u${hex}`),
  percent,
  'percent in small letters': (secret) => lowerHex(percent(secret)),
  'percent in mixed case': (secret) =>
    percent(secret).replace(/%([0-9A-F])([0-9A-F])/g, (_, a: string, b: string) => `%${a.toLowerCase()}${b}`),
  'percent twice': (secret) => percent(percent(secret)),
  'percent, all bytes': eachByte((hex) => `%${hex}`),
  'percent twice, all bytes': eachByte((hex) => `%25${hex}`),
  'as the value of a form': (secret) => percent(secret).replaceAll('%20', '+'),
  base64,
  'base64 behind one byte': behind('a'),
  'base64 behind two bytes': behind('ab'),
  base64url: behind('', 'base64url'),
  'base64url behind one byte': behind('a', 'base64url'),
  'base64 in lines': (secret) => inPieces('\r\n', 16)(base64(secret)),
  'base64 in a query': (secret) => percent(base64(secret)),
  'base64 of base64': (secret) => base64(base64(secret)),
  'base64 of base64 of base64': (secret) => base64(base64(base64(secret))),
  'base64 of percent': (secret) => base64(eachByte((hex) => `%${hex}`)(secret)),
  'base64 of UTF-16': (secret) => Buffer.from(secret, 'utf16le').toString('base64'),
  hex: eachByte((hex) => hex),
  'hex in capitals': eachByte((hex) => hex.toUpperCase()),
  'hex with colons': eachByte((hex) => hex, ':'),
  'hex as a dump': eachByte((hex) => hex, ' '),
  'hex as a list': eachByte((hex) => `0x${hex}`, ', '),
  'hex of base64': (secret) => Buffer.from(base64(secret)).toString('hex'),
  'bytes as a list': eachByte((_, byte) => String(byte), ','),
  'in capitals': (secret) => secret.toUpperCase(),
  'in small letters': (secret) => secret.toLowerCase(),
  'decimal entities': eachCharacter((_, code) => `&#${code};`),
  'hexadecimal entities': eachCharacter((_, code) => `&#x${code.toString(16).toUpperCase()};`),
  'entities without an end': eachCharacter((_, code) => `&#${code}`),
  'named entities': eachCharacter((character) => named[character] ?? character),
  'entities of entities': eachCharacter((_, code) => `&amp;#${code};`),
  'entities in percent': (secret) => percent(eachCharacter((_, code) => `&#${code};`)(secret)),
  'hexadecimal escapes': eachByte((hex) => `\\x${hex}`),
  'octal escapes': eachByte((_, byte) => `\\${byte.toString(8).padStart(3, '0')}`),
  'long escapes': eachCharacter((_, code) => `\\U${code.toString(16).padStart(8, '0')}`),
  'escapes in braces': eachCharacter((_, code) => `\\u{${code.toString(16)}}`),
  'quoted-printable': quotedPrintable,
  'quoted-printable in lines': (secret) => (secret.match(/.{1,12}/gsu) ?? []).map(quotedPrintable).join('=\r\n'),
  'quoted-printable, all bytes': eachByte((hex) => `=${hex.toUpperCase()}`),
  'in a shell, single quotes': (secret) => secret.replaceAll("'", "'\\''"),
  'in a shell, double quotes': (secret) => secret.replace(/["\\$`]/g, '\\$&'),
  'in a shell, other quotes around each quote': (secret) => secret.replaceAll("'", `'"'"'`).replaceAll('"', `"'"'"`),
  'in a shell, each character escaped': eachCharacter((character) => (/[\p{L}\p{N}\n]/u.test(character) ? character : `\\${character}`)),
  'in lines': inPieces('\n'),
  'in lines of JSON': inPieces('\\n'),
  'with spaces': inPieces(' ', 1),
  'with tabs': inPieces('\t'),
  'in colours': inPieces('\u001b[31m', 3),
  'in colours of JSON': inPieces('\\u001b[1;31m', 3),
  'with characters of no width': inPieces('\u200b', 1),
  'with marks of direction': inPieces('\u2060\u200e\ufeff', 3),
  'with soft hyphens': inPieces('\u00ad'),
  'UTF-16, the small byte first': (secret) => Buffer.from(secret, 'utf16le').toString('latin1'),
  'UTF-16, the large byte first': (secret) => Buffer.from(secret, 'utf16le').swap16().toString('latin1'),
  'UTF-16 in JSON': (secret) => json(Buffer.from(secret, 'utf16le').toString('latin1')),
  'UTF-8 read as Latin-1': (secret) => Buffer.from(secret, 'utf8').toString('latin1'),
  'full width': fullWidth,
  'letters of mathematics': eachCharacter((character, code) =>
    /[a-z]/.test(character) ? String.fromCodePoint(0x1d41a + code - 0x61) : character,
  ),
  'marks apart': (secret) => secret.normalize('NFD'),
  'full width in percent': (secret) => percent(fullWidth(secret)),
  'cut near its end': (secret) => secret.slice(0, Math.max(16, Math.ceil(secret.length * 0.8))),
};

/** A secret in each of its spellings. */
export const quotations = (secret: string): readonly string[] => [...new Set(Object.values(spellings).map((spell) => spell(secret)))];

/** Texts of which none may be found where the secret must not be: its quotations, and parts of them that tell most of it. */
export function spoors(secret: string): readonly string[] {
  const parts = quotations(secret).flatMap((quotation) => {
    // What was cut before it was masked still shows half of it. Base64 mixes its outermost characters with what stands beside.
    const half = quotation.slice(Math.floor(quotation.length / 4), Math.ceil((quotation.length * 3) / 4));
    return half.length >= 12 ? [quotation, half] : [quotation];
  });
  return [...new Set(parts)];
}
