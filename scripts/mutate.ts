import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { breakRules, copyTree } from './mutate/breaches.ts';
import { flawsOf, mutateRecipes } from './mutate/recipes/main.ts';
import { mutate } from './mutate/stryker.ts';
import { optionsOf } from './options.ts';

const usage = `npm run mutate -- [--rules [text]] [--mutants [files]] [--recipes [family or recipe]]
  --rules    only the rules of the protocol, or the rules whose name holds a text
  --mutants  only Stryker's mutants, or the mutants of some files
  --recipes  only the recipes, or the recipes of one family, or one recipe
             --json       one JSON document: altered, killed, survivors
             --sample N   N of them, chosen by chance; --seed S (1) chooses others`;

/**
 * Proves that the tests can fail. First it breaks each rule of the protocol on purpose, and the tests of the rule must notice. Then Stryker
 * mutates the lifecycle table and the ledger, and the survivors are printed (docs/mutation.md says why each may live). Both happen in a
 * copy, so that the working tree stays as it is. Recipes are mutated in memory, and their own tests must notice.
 */
async function main(): Promise<number> {
  const { values, positionals } = optionsOf(usage, {
    allowPositionals: true,
    options: {
      rules: { type: 'boolean' },
      mutants: { type: 'boolean' },
      recipes: { type: 'boolean' },
      json: { type: 'boolean' },
      sample: { type: 'string' },
      seed: { type: 'string' },
    },
  });
  const only = positionals[0] ?? null;
  const isAll = !values.rules && !values.mutants && !values.recipes;
  const isSource = (values.rules || values.mutants || isAll) ?? false;
  const areRecipesRight = values.recipes || isAll ? await recipes(only, values) : true;
  const isSourceRight = isSource ? await source(only, values, isAll) : true;
  return areRecipesRight && isSourceRight ? 0 : 1;
}

async function source(
  only: string | null,
  values: { readonly rules?: boolean; readonly mutants?: boolean },
  isAll: boolean,
): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'pilotfish-mutate-'));
  try {
    await copyTree(folder);
    const say = (text: string): void => console.log(text);
    const unnoticed = values.rules || isAll ? await breakRules(folder, say, values.rules ? only : null) : [];
    const isStrong = values.mutants || isAll ? await mutate(folder, only) : true;
    return unnoticed.length === 0 && isStrong;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function recipes(
  only: string | null,
  { json, sample, seed }: { readonly json?: boolean; readonly sample?: string; readonly seed?: string },
): Promise<boolean> {
  const say = (text: string): void => (json ? undefined : console.log(text));
  const o = { only, sample: sample === undefined ? null : Number(sample), seed: Number(seed ?? 1) };
  const report = await mutateRecipes(o, say);
  const flaws = flawsOf(report, only === null && sample === undefined);
  for (const flaw of flaws) say(flaw);
  const { altered, killed, refused, survivors } = report;
  if (json) console.log(JSON.stringify(report, null, 2));
  else {
    const share = altered === 0 ? 0 : (100 * killed) / altered;
    console.log(
      `${altered} members altered, ${killed} noticed (${share.toFixed(1)} %), ${refused} of them by the loader, ${survivors.length} survived`,
    );
  }
  return flaws.length === 0;
}

process.exitCode = await main();
