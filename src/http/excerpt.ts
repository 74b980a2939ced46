import { isMap } from '../core/json.ts';
import type { Redactor } from '../core/redact.ts';

/** The provider's words about an error, on one line of at most 300 characters; `''` when there are none. */
export function excerpt(body: unknown, redactor: Redactor): string {
  const said = [...new Set(messages(body, 0))].join('; ');
  // The text is redacted before it is cut: half a secret would not be recognised. It is redacted again without characters that could hide one.
  const line = redactor.text(oneLine(redactor.text(said)));
  return line.length <= longest ? line : `${line.slice(0, longest - 1).trimEnd()}…`;
}

const longest = 300;

/** Fields in which APIs put text for people, the most telling first. */
const fields = [
  'message',
  'error_description',
  'detail',
  'details',
  'description',
  'reason',
  'title',
  'error',
  'errors',
  'messages',
  'msg',
  'code',
  'type',
];

function messages(body: unknown, depth: number): readonly string[] {
  if (typeof body === 'string') return looksLikeHtml(body) ? [titleOf(body)].filter((title) => title !== '') : [body];
  if (depth > 4) return [];
  if (Array.isArray(body)) return body.slice(0, 5).flatMap((item) => messages(item, depth + 1));
  if (!isMap(body)) return [];
  const found: string[] = [];
  const members = Object.entries(body);
  for (const field of fields) {
    // A code or type is quoted only where there are no words.
    if ((field === 'code' || field === 'type') && found.length > 0) break;
    // Amazon and Microsoft begin names with a capital.
    for (const [name, value] of members) if (name.toLowerCase() === field) found.push(...messages(value, depth + 1));
  }
  if (found.length > 0) return found;
  // The names of the root element of an XML document, and of envelopes like it, tell nothing.
  const [only, ...more] = members.filter(([name]) => !name.startsWith('@'));
  return only && more.length === 0 && isMap(only[1]) ? messages(only[1], depth + 1) : [];
}

const looksLikeHtml = (text: string): boolean => /^\s*<(?:!doctype|html|\?xml)/i.test(text);
const titleOf = (html: string): string => /<title[^>]*>([^<]*)<\/title>/i.exec(html)?.[1]?.trim() ?? '';

/** Control characters could move a terminal's cursor, and direction marks could make a text look different. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/\p{Cf}+/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}
