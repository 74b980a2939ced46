import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { familyIndexName, familyPackName } from '../../src/recipes/family-files.ts';
import { parseFamily } from '../../src/recipes/parse-family.ts';
import type { Family } from '../../src/recipes/schema.ts';

/** The recipe families for the built program, by the name of their file: each checked, and as JSON. */
export async function builtFamilies(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.yaml')).sort();
  const families = files.map(async (file): Promise<[string, string]> => {
    const name = file.slice(0, -'.yaml'.length);
    return [`${name}.json`, JSON.stringify(withoutSignals(parseFamily(await readFile(join(folder, file), 'utf8'), name)))];
  });
  return new Map([[familyIndexName, await readFile(join(folder, familyIndexName), 'utf8')], ...(await Promise.all(families))]);
}

/** The index of providers has them, and nothing else reads them. */
export function withoutSignals(family: Family): Family {
  if (!family.detect) return family;
  const { uses, may, nothing, unless, ...detect } = family.detect;
  return { ...family, detect };
}

/** Writes the recipe families into the package: the index, and one file with all others. */
export async function compileFamilies(from: string, to: string): Promise<void> {
  const { [familyIndexName]: index = '', ...families } = Object.fromEntries(await builtFamilies(from));
  await mkdir(to, { recursive: true });
  await Promise.all([
    writeFile(join(to, familyIndexName), index),
    writeFile(join(to, familyPackName), brotliCompressSync(JSON.stringify(families))),
  ]);
}
