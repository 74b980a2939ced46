import { replaceContext } from './substitute.ts';
import { isListTree, isMapTree, type Tree } from './tree.ts';
import type { Context } from './types.ts';

/** Path to a part of a param or setting: names of keys with the values of the run in them, and indexes of lists. */
export type PartPath = readonly (string | number)[];

/** The part itself, or `null` when the plan has none there. */
export function partAt(tree: Tree, path: PartPath, context: Context): Tree | null {
  let at: Tree = tree;
  for (const step of path) {
    const next = childOf(at, step, context);
    if (!next) return null;
    at = next;
  }
  return at;
}

/** The part, or the nearest parent that the plan has. */
export function nearestPart(tree: Tree, path: PartPath, context: Context): Tree {
  let at: Tree = tree;
  for (const step of path) {
    const next = childOf(at, step, context);
    if (!next) break;
    at = next;
  }
  return at;
}

function childOf(tree: Tree, step: string | number, context: Context): Tree | undefined {
  if (isListTree(tree)) return tree.items[Number(step)];
  if (!isMapTree(tree)) return undefined;
  const key = String(step);
  const entry = tree.entry(key) ?? tree.entries.find((e) => e.key.includes('${') && replaceContext(e.key, context) === key);
  return entry?.value;
}

/** The part as plain JSON, `levels` deep; deeper maps and lists are shown empty. For the schema, which looks at the structure only. */
export function plainOf(tree: Tree, levels: number): unknown {
  if (isMapTree(tree)) return levels === 0 ? {} : Object.fromEntries(tree.entries.map((e) => [e.key, plainOf(e.value, levels - 1)]));
  if (isListTree(tree)) return levels === 0 ? [] : tree.items.map((item) => plainOf(item, levels - 1));
  return tree.value;
}
