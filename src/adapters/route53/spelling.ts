/** How Route 53 writes names and texts (AWS docs, "DNS domain name format" and "Supported DNS record types", 2026-11-27). */

/** Without a final dot and in lower case: as answers have it, and as people write it. */
export const plainName = (name: string): string => name.toLowerCase().replace(/\.$/, '');

/** As answers show it: with a final dot, and other signs than letters, digits, `-` and `_` as octal numbers, so `\052` for a star. */
export const shownName = (name: string): string => `${plainName(name).replace(/[^a-z0-9._-]/g, (sign) => octal(sign.charCodeAt(0)))}.`;

const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, '0')}`;

/** The longest piece of a text, in bytes. */
const longestPiece = 255;

/** A text as the value of a TXT record: in quotes, and in pieces where it is long. */
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

/** The text of a TXT record's value, its pieces joined. What is no such value stays as it is. */
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
