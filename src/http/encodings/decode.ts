import { bounds, valueBytes } from '../../core/bounds.ts';
import type { ErrorKind } from '../../core/error-kinds.ts';
import { isMap } from '../../core/json.ts';

/** The body is longer than `bounds.answer`. Reading stopped there. */
export class BodyTooLong extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`the body is longer than ${bounds.answer} bytes`);
    this.status = status;
  }
}

/** A body that no operation can use: no JSON or XML where it claims to be, too deep, empty, or a web page. */
export class BadBody extends Error {
  readonly kind: BodyFlaw | undefined;
  constructor(message: string, options: { readonly kind?: BodyFlaw | undefined; readonly cause?: unknown } = {}) {
    super(message, options);
    this.kind = options.kind;
  }
}

export type BodyFlaw = Extract<ErrorKind, 'web_page' | 'empty' | 'truncated'>;

/** Far more than any API nests; it keeps every recursion over an answer short. */
const maxDepth = 500;

/**
 * JSON where the content type says so, `null` for an empty body, text otherwise. Without a content type, text that parses as JSON is
 * JSON. Whole numbers that JavaScript cannot hold exactly stay text: an id must not change by one. Half a character
 * (`\ud83d` alone, where a provider cut a text) becomes U+FFFD, because no address and no file can carry it.
 */
export function decodeBody(bytes: Uint8Array, contentType: string | undefined): unknown {
  if (bytes.byteLength === 0) return null;
  const text = utf8.decode(bytes);
  const isJson = /[/+]json\b/i.test(contentType?.split(';')[0] ?? '');
  if (!isJson && contentType !== undefined) return text;
  if (text.trim() === '') return null;
  if (isDeep(text)) {
    if (!isJson) return text;
    throw new BadBody(`a body that is nested more than ${maxDepth} levels deep`);
  }
  try {
    return /\d{16}|\\ud[89a-f]/i.test(text) ? JSON.parse(text, revive) : JSON.parse(text);
  } catch (cause) {
    if (!isJson) return text;
    if (isPage(text)) throw webPage(text);
    // The words of V8 for a text that ends before its value does.
    const isCut = cause instanceof SyntaxError && /end of JSON input|Unterminated string/.test(cause.message);
    if (isCut) throw new BadBody('a JSON body that ends in the middle', { kind: 'truncated', cause });
    throw new BadBody('a body that claims to be JSON and is not', { cause });
  }
}

/** Whether a body is a page for a browser. */
export const isPage = (body: unknown): body is string => typeof body === 'string' && /^\s*<(?:!doctype html|html)\b/i.test(body);

const titleOf = (page: string): string => /<title[^>]*>([^<]*)<\/title>/i.exec(page)?.[1]?.replace(/\s+/g, ' ').trim() ?? '';

const webPage = (page: string): BadBody => {
  const title = titleOf(page).slice(0, 80);
  return new BadBody(`a web page${title === '' ? '' : ` ("${title}")`} in place of an answer of the API`, { kind: 'web_page' });
};

/**
 * Throws `BadBody` for a body of an answer with a good status that cannot be an API's. A read must have a body: an empty one would look
 * like a list without entries, and a write would then put its own entry in place of all others.
 */
export function mustBeAnswer(
  body: unknown,
  contentType: string | undefined,
  o: { readonly status: number; readonly isRead: boolean },
): void {
  const isHtml = /^\s*text\/html\b/i.test(contentType ?? '') && typeof body === 'string' && /^\s*</.test(body);
  if (isPage(body) || isHtml) throw webPage(String(body));
  if (isMap(body) && Object.keys(body).join() === 'html') throw webPage('');
  const isEmpty = body === null || (typeof body === 'string' && body.trim() === '');
  if (o.isRead && isEmpty && o.status === 200) throw new BadBody('an empty body', { kind: 'empty' });
}

const utf8 = new TextDecoder();

/** Whether the content type says XML. In XML every value is a text, and a list of one looks like its only entry. */
export const isXml = (contentType: string | undefined): boolean => /[/+]xml$/i.test(contentType?.split(';')[0]?.trim() ?? '');

/** Reads a body that may be XML. The first XML body loads the reader. */
export async function readBody(bytes: Uint8Array, contentType: string | undefined): Promise<unknown> {
  if (bytes.byteLength === 0 || !isXml(contentType)) return decodeBody(bytes, contentType);
  const { BadXml, readXml } = await import('./xml-read.ts');
  try {
    return readXml(new TextDecoder(charsetOf(contentType)).decode(bytes));
  } catch (cause) {
    const text = utf8.decode(bytes);
    if (isPage(text)) throw webPage(text);
    const kind = cause instanceof BadXml && cause.isCut ? 'truncated' : undefined;
    throw cause instanceof BadXml ? new BadBody(cause.message, { kind, cause }) : cause;
  }
}

/** About how much memory the parsed body takes. `[{},{},…` takes twenty times its bytes, so each value counts beside the bytes. */
export function sizeOf(bytes: Uint8Array): number {
  let values = 0;
  for (const byte of bytes) if (startsValue[byte] === 1) values += 1;
  return bytes.byteLength + values * valueBytes;
}

/** Signs with a value or a member of a map beside them: `,` `:` `<` `[` `{`. */
const startsValue = new Uint8Array(256);
for (const sign of ',:<[{') startsValue[sign.charCodeAt(0)] = 1;

/** The charset of the body. An unknown name counts as UTF-8, like no name. */
function charsetOf(contentType: string | undefined): string {
  const name = /;\s*charset="?([\w.:-]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8';
  return /^(?:iso-8859-1|us-ascii|utf-16(?:le|be)?)$/i.test(name) ? name : 'utf-8';
}

/** Counts brackets outside of texts. */
function isDeep(json: string): boolean {
  if (json.length <= maxDepth) return false;
  let depth = 0;
  for (let i = 0; i < json.length; i += 1) {
    const letter = json.charCodeAt(i);
    if (letter === quote) i = endOfText(json, i);
    else if (letter === 0x5b || letter === 0x7b) depth += 1;
    else if (letter === 0x5d || letter === 0x7d) depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
}

const quote = 0x22;
const backslash = 0x5c;

/** The end of the text that begins at `start`; the end of the document where nothing ends the text. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let before = end;
    while (json.charCodeAt(before - 1) === backslash) before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
  return json.length;
}

function revive(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  const source = context?.source;
  return typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source) ? source : value;
}
