import { type ParseError, parse as parseJson, printParseErrorCode } from 'jsonc-parser';
import { parse as parseToml, TomlError } from 'smol-toml';
import { parse as parseYaml } from 'yaml';

/**
 * Reads the value of a settings file. Its name decides the format: TOML, YAML, otherwise JSON with comments. A broken file gives
 * `undefined`.
 */
export function readDataFile(file: string, text: string): unknown {
  try {
    if (file.endsWith('.toml')) return readToml(text).value;
    if (/\.ya?ml$/.test(file)) return parseYaml(text, { logLevel: 'silent', prettyErrors: false });
    return readJsonc(text);
  } catch {
    // The tool that owns the file reports its mistakes. Here the file is only one of several places to find an id.
    return undefined;
  }
}

/** Gives the value of a TOML text, or the place of its first mistake. The words never hold text of the file. */
export function readToml(text: string): { readonly value: unknown; readonly why?: string } {
  try {
    return { value: plain(parseToml(text)) };
  } catch (cause) {
    const place = cause instanceof TomlError ? ` (line ${cause.line}, column ${cause.column})` : '';
    return { value: undefined, why: `is not valid TOML${place}` };
  }
}

/** smol-toml makes maps without a prototype, and dates of its own class. Both become JSON values. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? String(item) : item)));
}

/** Reads JSON with comments and trailing commas. Throws if it is broken. */
function readJsonc(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parseJson(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) throw new SyntaxError(sayWhy(text, first));
  return value;
}

/** Reads as much as possible of JSON that `JSON.parse` refuses, and finds its first mistake. The words never hold text of the file. */
export function readBrokenJson(text: string): { readonly value: unknown; readonly why: string } {
  const errors: ParseError[] = [];
  let value: unknown;
  try {
    value = parseJson(text, errors, { disallowComments: true });
  } catch {
    // The parser recurses once per level, so deep JSON overflows the stack.
    return { value: undefined, why: 'is nested too deeply to be read as JSON' };
  }
  const [first] = errors;
  return { value, why: first ? sayWhy(text, first) : 'is not valid JSON' };
}

const mistakes: { readonly [code: string]: string } = {
  InvalidSymbol: 'an invalid JSON value',
  InvalidNumberFormat: 'an invalid number',
  PropertyNameExpected: 'the name of a property is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing brace is missing',
  CloseBracketExpected: 'a closing bracket is missing',
  EndOfFileExpected: 'there is text after the end',
  InvalidCommentToken: 'comments are not allowed here',
  UnexpectedEndOfComment: 'a comment has no end',
  UnexpectedEndOfString: 'a string has no closing quote',
  UnexpectedEndOfNumber: 'a number has no end',
  InvalidUnicode: 'an escape is not valid',
  InvalidEscapeCharacter: 'an escape is not valid',
  InvalidCharacter: 'a string has a forbidden character',
};

function sayWhy(text: string, error: ParseError): string {
  const before = text.slice(0, error.offset).split('\n');
  const mistake = mistakes[printParseErrorCode(error.error)] ?? 'a mistake';
  return `is not valid JSON (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${mistake})`;
}
