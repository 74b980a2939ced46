import type { Fields } from './types.ts';

/** A body read by its content type: JSON, both form encodings as `Fields`, text otherwise, `null` when there is none. */
export async function parseBody(bytes: ArrayBuffer, contentType: string): Promise<{ readonly text: string; readonly body: unknown }> {
  const text = new TextDecoder().decode(bytes);
  if (bytes.byteLength === 0) return { text: '', body: null };
  const type = plainType(contentType);
  if (type === 'application/json' || type.endsWith('+json')) {
    try {
      return { text, body: JSON.parse(text) as unknown };
    } catch {
      return { text, body: new Unreadable(text) };
    }
  }
  if (type === 'application/x-www-form-urlencoded') return { text, body: [...new URLSearchParams(text)] satisfies Fields };
  if (type === 'multipart/form-data') {
    const form = await new Response(bytes, { headers: { 'content-type': contentType } }).formData();
    const fields: Fields = [...form].map(([name, value]) => [name, typeof value === 'string' ? value : value.name] as const);
    return { text, body: fields };
  }
  return { text, body: text };
}

export const plainType = (contentType: string): string => contentType.split(';')[0]?.trim().toLowerCase() ?? '';

/** A body that its content type promises to be JSON and that is not. */
export class Unreadable {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A form body as nested data: `a[b]=1&c[]=x&d[0]=y` is `{ a: { b: '1' }, c: ['x'], d: ['y'] }`. Throws `BadForm` on names that contradict each other. */
export function nestFields(fields: Fields): { readonly [name: string]: Nested } {
  const root: Tree = new Map();
  for (const [name, value] of fields) place(root, split(name), value, name);
  return Object.fromEntries([...root].map(([name, node]) => [name, finish(node, name)]));
}

export type Nested = string | readonly Nested[] | { readonly [name: string]: Nested };
type Tree = Map<string, string | Tree>;

export class BadForm extends Error {}

function split(name: string): string[] {
  const shape = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name);
  if (!shape) throw new BadForm(`${name} is not in bracket notation`);
  return [shape[1] ?? '', ...[...(shape[2] ?? '').matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1] ?? '')];
}

function place(tree: Tree, path: readonly string[], value: string, name: string): void {
  const [head = '', ...rest] = path;
  // `x[]` takes the next free index, so a list written so and one written `x[0]`, `x[1]` read alike.
  const key = head === '' ? String(tree.size) : head;
  const there = tree.get(key);
  if (rest.length === 0) {
    if (there !== undefined) throw new BadForm(`${name} is given twice`);
    tree.set(key, value);
    return;
  }
  if (typeof there === 'string') throw new BadForm(`${name} is both a value and a group`);
  const inner: Tree = there ?? new Map<string, string | Tree>();
  tree.set(key, inner);
  place(inner, rest, value, name);
}

function finish(node: string | Tree, name: string): Nested {
  if (typeof node === 'string') return node;
  const keys = [...node.keys()];
  if (keys.every((key) => /^\d+$/.test(key))) {
    if (keys.some((key, index) => Number(key) !== index)) throw new BadForm(`${name} skips an index`);
    return [...node.values()].map((inner) => finish(inner, name));
  }
  return Object.fromEntries([...node].map(([key, inner]) => [key, finish(inner, key)]));
}
