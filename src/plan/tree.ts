import type { Place } from '../core/errors.ts';

/**
 * The plan file as read: maps, lists and scalars with their places, aliases and `<<` already followed. The rest of `plan/` knows
 * this tree and nothing of YAML. A part that several aliases name is one object here, never a copy.
 */
export type Tree = MapTree | ListTree | ScalarTree;

/** The place of a character of the file, by its offset. */
export type PlaceAt = (offset: number) => Place;

/**
 * A part of the file. A plan of thousands of lines has hundreds of thousands of parts, and only a part that an error names needs its place.
 * Stored for every part, places would take a third of the plan's memory.
 */
abstract class Part {
  readonly #placeAt: PlaceAt;
  readonly #offset: number;

  constructor(placeAt: PlaceAt, offset: number) {
    this.#placeAt = placeAt;
    this.#offset = offset;
  }

  get place(): Place {
    return this.#placeAt(this.#offset);
  }
}

/** Stands where its key does. */
export class MapEntry extends Part {
  readonly key: string;
  readonly value: Tree;

  constructor(placeAt: PlaceAt, offset: number, key: string, value: Tree) {
    super(placeAt, offset);
    this.key = key;
    this.value = value;
  }
}

export class MapTree extends Part {
  /** In the order of the file, keys unique; those of `<<` come last. */
  readonly entries: readonly MapEntry[];
  #byKey: ReadonlyMap<string, MapEntry> | null = null;

  constructor(placeAt: PlaceAt, offset: number, entries: readonly MapEntry[]) {
    super(placeAt, offset);
    this.entries = entries;
  }

  get kind(): 'map' {
    return 'map';
  }

  entry(key: string): MapEntry | undefined {
    // Nearly every map has a handful of keys, and an index of them would cost more than all searches.
    if (this.entries.length <= 16) return this.entries.find((entry) => entry.key === key);
    this.#byKey ??= new Map(this.entries.map((entry) => [entry.key, entry]));
    return this.#byKey.get(key);
  }
}

export class ListTree extends Part {
  readonly items: readonly Tree[];

  constructor(placeAt: PlaceAt, offset: number, items: readonly Tree[]) {
    super(placeAt, offset);
    this.items = items;
  }

  get kind(): 'list' {
    return 'list';
  }
}

export class ScalarTree extends Part {
  readonly value: string | number | boolean | null;
  /** The characters of the file, quotes and escapes resolved: `1.10`, `True`, `no`. */
  readonly source: string;

  constructor(placeAt: PlaceAt, offset: number, value: string | number | boolean | null, source: string) {
    super(placeAt, offset);
    this.value = value;
    this.source = source;
  }

  get kind(): 'scalar' {
    return 'scalar';
  }
}

export const isMapTree = (tree: Tree | undefined): tree is MapTree => tree?.kind === 'map';
export const isListTree = (tree: Tree | undefined): tree is ListTree => tree?.kind === 'list';
export const isScalarTree = (tree: Tree | undefined): tree is ScalarTree => tree?.kind === 'scalar';

/** The value under `key`, or `undefined`. */
export const valueAt = (tree: Tree | undefined, key: string): Tree | undefined => (isMapTree(tree) ? tree.entry(key)?.value : undefined);

/** The text of a scalar as the file has it, so that `007`, `1.0` or a 20-digit id can serve where text is wanted; `null` elsewhere. */
export const sourceTextOf = (tree: Tree | undefined): string | null => (isScalarTree(tree) && tree.value !== null ? tree.source : null);
