import { Failure, Failures, type Place } from '../core/errors.ts';
import type { Json } from '../core/json.ts';
import { shapeMistakes } from '../ops/generic/shape.ts';
import { plainOf } from '../plan/parts.ts';
import { readYaml } from '../plan/read-yaml.ts';
import { isListTree, isMapTree, type Tree } from '../plan/tree.ts';
import { type Family, familySchema } from './schema.ts';

/** The path to a part of a family file. */
export type FamilyPath = readonly (string | number)[];

/** A family file as read. With a problem that the schema finds there is no family. */
export interface FamilyReading {
  readonly family: Family | null;
  readonly root: Tree;
  readonly problems: readonly Failure[];
  /** The place of a part, or of the nearest part around it that the file has. */
  placeOf(path: FamilyPath): Place;
}

/** Far more than a family has; aliases of aliases can mean billions. */
const mostValues = 50_000;

/** Reads the text of a family file, of this package or of a repository. Throws all mistakes of a text that is not YAML. */
export function readFamily(text: string, file: string): FamilyReading {
  const { root, problems } = yamlOf(text, file);
  const placeOf = (path: FamilyPath): Place => locate(root, path).value;
  const found = problems.list().map(asRecipe);
  if (!isMapTree(root)) {
    const detail = 'A recipe family is a map with `name`, `provider` and `ops`, and this file is not a map.';
    return { family: null, root, placeOf, problems: [...found, new Failure('RECIPE_INVALID', { detail, place: root.place })] };
  }
  const json = plainOf(root, Number.POSITIVE_INFINITY) as Json;
  const mistakes = shapeMistakes(familySchema, json).map(({ detail, at, fix, isOfKey }) => {
    const where = locate(root, at);
    return new Failure('RECIPE_INVALID', { detail: named(detail, at), place: isOfKey ? where.key : where.value, ...(fix && { fix }) });
  });
  const family = mistakes.length === 0 ? (familySchema.parse(json) as Family) : null;
  return { family, root, placeOf, problems: [...found, ...mistakes] };
}

function yamlOf(text: string, file: string): ReturnType<typeof readYaml> {
  try {
    return readYaml(text, file, mostValues);
  } catch (thrown) {
    throw thrown instanceof Failures || thrown instanceof Failure ? recipeFailures(thrown) : thrown;
  }
}

/** The same mistakes, of a family file and not of a plan. */
export function recipeFailures(thrown: Failure | Failures): Failures {
  const [first, ...rest] = thrown instanceof Failures ? thrown.failures : [thrown];
  return new Failures([asRecipe(first), ...rest.map(asRecipe)]);
}

/** Readers of parts of a plan know one kind of file. Their mistakes keep their words and places. */
export function asRecipe(failure: Failure): Failure {
  const { code, detail, fix, hasOwnFix, place, cause } = failure;
  if (code !== 'PLAN_PARSE' && code !== 'PLAN_INVALID') return failure;
  return new Failure('RECIPE_INVALID', { detail, cause, ...(hasOwnFix && { fix }), ...(place && { place }) });
}

/** The sentence of a mistake in an operation names the operation. */
function named(detail: string, [first, op]: FamilyPath): string {
  return first === 'ops' && op !== undefined && !detail.includes(`ops.${op}`) ? `ops.${op}: ${detail}` : detail;
}

/** The place of a part's value and of its key. A part that is not there stands for the nearest one around it. */
function locate(root: Tree, path: FamilyPath): { readonly key: Place; readonly value: Place } {
  let at = { key: root.place, value: root.place };
  let tree: Tree = root;
  for (const step of path) {
    const entry = isMapTree(tree) ? tree.entry(String(step)) : undefined;
    const next: Tree | undefined = entry?.value ?? (isListTree(tree) ? tree.items[Number(step)] : undefined);
    if (!next) return { key: at.key, value: at.key };
    at = { key: entry?.place ?? next.place, value: next.place };
    tree = next;
  }
  return at;
}
