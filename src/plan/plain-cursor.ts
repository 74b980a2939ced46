/** The text holds what only the full parser can judge. */
export class NotPlain extends Error {}

/** Characters that begin or end something, by their codes. */
export const newline = 10;
export const space = 32;
export const doubleQuote = 34;
export const hash = 35;
export const ampersand = 38;
export const singleQuote = 39;
export const asterisk = 42;
export const comma = 44;
export const dash = 45;
export const colon = 58;
export const openBracket = 91;
export const closeBracket = 93;
export const openBrace = 123;
export const closeBrace = 125;

/** An unquoted scalar outside of braces: up to ` #`, to a colon that ends a key, or to the end of the line. */
export const blockScalar = /(?:[^ \n.?:,[\]{}#&*!|>'"%@`-]|\.(?!\.\.)|-(?=[A-Za-z0-9]))(?:[^ \n:]+|:(?=[^ \n])| +(?=[^ \n:#]|:[^ \n]))*/y;
/** The same inside of braces, where it also ends at a comma or a bracket. */
export const flowScalar =
  /(?:[^ \n.?:,[\]{}#&*!|>'"%@`-]|\.(?!\.\.)|-(?=[A-Za-z0-9]))(?:[^ \n:,[\]{}]+|:(?=[^ \n,[\]{}])| +(?=[^ \n:#,[\]{}]|:[^ \n,[\]{}]))*/y;
const singleQuoted = /'(?:[^'\n]|'')*'/y;
const doubleQuoted = /"(?:[^"\\\n]|\\["\\/bfnrtu])*"/y;

export const anchor = /&[A-Za-z0-9_-]+ +/y;
export const alias = /\*[A-Za-z0-9_-]+(?=[ \n,\]}]|$)/y;

const notScalar: ReadonlySet<number> = new Set([openBrace, openBracket, ampersand, asterisk]);

/** Goes through a text of plain YAML once. Between two methods it stands on the next character to be read. */
export class PlainCursor {
  readonly #text: string;
  #lineStart = 0;
  #at = 0;
  /** Where the content begins that `toContent` came to, counted from 0; -1 at the end of the text. */
  column = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** Of the next character. */
  get offset(): number {
    return this.#at;
  }

  /** The column of the next character, counted from 0. */
  here(): number {
    return this.#at - this.#lineStart;
  }

  skip(): void {
    this.#at += 1;
  }

  /** The characters of a scalar of one line, quotes and escapes resolved. */
  source(scalar: RegExp): string {
    const code = this.code(0);
    if (code === singleQuote) return this.match(singleQuoted).slice(1, -1).replaceAll("''", "'");
    if (code !== doubleQuote) return this.match(scalar);
    const quoted = this.match(doubleQuoted);
    return quoted.includes('\\') ? unescaped(quoted) : quoted.slice(1, -1);
  }

  /** Whether what stands here, behind the dash of a list, is the first key of a map. */
  isKey(): boolean {
    if (notScalar.has(this.code(0))) return false;
    const start = this.#at;
    this.source(blockScalar);
    const isKey = this.code(0) === colon;
    this.#at = start;
    return isKey;
  }

  /** The text that the pattern takes here. */
  match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) throw new NotPlain();
    const start = this.#at;
    this.#at = pattern.lastIndex;
    return this.#text.slice(start, this.#at);
  }

  /** To the next character that is neither blank nor comment: in this line, if it has one, else below. */
  toContent(): void {
    for (;;) {
      this.skipSpaces();
      const code = this.code(0);
      if (code === hash) this.#at = this.#endOfLine();
      else if (code === newline) {
        this.#at += 1;
        this.#lineStart = this.#at;
      } else {
        this.column = this.isEnd() ? -1 : this.#at - this.#lineStart;
        return;
      }
    }
  }

  /** Past the value of a key of the outermost map, whatever it is: to the next line that begins with something of its own. */
  passOver(): void {
    do {
      this.#at = this.#endOfLine();
      if (this.isEnd()) break;
      this.#at += 1;
      this.#lineStart = this.#at;
    } while (this.code(0) === space || this.code(0) === newline || this.code(0) === hash || this.isDash());
    this.toContent();
  }

  #endOfLine(): number {
    const end = this.#text.indexOf('\n', this.#at);
    return end < 0 ? this.#text.length : end;
  }

  skipSpaces(): void {
    while (this.code(0) === space) this.#at += 1;
  }

  /** Whether the line has nothing more to say. A comment has a blank before it. */
  isLineEnd(): boolean {
    const code = this.code(0);
    return code === newline || this.isEnd() || (code === hash && this.code(-1) === space);
  }

  isEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** `- `: with its value on the next line it is for the full parser. */
  isDash(): boolean {
    return this.code(0) === dash && this.code(1) === space;
  }

  isQuote(): boolean {
    const code = this.code(0);
    return code === singleQuote || code === doubleQuote;
  }

  /** NaN beyond the ends. */
  code(offset: number): number {
    return this.#text.charCodeAt(this.#at + offset);
  }
}

/** The escapes that YAML shares with JSON. */
function unescaped(quoted: string): string {
  try {
    const text: unknown = JSON.parse(quoted);
    if (typeof text === 'string' && text.isWellFormed()) return text;
  } catch {
    // A `\u` without its four digits.
  }
  throw new NotPlain();
}
