import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseFamily } from '../../src/recipes/load.ts';

/** Writes the recipe families as the package reads them: each checked, and as JSON. */
export async function compileFamilies(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const files = (await readdir(from)).filter((file) => file.endsWith('.yaml'));
  await Promise.all([
    copyFile(join(from, 'index.json'), join(to, 'index.json')),
    ...files.map(async (file) => {
      const name = file.slice(0, -'.yaml'.length);
      const family = parseFamily(await readFile(join(from, file), 'utf8'), name);
      await writeFile(join(to, `${name}.json`), JSON.stringify(family));
    }),
  ]);
}
