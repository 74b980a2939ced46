import { parse, TomlError } from 'smol-toml';

/** The value of a TOML text, or where its first mistake stands. No text of the file is in the words. */
export function readToml(text: string): { readonly value: unknown; readonly why?: string } {
  try {
    return { value: plain(parse(text)) };
  } catch (cause) {
    const place = cause instanceof TomlError ? ` (line ${cause.line}, column ${cause.column})` : '';
    return { value: undefined, why: `is not valid TOML${place}` };
  }
}

/** smol-toml makes maps without a prototype and dates of its own; both become what JSON has. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? String(item) : item)));
}
