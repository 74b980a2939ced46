import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseFamily } from '../../src/recipes/parse-family.ts';

/** The recipe families for the built program, by the name of their file: each checked, and as JSON. */
export async function builtFamilies(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.yaml')).sort();
  const families = files.map(async (file): Promise<[string, string]> => {
    const name = file.slice(0, -'.yaml'.length);
    return [`${name}.json`, JSON.stringify(parseFamily(await readFile(join(folder, file), 'utf8'), name))];
  });
  return new Map([['index.json', await readFile(join(folder, 'index.json'), 'utf8')], ...(await Promise.all(families))]);
}

/** Writes the recipe families into the package. */
export async function compileFamilies(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const files = await builtFamilies(from);
  await Promise.all([...files].map(([name, text]) => writeFile(join(to, name), text)));
}
