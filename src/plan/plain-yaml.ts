import { maxDepth, maxValues } from './limits.ts';
import { placesIn } from './places.ts';
import {
  alias,
  ampersand,
  anchor,
  asterisk,
  blockScalar,
  closeBrace,
  closeBracket,
  colon,
  comma,
  flowScalar,
  hash,
  NotPlain,
  newline,
  openBrace,
  openBracket,
  PlainCursor,
  space,
} from './plain-cursor.ts';
import { Problems } from './problems.ts';
import { notFinite, plainValue } from './scalar.ts';
import { ListTree, MapEntry, MapTree, type PlaceAt, ScalarTree, type Tree } from './tree.ts';
import type { YamlFile } from './yaml-file.ts';

/**
 * Reads the YAML that nearly every plan is written in, some twenty times as fast as the full parser: maps and lists by indentation or in
 * braces, and scalars of one line. `null` for everything else, mistakes included: then the full parser reads the text and has the last
 * word. Whatever this reader does read, it reads as the full parser does, to the last place.
 *
 * `without` names a key of the outermost map whose value is not looked at: an empty list stands for it.
 */
export function readPlainYaml(text: string, file: string, { without }: { readonly without?: string } = {}): Tree | null {
  // Comments with TODO are found by the lexer. Control characters, tabs and carriage returns have rules of their own.
  if (unusual.test(text) || text.includes('TODO') || !text.isWellFormed()) return null;
  try {
    return new PlainReader(text, placesIn(text, file), without).root();
  } catch (thrown) {
    if (thrown instanceof NotPlain) return null;
    throw thrown;
  }
}

/** The same, as what the plan is read from. */
export function readPlainFile(text: string, file: string, o: { readonly without?: string } = {}): YamlFile | null {
  const root = readPlainYaml(text, file, o);
  if (root === null) return null;
  return { root, problems: new Problems(), todoOf: () => null, readAgain: () => readAgain(text, file) };
}

function readAgain(text: string, file: string): Tree {
  const root = readPlainYaml(text, file);
  if (root === null) throw new Error('what was plain YAML is so no more');
  return root;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const unusual = /[\0-\t\v-\x1f\x7f\ufeff]/;

/** YAML takes no longer key; the full parser says so. */
const maxKey = 1000;

/** Maps, lists and scalars from where the cursor stands, each up to the content that follows it. */
class PlainReader extends PlainCursor {
  readonly #placeAt: PlaceAt;
  readonly #anchors = new Map<string, ScalarTree>();
  /** One text for each key: all lines have the same few. */
  readonly #keys = new Map<string, string>();
  readonly #without: string | undefined;
  #depth = 0;
  #values = 0;

  constructor(text: string, placeAt: PlaceAt, without: string | undefined) {
    super(text);
    this.#placeAt = placeAt;
    this.#without = without;
  }

  root(): Tree {
    this.toContent();
    if (this.column !== 0 || this.isDash()) throw new NotPlain();
    const tree = this.#map(0);
    if (!this.isEnd()) throw new NotPlain();
    return tree;
  }

  /** A map whose keys stand in this column; the first of them is here. */
  #map(column: number): MapTree {
    const start = this.#open();
    const entries: MapEntry[] = [];
    const keys = new Keys(entries);
    do {
      const keyStart = this.offset;
      const key = keys.next(this.#key(blockScalar));
      const after = this.code(0);
      if (after !== space && after !== newline && !this.isEnd()) throw new NotPlain();
      const isLeftOut = key === this.#without && this.#depth === 1;
      entries.push(new MapEntry(this.#placeAt, keyStart, key, isLeftOut ? this.#nothing() : this.#mapValue(column)));
    } while (this.column === column);
    // Deeper than the keys and no part of a value.
    if (this.column > column) throw new NotPlain();
    this.#depth -= 1;
    return new MapTree(this.#placeAt, start, exact(entries));
  }

  #nothing(): ListTree {
    const start = this.offset;
    this.passOver();
    return new ListTree(this.#placeAt, start, []);
  }

  #mapValue(column: number): Tree {
    this.skipSpaces();
    if (!this.isLineEnd()) return this.#onThisLine(column);
    this.toContent();
    if (this.column === column && this.isDash()) return this.#list(column);
    if (this.column <= column) throw new NotPlain();
    if (this.isDash()) return this.#list(this.column);
    const code = this.code(0);
    return code === openBrace || code === openBracket ? this.#onThisLine(column) : this.#map(this.column);
  }

  /** A list whose dashes stand in this column; the first of them is here. */
  #list(column: number): Tree {
    const start = this.#open();
    const items: Tree[] = [];
    do {
      this.skip();
      this.skipSpaces();
      items.push(this.isKey() ? this.#map(this.here()) : this.#onThisLine(column));
      if (this.column > column) throw new NotPlain();
    } while (this.column === column && this.isDash());
    this.#depth -= 1;
    return new ListTree(this.#placeAt, start, exact(items));
  }

  /** A value that ends on its line, or where its braces end; `column` is that of the map or list that holds it. */
  #onThisLine(column: number): Tree {
    const tree = this.#value(blockScalar, column);
    this.skipSpaces();
    if (!this.isLineEnd()) throw new NotPlain();
    this.toContent();
    // It would go on, in the next line.
    if (this.column > column) throw new NotPlain();
    return tree;
  }

  #value(scalar: RegExp, column: number): Tree {
    const code = this.code(0);
    if (code === openBrace) return this.#flowMap(column);
    if (code === openBracket) return this.#flowList(column);
    if (code === ampersand) return this.#anchored(scalar);
    return code === asterisk ? this.#alias() : this.#scalar(scalar);
  }

  /** `&name value`: a scalar only, since maps that share parts are the full parser's to count. */
  #anchored(scalar: RegExp): ScalarTree {
    const name = this.match(anchor).trimEnd();
    const tree = this.#scalar(scalar);
    this.#anchors.set(name.slice(1), tree);
    return tree;
  }

  #alias(): ScalarTree {
    const tree = this.#anchors.get(this.match(alias).slice(1));
    if (!tree) throw new NotPlain();
    return tree;
  }

  #flowMap(column: number): Tree {
    const start = this.#open();
    const entries: MapEntry[] = [];
    const keys = new Keys(entries);
    this.skip();
    for (this.#toFlow(column); this.code(0) !== closeBrace; this.#toNext(closeBrace, column)) {
      const keyStart = this.offset;
      const isQuoted = this.isQuote();
      const key = keys.next(this.#key(flowScalar));
      const after = this.code(0);
      if (!isQuoted && after !== space && after !== newline) throw new NotPlain();
      this.#toFlow(column);
      entries.push(new MapEntry(this.#placeAt, keyStart, key, this.#value(flowScalar, column)));
    }
    this.skip();
    this.#depth -= 1;
    return new MapTree(this.#placeAt, start, exact(entries));
  }

  #flowList(column: number): Tree {
    const start = this.#open();
    const items: Tree[] = [];
    this.skip();
    for (this.#toFlow(column); this.code(0) !== closeBracket; this.#toNext(closeBracket, column))
      items.push(this.#value(flowScalar, column));
    this.skip();
    this.#depth -= 1;
    return new ListTree(this.#placeAt, start, exact(items));
  }

  /** Behind the comma, or to the end of the braces. */
  #toNext(end: number, column: number): void {
    this.#toFlow(column);
    const code = this.code(0);
    if (code === end) return;
    if (code !== comma) throw new NotPlain();
    this.skip();
    this.#toFlow(column);
  }

  /** Past blanks, comments and line ends inside of braces, whose lines are indented more than what holds them. */
  #toFlow(column: number): void {
    this.skipSpaces();
    const code = this.code(0);
    if (code !== newline && code !== hash) return;
    if (!this.isLineEnd()) throw new NotPlain();
    this.toContent();
    if (this.column <= column) throw new NotPlain();
  }

  /** The text of a key; its colon is read, too. */
  #key(scalar: RegExp): string {
    const isQuoted = this.isQuote();
    const key = this.source(scalar);
    if (this.code(0) !== colon || key.length > maxKey || key === '__proto__' || (key === '<<' && !isQuoted)) throw new NotPlain();
    this.skip();
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    this.#keys.set(key, key);
    return key;
  }

  #scalar(scalar: RegExp): ScalarTree {
    this.#count();
    const start = this.offset;
    const isQuoted = this.isQuote();
    const source = this.source(scalar);
    const value = isQuoted ? source : plainValue(source);
    if (value === notFinite) throw new NotPlain();
    return new ScalarTree(this.#placeAt, start, value, source);
  }

  /** Gives where the map or list begins. */
  #open(): number {
    this.#count();
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new NotPlain();
    return this.offset;
  }

  #count(): void {
    this.#values += 1;
    if (this.#values > maxValues) throw new NotPlain();
  }
}

/** The same items in a list that has no room for more: what it grew by is kept as long as the plan, and most maps have a handful. */
const exact = <T>(items: readonly T[]): readonly T[] => items.slice();

/** Refuses a key that the map has. Most maps have a handful of keys, which needs no index. */
class Keys {
  readonly #entries: readonly MapEntry[];
  #many: Set<string> | null = null;

  constructor(entries: readonly MapEntry[]) {
    this.#entries = entries;
  }

  next(key: string): string {
    if (this.#many === null && this.#entries.length > 16) this.#many = new Set(this.#entries.map((entry) => entry.key));
    const isKnown = this.#many === null ? this.#entries.some((entry) => entry.key === key) : this.#many.has(key);
    if (isKnown) throw new NotPlain();
    this.#many?.add(key);
    return key;
  }
}
