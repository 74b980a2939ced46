import { familyNames, loadFamily } from '../../../src/recipes/load.ts';
import { type Explanation, explains, explanations, type Place } from './explained.ts';
import { type Mutant, mutantsOf } from './mutants.ts';
import { judgeAll } from './pool.ts';
import { sampled } from './sample.ts';
import type { Asked } from './worker.ts';

/** The least share of mutants that the tests must notice. Every other mutant needs a reason. */
const leastKilled = 0.97;

export interface RecipeOptions {
  /** A family or `<family>.<op>`; `null` for all. */
  readonly only: string | null;
  /** The number of mutants to choose by chance from a few families. */
  readonly sample: number | null;
  readonly seed: number;
}

export interface RecipeReport {
  readonly altered: number;
  readonly killed: number;
  /** The killed mutants without a test: the loader refused their family file. */
  readonly refused: number;
  readonly survivors: readonly (Place & { readonly reason: string | null })[];
  /** The explanations whose mutants are all noticed. */
  readonly idle: readonly string[];
}

/** Mutates the recipes and lets their own tests judge each mutant. */
export async function mutateRecipes(o: RecipeOptions, say: (text: string) => void): Promise<RecipeReport> {
  const mutants = new Map<string, readonly Mutant[]>();
  for (const { name } of await familyNames()) mutants.set(name, mutantsOf(await loadFamily(name)));
  const wanted = o.sample === null ? wantedOf(mutants, o.only) : sampled(mutants, o.sample, o.seed);
  const known = await explanations();
  const used = new Set<Explanation>();
  const survivors: (Place & { readonly reason: string | null })[] = [];
  let refused = 0;
  let killed = 0;
  await judgeAll(wanted, (answered) => {
    refused += answered.loader;
    killed += answered.loader + answered.tests;
    say(`${answered.family}: ${answered.loader} refused, ${answered.tests} noticed, ${answered.survivors.length} survived`);
    for (const at of answered.survivors) {
      const mutant = mutants.get(answered.family)?.[at];
      if (!mutant) continue;
      const { family, op, path, mutation } = mutant;
      const why = known.find((one) => explains(one, mutant));
      if (why) used.add(why);
      survivors.push({ family, op, path, mutation, reason: why?.reason ?? null });
    }
  });
  const isWhole = o.only === null && o.sample === null;
  return {
    altered: wanted.reduce((sum, { which }) => sum + which.length, 0),
    killed,
    refused,
    survivors,
    idle: isWhole ? known.filter((one) => !used.has(one)).map(({ of, path }) => `${of} ${path}`) : [],
  };
}

/** The faults of the outcome, one line each. */
export function flawsOf({ altered, killed, survivors, idle }: RecipeReport, isWhole: boolean): readonly string[] {
  const unexplained = survivors.filter(({ reason }) => reason === null);
  return [
    ...unexplained.map(({ family, op, path, mutation }) => `SURVIVED  ${op === null ? family : `${family}.${op}`} ${path}: ${mutation}`),
    ...idle.map((one) => `explained and noticed: ${one}`),
    ...(isWhole && killed < altered * leastKilled ? [`only ${killed} of ${altered} are noticed`] : []),
  ];
}

function wantedOf(mutants: ReadonlyMap<string, readonly Mutant[]>, only: string | null): readonly Asked[] {
  const asked = [...mutants].flatMap(([family, all]): Asked[] => {
    const which = [...all.keys()].filter((at) => only === null || only === family || only === `${family}.${all[at]?.op}`);
    return which.length === 0 ? [] : [{ family, which }];
  });
  if (asked.length === 0) throw new Error(`There is no recipe or family ${only}.`);
  return asked;
}
