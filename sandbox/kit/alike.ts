import { hash } from 'node:crypto';
import { isMap } from './json.ts';
import type { Exchange } from './types.ts';

/**
 * One text for all exchanges that a description judges alike: members, types, words and lengths count, the digits of ids and
 * times do not. So ten thousand equal creates are recorded once, and a `Preview` beside a `preview` is recorded too.
 */
export function alike(exchange: Exchange): string {
  const { provider, method, path, query, headers, credentials, contentType, body, status, answer, injected } = exchange;
  const told = Object.entries(headers).filter(([name]) => !ofTransport.has(name));
  const parts = [wordsOf(path), of(query), of(Object.fromEntries(told)), of(body), of(answer.headers), of(answer.body)];
  return hash(
    'sha1',
    JSON.stringify([provider, method, credentials, plain(contentType), status, plain(answer.contentType), injected, ...parts]),
  );
}

/** Headers that say how the bytes travelled, not what was asked. */
const ofTransport = new Set(['accept-encoding', 'connection', 'content-length', 'host', 'user-agent', 'x-request-id']);

/** The boundary of a multipart body is another one each time. */
const plain = (contentType: string | null): string | null => contentType?.replace(/boundary=.*$/, 'boundary') ?? null;

function of(value: unknown): unknown {
  if (typeof value === 'string') return wordsOf(value);
  if (typeof value === 'number') return `${Number.isInteger(value) ? 'i' : 'f'}${Math.sign(value)}${String(Math.abs(value)).length}`;
  // A list is its kinds of entry and how long it is, roughly.
  if (Array.isArray(value)) return [value.length.toString(2).length, ...new Set(value.map((entry) => JSON.stringify(of(entry))))];
  if (!isMap(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [wordsOf(name), of(member)]);
  return members.sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Whatever holds a digit is reduced to its length: `br-quiet-river-12345678` is `br-quiet-river-#8`. */
const wordsOf = (text: string): string =>
  text.length > longest
    ? `${text.length} ${wordsOf(text.slice(0, longest))}`
    : text.replace(/[A-Za-z]*\d[A-Za-z\d]*/g, (word) => `#${word.length}`);

const longest = 400;
