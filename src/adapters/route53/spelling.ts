/** How Route 53 writes names and texts (AWS docs, "DNS domain name format" and "Supported DNS record types", 2026-11-27). */

/** A name in lower case without a final dot. */
export const plainName = (name: string): string => name.toLowerCase().replace(/\.$/, '');

/** A name in the spelling of answers: with a final dot, and with octal numbers for all but letters, digits, `-` and `_`, so `\052` for a star. */
export const shownName = (name: string): string => `${plainName(name).replace(/[^a-z0-9._-]/g, (sign) => octal(sign.charCodeAt(0)))}.`;

const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, '0')}`;

/** The longest piece of a text, in bytes. */
const longestPiece = 255;

/** Writes a text as the value of a TXT record: in quotes, and in pieces if it is long. */
export function quoted(text: string): string {
  const bytes = Buffer.from(text);
  const pieces: string[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += longestPiece) {
    pieces.push(`"${[...bytes.subarray(at, at + longestPiece)].map(signOf).join('')}"`);
  }
  return pieces.join(' ');
}

function signOf(byte: number): string {
  const sign = String.fromCharCode(byte);
  if (sign === '"') return '\\"';
  return byte < 0x20 || byte > 0x7e || sign === '\\' ? octal(byte) : sign;
}

/** Reads the text of a TXT record's value and joins its pieces. Returns any other value unchanged. */
export function unquoted(value: string): string {
  if (!/^\s*(?:"(?:[^"\\]|\\.)*"\s*)+$/s.test(value)) return value;
  const pieces = [...value.matchAll(/"((?:[^"\\]|\\.)*)"/gs)].map(([, piece = '']) => bytesOf(piece));
  return Buffer.concat(pieces).toString();
}

const bytesOf = (piece: string): Buffer =>
  Buffer.concat(
    [...piece.matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)].map(([, number, escaped, plain]) =>
      number === undefined ? Buffer.from(escaped ?? plain ?? '') : Buffer.from([Number.parseInt(number, 8) & 0xff]),
    ),
  );
