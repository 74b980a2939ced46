import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutputChunk } from 'rolldown';
import { compileCatalogue } from './build/catalogue.ts';
import { compileFamilies } from './build/families.ts';
import { licenseNotices } from './build/licenses.ts';
import { setup as writeOwnPageFiles, writePageFiles } from './build/page.ts';
import { type ProgramOptions, writePrograms } from './build/programs.ts';
import { releaseOf } from './build/release.ts';
import { writeTypes } from './build/types.ts';
import { optionsOf } from './options.ts';
import { root } from './tasks.ts';

const dist = join(root, 'dist');

/** Builds the package: the programs and the library, the recipe families, the catalogue of services, the parts of `trace.html`, licences and types. */
export async function build(): Promise<void> {
  await rm(dist, { recursive: true, force: true });
  await Promise.all([
    writeProduct(dist).then(() => Promise.all(['pilotfish.js', 'pilotfish-mcp.js'].map((name) => chmod(join(dist, name), 0o755)))),
    writeOwnPageFiles(),
    writeTypes(join(dist, 'types')),
  ]);
}

/** Writes everything that the program needs to run, except for Node, into a folder. */
export async function writeProduct(to: string, options: ProgramOptions = {}): Promise<void> {
  const release = await releaseOf(process.env, root);
  // A development build defines nothing, so the program finds no value of that name.
  const chunks = await writePrograms(to, release ? { PILOTFISH_RELEASE: JSON.stringify(release) } : {}, options);
  await Promise.all([
    compileFamilies(join(root, 'src/recipes/families'), join(to, 'families')),
    compileCatalogue(join(root, 'src/onboard/catalogue'), join(to, 'catalogue')),
    writePageFiles(join(to, 'trace-page')),
    writeNotices(to, chunks),
  ]);
}

async function writeNotices(to: string, chunks: readonly OutputChunk[]): Promise<void> {
  const modules = chunks.flatMap((chunk) => chunk.moduleIds);
  await writeFile(join(to, 'THIRD-PARTY-NOTICES.txt'), await licenseNotices(modules, root));
}

if (import.meta.main) {
  optionsOf('npm run build', {});
  await build();
}
