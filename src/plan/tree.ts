import type { Place } from '../core/errors.ts';

/**
 * The plan file as read: maps, lists and scalars with their places, aliases and `<<` already followed. The rest of `plan/` knows
 * this tree and nothing of YAML. A part that several aliases name is one object here, never a copy.
 */
export type Tree = MapTree | ListTree | ScalarTree;

export interface MapEntry {
  readonly key: string;
  readonly keyPlace: Place;
  readonly value: Tree;
}

export class MapTree {
  readonly kind = 'map';
  readonly place: Place;
  /** In the order of the file, keys unique; those of `<<` come last. */
  readonly entries: readonly MapEntry[];
  #byKey: ReadonlyMap<string, MapEntry> | null = null;

  constructor(place: Place, entries: readonly MapEntry[]) {
    this.place = place;
    this.entries = entries;
  }

  entry(key: string): MapEntry | undefined {
    // Nearly every map has a handful of keys, and an index of each would cost more than all that is asked of it.
    if (this.entries.length <= 16) return this.entries.find((entry) => entry.key === key);
    this.#byKey ??= new Map(this.entries.map((entry) => [entry.key, entry]));
    return this.#byKey.get(key);
  }
}

export interface ListTree {
  readonly kind: 'list';
  readonly place: Place;
  readonly items: readonly Tree[];
}

export interface ScalarTree {
  readonly kind: 'scalar';
  readonly place: Place;
  readonly value: string | number | boolean | null;
  /** The characters of the file, quotes and escapes resolved: `1.10`, `True`, `no`. */
  readonly source: string;
}

export const isMapTree = (tree: Tree | undefined): tree is MapTree => tree?.kind === 'map';
export const isListTree = (tree: Tree | undefined): tree is ListTree => tree?.kind === 'list';
export const isScalarTree = (tree: Tree | undefined): tree is ScalarTree => tree?.kind === 'scalar';

/** The value under `key`, or `undefined`. */
export const valueAt = (tree: Tree | undefined, key: string): Tree | undefined => (isMapTree(tree) ? tree.entry(key)?.value : undefined);

/** The text of a scalar as the file has it, so that `007`, `1.0` or a 20-digit id can serve where text is wanted; `null` elsewhere. */
export const sourceTextOf = (tree: Tree | undefined): string | null => (isScalarTree(tree) && tree.value !== null ? tree.source : null);
