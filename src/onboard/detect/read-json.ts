import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';

/** The value of JSON with comments and trailing commas; throws where it is broken. */
export function readJsonc(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) throw new SyntaxError(sayWhy(text, first));
  return value;
}

/** What can be made out of JSON that `JSON.parse` refuses, and where its first mistake stands. No text of the file is in the words. */
export function readBrokenJson(text: string): { readonly value: unknown; readonly why: string } {
  const errors: ParseError[] = [];
  let value: unknown;
  try {
    value = parse(text, errors, { disallowComments: true });
  } catch {
    // The parser calls itself once a level.
    return { value: undefined, why: 'is nested too deeply to be read as JSON' };
  }
  const [first] = errors;
  return { value, why: first ? sayWhy(text, first) : 'is not valid JSON' };
}

const mistakes: { readonly [code: string]: string } = {
  InvalidSymbol: 'something that is no JSON value',
  InvalidNumberFormat: 'a number that is not written as JSON writes it',
  PropertyNameExpected: 'the name of a property is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing brace is missing',
  CloseBracketExpected: 'a closing bracket is missing',
  EndOfFileExpected: 'something follows the end',
  InvalidCommentToken: 'comments are not allowed here',
  UnexpectedEndOfComment: 'a comment has no end',
  UnexpectedEndOfString: 'a text has no closing quote',
  UnexpectedEndOfNumber: 'a number has no end',
  InvalidUnicode: 'an escape is not valid',
  InvalidEscapeCharacter: 'an escape is not valid',
  InvalidCharacter: 'a character that a text cannot hold',
};

function sayWhy(text: string, error: ParseError): string {
  const before = text.slice(0, error.offset).split('\n');
  const mistake = mistakes[printParseErrorCode(error.error)] ?? 'a mistake';
  return `is not valid JSON (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${mistake})`;
}
