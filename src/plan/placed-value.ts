/**
 * What a text of the plan is for. `address`: a request goes there, so a value is one segment of its path or one value of its query.
 * `reference`: it names where a secret is kept, in the form of an address. `data`: it is sent or compared. `raw`: who takes it encodes it.
 */
export type TextUse = 'address' | 'reference' | 'data' | 'raw';

/** What the members of these maps hold is sent in a body or header, or encoded where it is put in. */
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

/** What a text is for that stands under this name in a map that is for `use`. */
export const useOf = (name: string, use: TextUse): TextUse => (use === 'address' ? (uses[name] ?? use) : use);

/**
 * How a value is written at a place of `source`, so that it stays within the part of an address that it stands in: a branch called
 * `a&admin=1` is one value of a query, and one called `../x` climbs nowhere. In a text that is no address it is what it is. In data, the
 * slashes of a value are those of a path.
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
