import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import { indexOf } from '../../src/onboard/catalogue/load.ts';
import { indexName, readServiceFiles } from '../../src/onboard/catalogue-files.ts';
import { entriesOf } from '../../src/onboard/providers.ts';

/** Writes the index of the catalogue into the package, each file checked, and what a survey needs of each provider. */
export async function compileCatalogue(from: string, to: string): Promise<void> {
  const services = await indexOf(await readServiceFiles(pathToFileURL(`${from}/`)));
  const providers = await entriesOf(await openRegistry({ env: {}, cwd: from }));
  await mkdir(to, { recursive: true });
  await writeFile(join(to, indexName), brotliCompressSync(JSON.stringify({ services, providers })));
}
