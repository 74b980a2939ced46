import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { breakRules, copyTree } from './mutate/breaches.ts';
import { mutate } from './mutate/stryker.ts';

/**
 * Proves that the tests can fail. First each rule of the protocol is broken on purpose and its tests must notice; then Stryker
 * mutates the lifecycle table and the ledger, and what survives is printed (docs/mutation.md says why each may). All of it
 * happens in a copy, so that the working tree stays as it is. `--rules [text]` or `--mutants [files]` does only one part.
 */
async function main(args: readonly string[]): Promise<number> {
  const [part, only] = args;
  const folder = await mkdtemp(join(tmpdir(), 'pilotfish-mutate-'));
  try {
    await copyTree(folder);
    const say = (text: string): void => console.log(text);
    const unnoticed = part === '--mutants' ? [] : await breakRules(folder, say, part === '--rules' ? (only ?? null) : null);
    const isStrong = part === '--rules' || (await mutate(folder, only ?? null));
    return unnoticed.length === 0 && isStrong ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main(process.argv.slice(2));
