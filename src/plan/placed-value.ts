/**
 * The use of a text of the plan. `address`: a request goes there, so a value is one segment of its path or one value of its query.
 * `reference`: the text names where a secret is kept, in the form of an address. `data`: the text is sent or compared. `raw`: the code that
 * takes the text encodes it.
 */
export type TextUse = 'address' | 'reference' | 'data' | 'raw';

/** The members of these maps are sent in a body or header, or are encoded where they are put in. */
const uses: { readonly [name: string]: TextUse } = {
  ...{
    with: 'raw',
    query: 'data',
    headers: 'data',
    body: 'data',
    fields: 'data',
    trigger: 'data',
    match: 'data',
    value: 'data',
    item: 'data',
  },
  ...{ variables: 'data', when_empty: 'data', outputs: 'data', compare: 'data' },
};
const addresses = new Set(['path', 'read_path', 'url', 'base_url', 'token_url']);

/** The use of a text under this name, in a map whose use is `use`. */
export const useOf = (name: string, use: TextUse): TextUse => (use === 'address' ? (uses[name] ?? use) : use);

/**
 * How a value is written at a place of `source`, so that it stays within its part of an address. A branch called `a&admin=1` is one value
 * of a query, and a branch called `../x` climbs nowhere. In a text that is no address the value stays as it is. In data, the slashes of a
 * value are those of a path.
 */
export function placedValue(
  source: string,
  at: number,
  { use, name }: { readonly use: TextUse; readonly name: string | null },
): (value: string) => string {
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(source)?.[0];
  const isPath = source.startsWith('/') && name !== null && addresses.has(name);
  if (use === 'raw' || (scheme === undefined && !isPath)) return (value) => value;
  const before = source.slice(scheme?.length ?? 0, at).replace(/\$\{[^}]*\}/g, '');
  const keepsSlashes = use === 'data' && /^[^?#]*\/[^?#]*$/.test(before);
  return (value) => {
    const encoded = encodeURIComponent(value).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
    return keepsSlashes ? encoded.replaceAll('%2F', '/') : encoded;
  };
}
