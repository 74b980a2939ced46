import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { indexOf } from '../../src/onboard/catalogue/load.ts';
import { indexName, readServiceFiles } from '../../src/onboard/catalogue-files.ts';

/** Writes the index of the catalogue into the package: each file checked. */
export async function compileCatalogue(from: string, to: string): Promise<void> {
  const index = await indexOf(await readServiceFiles(pathToFileURL(`${from}/`)));
  await mkdir(to, { recursive: true });
  await writeFile(join(to, indexName), brotliCompressSync(JSON.stringify(index)));
}
