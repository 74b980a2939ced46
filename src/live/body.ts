import { isMap, type Json } from '../core/json.ts';
import { decodeBody, isXml } from '../http/encodings/decode.ts';
import { readXml } from '../http/encodings/xml-read.ts';
import type { Passed } from './tap.ts';

/** The body of a request as data: JSON, the fields of a form, or the tree of an XML document. `null` for no body and for any other form. */
export function sentBody({ body, headers }: Pick<Passed, 'body' | 'headers'>): unknown {
  if (body === '') return null;
  const type = headers['content-type'] ?? '';
  if (/[/+]json\b/i.test(type)) return quietly(() => JSON.parse(body));
  if (/x-www-form-urlencoded/i.test(type)) return formOf(new URLSearchParams(body));
  if (isXml(type)) return quietly(() => readXml(body));
  return null;
}

/** The body of an answer as data, `null` where it is none. */
export function answeredBody({ answer }: Pick<Passed, 'answer'>): unknown {
  const type = answer.headers['content-type'];
  return quietly(() => (isXml(type) ? readXml(Buffer.from(answer.bytes).toString('utf8')) : decodeBody(answer.bytes, type)));
}

/** The kinds of a value: of maps by member, of lists by the first element. */
export function kindsOf(value: unknown, depth = 6): Json {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return value.length === 0 || depth === 0 ? 'list' : [kindsOf(value[0], depth - 1)];
  if (!isMap(value)) return typeof value === 'string' ? 'text' : typeof value;
  if (depth === 0) return 'map';
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, kindsOf(member, depth - 1)]));
}

function formOf(fields: URLSearchParams): { readonly [name: string]: string | readonly string[] } {
  return Object.fromEntries(
    [...new Set(fields.keys())].map((name) => {
      const all = fields.getAll(name);
      return [name, all.length > 1 ? all : (all[0] ?? '')];
    }),
  );
}

function quietly<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
