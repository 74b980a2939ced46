import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { familiesFolder, familyIndexName } from './family-files.ts';
import type { FamilyName } from './load.ts';
import { parseFamily } from './parse-family.ts';

/** The index of all family files, as `families/index.json` must hold it. Run this module to write it. */
export async function familyIndex(): Promise<readonly FamilyName[]> {
  const files = (await readdir(familiesFolder)).filter((file) => file.endsWith('.yaml')).sort();
  return await Promise.all(
    files.map(async (file): Promise<FamilyName> => {
      const family = parseFamily(await readFile(new URL(file, familiesFolder), 'utf8'), file.slice(0, -'.yaml'.length));
      const aliases = Object.entries(family.ops).flatMap(([op, { alias }]) => (alias === undefined ? [] : [[alias, op]]));
      return {
        name: family.name,
        ...(family.alias !== undefined && { alias: family.alias }),
        ...(aliases.length > 0 && { opAliases: Object.fromEntries(aliases) }),
      };
    }),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(new URL(familyIndexName, familiesFolder), `${JSON.stringify(await familyIndex(), null, 2)}\n`);
}
