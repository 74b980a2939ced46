import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { breakRules, copyTree } from './mutate/breaches.ts';
import { mutate } from './mutate/stryker.ts';
import { optionsOf } from './options.ts';

const usage = `npm run mutate -- [--rules [text]] [--mutants [files]]
  --rules    only the rules of the protocol, or those that hold a text
  --mutants  only Stryker's mutants, or those of some files`;

/**
 * Proves that the tests can fail. First each rule of the protocol is broken on purpose and its tests must notice; then Stryker
 * mutates the lifecycle table and the ledger, and what survives is printed (docs/mutation.md says why each may). All of it
 * happens in a copy, so that the working tree stays as it is.
 */
async function main(): Promise<number> {
  const { values, positionals } = optionsOf(usage, {
    allowPositionals: true,
    options: { rules: { type: 'boolean' }, mutants: { type: 'boolean' } },
  });
  const only = positionals[0] ?? null;
  const folder = await mkdtemp(join(tmpdir(), 'pilotfish-mutate-'));
  try {
    await copyTree(folder);
    const say = (text: string): void => console.log(text);
    const isBoth = values.rules === values.mutants;
    const unnoticed = values.rules || isBoth ? await breakRules(folder, say, values.rules ? only : null) : [];
    const isStrong = values.mutants || isBoth ? await mutate(folder, only) : true;
    return unnoticed.length === 0 && isStrong ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
