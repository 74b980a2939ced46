import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  Scalar,
  type YAMLError,
} from 'yaml';
import { Failure, Failures } from '../core/errors.ts';
import { Problems, quote } from './problems.ts';
import { syntaxFailure } from './syntax-error.ts';
import { type Anchored, readTodos } from './todo.ts';
import { ListTree, MapEntry, MapTree, type PlaceAt, ScalarTree, type Tree } from './tree.ts';

/** Deeper nesting than any plan needs; it keeps every recursion over a plan short. */
const maxDepth = 64;

/** Values of a plan after aliases are followed. A few lines of nested aliases can mean billions ("alias bomb"). */
const maxValues = 1_000_000;

export interface YamlFile {
  readonly root: Tree;
  /** Mistakes that leave the file readable: a key given twice, a tag, `.nan`. */
  readonly problems: Problems;
  /** The hint of a `# TODO` comment on or above a value; `null` where there is none. */
  todoOf(tree: Tree): string | null;
}

/**
 * Reads YAML into a tree with places. All syntax errors are thrown together, because a broken text can only be guessed at. Other mistakes
 * are collected, and the rest is read on. Scalars are kept as written (see `plainValue`).
 */
export function readYaml(text: string, file: string, mostValues = maxValues): YamlFile {
  const lines = new LineCounter();
  // Keys are compared here and not by the parser, whose comparison is quadratic in the number of keys.
  const document = parsed(text, file, lines);
  const placeAt: PlaceAt = (offset) => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  refuseSyntaxErrors(document, text, placeAt);
  const builder = new TreeBuilder(placeAt, mostValues);
  const root = builder.build(document.contents);
  const todos = readTodos(text, builder.anchored);
  return { root, problems: builder.problems, todoOf: (tree) => todos.get(tree) ?? null };
}

function parsed(text: string, file: string, lines: LineCounter): Document.Parsed {
  try {
    return parseDocument(text, {
      lineCounter: lines,
      schema: 'failsafe',
      resolveKnownTags: false,
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'error',
    });
  } catch (cause) {
    // The parser calls itself once a level, and thousands of `- - -` on one line use its stack up.
    if (!(cause instanceof RangeError)) throw cause;
    throw new Failure('PLAN_PARSE', {
      detail: `Values are nested far more than ${maxDepth} levels deep here. No provider takes that.`,
      fix: 'Flatten the value at the place shown.',
      place: { file, line: Math.max(lines.lineStarts.length, 1), column: 1 },
      cause,
    });
  }
}

function refuseSyntaxErrors(document: Document.Parsed, text: string, placeAt: PlaceAt): void {
  const problems = new Problems();
  const seenLines = new Set<number>();
  const inOrder = [...document.errors, ...document.warnings].toSorted((a, b) => a.pos[0] - b.pos[0]);
  for (const error of inOrder as readonly YAMLError[]) {
    const offset = Math.min(error.pos[0], text.length);
    const place = placeAt(offset);
    // One slip often gives several errors on its line; the first one suffices.
    if (seenLines.has(place.line)) continue;
    seenLines.add(place.line);
    const from = text.lastIndexOf('\n', offset - 1) + 1;
    const to = text.indexOf('\n', offset);
    problems.take(syntaxFailure(error, place, text.slice(from, to < 0 ? text.length : to)));
  }
  problems.throwIfAny();
}

const halfCharacter = 'The text holds half a character (`\\ud800` alone), which no request and no file can carry.';

class TreeBuilder {
  readonly problems = new Problems();
  readonly anchored: Anchored[] = [];
  readonly #placeAt: PlaceAt;
  readonly #mostValues: number;
  /** `null` while the anchored value is still being read. */
  readonly #anchors = new Map<string, Tree | null>();
  readonly #sizes = new Map<Tree, number>();
  #depth = 0;

  constructor(placeAt: PlaceAt, mostValues: number) {
    this.#placeAt = placeAt;
    this.#mostValues = mostValues;
  }

  build(node: unknown, fallback = 0): Tree {
    const at = startOf(node) ?? fallback;
    if (isAlias(node)) return this.#alias(node.source, at);
    const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
    if (anchor !== undefined) this.#anchors.set(anchor, null);
    const tree = this.#value(node, at);
    if (anchor !== undefined) this.#anchors.set(anchor, tree);
    return tree;
  }

  #value(node: unknown, at: number): Tree {
    if (isMap(node)) return this.#nested(at, () => this.#map(node.items, at));
    if (isSeq(node)) return this.#nested(at, () => this.#list(node.items, at));
    return isScalar(node) ? this.#sized(this.#scalar(node, at), 1) : this.#nothing(at);
  }

  #nothing(at: number): Tree {
    return this.#sized(new ScalarTree(this.#placeAt, at, null, ''), 1);
  }

  #nested(at: number, read: () => Tree): Tree {
    if (this.#depth >= maxDepth) {
      this.problems.add('PLAN_PARSE', {
        detail: `Values are nested more than ${maxDepth} levels deep here. No provider takes that.`,
        fix: 'Flatten the value at the place shown.',
        place: this.#placeAt(at),
      });
      return this.#nothing(at);
    }
    this.#depth += 1;
    try {
      return read();
    } finally {
      this.#depth -= 1;
    }
  }

  #list(nodes: readonly unknown[], start: number): Tree {
    let size = 1;
    const items = nodes.map((node) => {
      // `[a: b]` is a list with a map of one key.
      const at = isPair(node) ? (startOf(node.key) ?? start) : (startOf(node) ?? start);
      const slot = this.#announce(at);
      const item = isPair(node) ? this.#nested(at, () => this.#map([node], at)) : this.build(node, start);
      slot.tree = item;
      size += this.#sizeOf(item);
      return item;
    });
    return this.#sized(new ListTree(this.#placeAt, start, items), size);
  }

  #map(pairs: readonly Pair<unknown, unknown>[], start: number): Tree {
    const byKey = new Map<string, MapEntry>();
    const merged: Tree[] = [];
    let size = 1;
    for (const pair of pairs) {
      const at = startOf(pair.key) ?? startOf(pair.value) ?? start;
      const slot = this.#announce(at);
      const value = this.build(pair.value, endOf(pair.key) ?? at);
      slot.tree = value;
      size += this.#sizeOf(value);
      const key = this.#key(pair.key, at);
      if (key === null) continue;
      if (key === '<<' && isPlain(pair.key)) {
        merged.push(value);
        continue;
      }
      const earlier = byKey.get(key);
      if (earlier) {
        this.problems.add('PLAN_PARSE', {
          detail: `The key ${quote(key)} is given twice in one map; the first is on line ${earlier.place.line}.`,
          fix: 'Remove one of the two.',
          place: this.#placeAt(at),
        });
        continue;
      }
      byKey.set(key, new MapEntry(this.#placeAt, at, key, value));
    }
    for (const source of merged) size += this.#merge(source, byKey);
    return this.#sized(new MapTree(this.#placeAt, start, [...byKey.values()]), size);
  }

  /** `<<: *base`, `<<: [*one, *two]`: the map's own keys win, then those of the earlier source. */
  #merge(source: Tree, into: Map<string, MapEntry>): number {
    if (source.kind === 'list') return source.items.reduce((size, item) => size + this.#merge(item, into), 0);
    if (source.kind === 'scalar') {
      this.problems.add('PLAN_PARSE', {
        detail: '`<<` merges another map into this one, but its value is not a map.',
        fix: 'Name the map with an alias: `<<: *name`.',
        place: source.place,
      });
      return 0;
    }
    let size = 0;
    for (const entry of source.entries) {
      if (into.has(entry.key)) continue;
      into.set(entry.key, entry);
      size += this.#sizeOf(entry.value);
    }
    return size;
  }

  #key(node: unknown, at: number): string | null {
    const refuse = (detail: string, fix: string): null => {
      this.problems.add('PLAN_PARSE', { detail, fix, place: this.#placeAt(at) });
      return null;
    };
    if (!isScalar(node))
      return refuse('A key of a map must be text, but this key is a list, a map or an alias.', 'Write the key as plain text.');
    const key = textOf(node);
    if (key === '' && isPlain(node)) return refuse('A value stands here without its key.', 'Write a key before the colon.');
    // An assignment to this name would change the prototype of an object instead of setting a key.
    if (key === '__proto__') return refuse('`__proto__` cannot be a key here.', 'Use another key.');
    if (!key.isWellFormed()) return refuse(halfCharacter, 'Write the whole character, or remove its escape.');
    return key;
  }

  #scalar(node: Scalar, at: number): Tree {
    const source = textOf(node);
    const tree = (value: ScalarTree['value']): Tree => new ScalarTree(this.#placeAt, at, value, source);
    if (!source.isWellFormed()) {
      const fix = 'Write the whole character, or remove its escape.';
      this.problems.add('PLAN_PARSE', { detail: halfCharacter, fix, place: this.#placeAt(at) });
    }
    // The parser has refused every tag but `!!str`.
    if (!isPlain(node) || node.tag !== undefined) return tree(source);
    const value = plainValue(source);
    if (value !== notFinite) return tree(value);
    this.problems.add('PLAN_PARSE', {
      detail: `${quote(source)} is not a number that pilotfish can send to a provider.`,
      fix: 'Write a finite number, or put the value in quotes when it is text.',
      place: this.#placeAt(at),
    });
    return tree(source);
  }

  #alias(name: string, at: number): Tree {
    const tree = this.#anchors.get(name);
    if (tree) return tree;
    const detail =
      tree === null
        ? `The alias *${name} stands inside the value that it names, so the value would never end.`
        : `The alias *${name} names no anchor (\`&${name}\`) above it.`;
    this.problems.add('PLAN_PARSE', {
      detail,
      fix: 'Quote the value when the `*` belongs to it, or name an anchor that stands above.',
      place: this.#placeAt(at),
    });
    return this.#nothing(at);
  }

  /** Keeps the order of the file: an outer value is announced before what is in it. */
  #announce(offset: number): Anchored {
    const slot: Anchored = { offset, tree: null };
    this.anchored.push(slot);
    return slot;
  }

  #sizeOf(tree: Tree): number {
    return this.#sizes.get(tree) ?? 1;
  }

  #sized<T extends Tree>(tree: T, size: number): T {
    if (size > this.#mostValues) {
      const problems = new Problems();
      problems.add('PLAN_PARSE', {
        detail: `The file would hold more than ${this.#mostValues.toLocaleString('en')} values once its aliases are followed.`,
        fix: 'Use fewer or smaller aliases.',
        place: tree.place,
      });
      const [first] = problems.list();
      if (first) throw new Failures([first]);
    }
    this.#sizes.set(tree, size);
    return tree;
  }
}

const startOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined);
const endOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[1] : undefined);
const isNode = (node: unknown): node is Node => isAlias(node) || isScalar(node) || isMap(node) || isSeq(node);
const isPlain = (node: unknown): boolean => isScalar(node) && (node.type === Scalar.PLAIN || node.type === undefined);
const textOf = (node: Scalar): string => node.source ?? (typeof node.value === 'string' ? node.value : '');

/** The value of an unquoted YAML scalar in a plan. */
type PlainValue = string | number | boolean | null | typeof notFinite;

/** `.nan` and `.inf`: numbers for YAML, not for JSON. */
const notFinite: unique symbol = Symbol('not finite');

const nulls = new Set(['', '~', 'null', 'Null', 'NULL']);
const truths = new Set(['true', 'True', 'TRUE']);
const falsehoods = new Set(['false', 'False', 'FALSE']);
const nonFinite = /^([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$/;

/**
 * Reads an unquoted scalar without losing a character: a number only where the number, written out again, gives the same text.
 * YAML would make 12 of `012`, 1000 of `1e3`, 1.1 of `1.10` and round a 20-digit id; in a plan these are mostly ids and versions,
 * so they stay the text they are. `yes`, `no`, `on`, `off` and dates are text too.
 */
function plainValue(source: string): PlainValue {
  if (nulls.has(source)) return null;
  if (truths.has(source)) return true;
  if (falsehoods.has(source)) return false;
  if (nonFinite.test(source)) return notFinite;
  if (!/^-?\d/.test(source)) return source;
  const number = Number(source);
  return Number.isFinite(number) && String(number) === source ? number : source;
}
