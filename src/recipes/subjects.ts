import type { JsonMap } from '../core/json.ts';
import type { Adapter, Op } from '../ops/op.ts';
import type { Registry } from '../ops/registry.ts';
import { familyOf } from './expand.ts';
import type { FamilyOp } from './schema.ts';

/** One way to write an operation in a plan: `adapter: neon, op: branch` or `recipe: auth0.callback_url`, in every spelling. */
export interface DocumentedOp {
  readonly name: string;
  readonly op: Op;
  /** Spellings of `recipe:`; empty for operations of adapters. */
  readonly recipes: readonly string[];
  /** Params of a line as a person would write them. */
  readonly example: JsonMap;
  /** The data of a recipe. */
  readonly recipe?: FamilyOp;
}

/** An adapter or a recipe family, as the pages and the editor schema show it. */
export interface Subject {
  readonly name: string;
  readonly kind: 'adapter' | 'recipe';
  /** Spellings of `adapter:` or of the API block; the canonical one first. */
  readonly spellings: readonly string[];
  readonly adapter: Adapter;
  readonly ops: readonly DocumentedOp[];
}

/** Everything that a plan may name, in alphabetical order. The guide covers the generic adapter, so it has no page of its own. */
export async function readSubjects(registry: Registry): Promise<readonly Subject[]> {
  const adapters = await Promise.all(
    registry.adapterNames().map(async (name): Promise<Subject[]> => {
      const adapter = await registry.adapter(name);
      if (!adapter || name === 'http') return [];
      const spellings = registry.adapterSpellings(name);
      return [{ name, kind: 'adapter', spellings, adapter, ops: opsOf(adapter, () => [], examplesOf(adapter)) }];
    }),
  );
  return [...adapters.flat(), ...(await familySubjects(registry, registry.familyNames()))].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The recipe families of these names. */
export async function familySubjects(registry: Registry, names: readonly string[]): Promise<readonly Subject[]> {
  const families = await Promise.all(
    names.map(async (name): Promise<Subject[]> => {
      const adapter = await registry.family(name);
      if (!adapter) return [];
      const spellings = registry.familySpellings(name);
      const data = familyOf(adapter)?.ops ?? {};
      const special = Object.entries(data).flatMap(([op, { alias }]) => (alias === undefined ? [] : [[alias, op] as const]));
      const recipesOf = (op: string): readonly string[] => [
        `${name}.${op}`,
        ...(adapter.alias === undefined ? [] : [`${adapter.alias}.${op}`]),
        ...special.filter(([, target]) => target === op).map(([spelling]) => spelling),
      ];
      const ops = opsOf(adapter, recipesOf, (op) => data[op]?.example ?? {}).map((one) => {
        const recipe = data[one.name];
        return recipe ? { ...one, recipe } : one;
      });
      return [{ name, kind: 'recipe', spellings, adapter, ops }];
    }),
  );
  return families.flat();
}

const opsOf = (adapter: Adapter, recipes: (op: string) => readonly string[], example: (op: string) => JsonMap): readonly DocumentedOp[] =>
  Object.entries(adapter.ops).map(([name, op]) => ({ name, op, recipes: recipes(name), example: example(name) }));

/** Each param of a built-in operation has an example that a person could write. */
const examplesOf =
  (adapter: Adapter) =>
  (op: string): JsonMap =>
    Object.fromEntries(
      Object.entries(adapter.ops[op]?.params ?? {}).flatMap(([name, { example }]) => (example === undefined ? [] : [[name, example]])),
    );
