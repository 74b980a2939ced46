import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { indexOf } from '../../src/onboard/catalogue/load.ts';
import { readServiceFiles } from '../../src/onboard/catalogue-files.ts';

/** The catalogue of services as one text: each file checked, without spaces. */
export async function builtCatalogue(folder: string): Promise<string> {
  return JSON.stringify(await indexOf(await readServiceFiles(pathToFileURL(`${folder}/`))));
}

/** Writes the index of the catalogue into the package. */
export async function compileCatalogue(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await writeFile(join(to, 'index.json'), await builtCatalogue(from));
}
