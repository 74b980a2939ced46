import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutputChunk } from 'rolldown';
import { compileCatalogue } from './build/catalogue.ts';
import { compileFamilies } from './build/families.ts';
import { licenseNotices } from './build/licenses.ts';
import { setup as writeOwnPageFiles, writePageFiles } from './build/page.ts';
import { writePrograms } from './build/programs.ts';
import { releaseOf } from './build/release.ts';
import { writeTypes } from './build/types.ts';
import { optionsOf } from './options.ts';
import { root } from './tasks.ts';

const dist = join(root, 'dist');

/** Builds the package: the programs and the library, the recipe families, the catalogue of services, the parts of `trace.html`, licences and types. */
export async function build(): Promise<void> {
  await rm(dist, { recursive: true, force: true });
  const release = await releaseOf(process.env, root);
  // A development build defines nothing, so the program finds no value of that name.
  const chunks = await writePrograms(dist, release ? { PILOTFISH_RELEASE: JSON.stringify(release) } : {});
  await Promise.all([
    ...['pilotfish.js', 'pilotfish-mcp.js'].map((name) => chmod(join(dist, name), 0o755)),
    compileFamilies(join(root, 'src/recipes/families'), join(dist, 'families')),
    compileCatalogue(join(root, 'src/onboard/catalogue'), join(dist, 'catalogue')),
    writePageFiles(join(dist, 'trace-page')),
    writeOwnPageFiles(),
    writeNotices(chunks),
    writeTypes(join(dist, 'types')),
  ]);
}

async function writeNotices(chunks: readonly OutputChunk[]): Promise<void> {
  const modules = chunks.flatMap((chunk) => chunk.moduleIds);
  await writeFile(join(dist, 'THIRD-PARTY-NOTICES.txt'), await licenseNotices(modules, root));
}

if (import.meta.main) {
  optionsOf('npm run build', {});
  await build();
}
