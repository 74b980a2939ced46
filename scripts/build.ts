import { chmod, glob, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutputChunk } from 'rolldown';
import { compileFamilies } from './build/families.ts';
import { licenseNotices } from './build/licenses.ts';
import { setup as writeOwnPageFiles, writePageFiles } from './build/page.ts';
import { writePrograms } from './build/programs.ts';
import { releaseOf } from './build/release.ts';
import { optionsOf } from './options.ts';
import { root, run } from './tasks.ts';

const dist = join(root, 'dist');

/** Builds the package: the programs and the library, the recipe families, the parts of `trace.html`, licences and types. */
export async function build(): Promise<void> {
  await rm(dist, { recursive: true, force: true });
  const release = await releaseOf(process.env, root);
  // Left as it is in a development build, where the program finds nothing of that name.
  const chunks = await writePrograms(dist, release ? { PILOTFISH_RELEASE: JSON.stringify(release) } : {});
  await Promise.all([
    ...['pilotfish.js', 'pilotfish-mcp.js'].map((name) => chmod(join(dist, name), 0o755)),
    compileFamilies(join(root, 'src/recipes/families'), join(dist, 'families')),
    writePageFiles(join(dist, 'trace-page')),
    writeOwnPageFiles(),
    writeNotices(chunks),
    types(),
  ]);
}

async function writeNotices(chunks: readonly OutputChunk[]): Promise<void> {
  const modules = chunks.flatMap((chunk) => chunk.moduleIds);
  await writeFile(join(dist, 'THIRD-PARTY-NOTICES.txt'), await licenseNotices(modules, root));
}

async function types(): Promise<void> {
  const tsc = await run('tsc', ['-p', 'tsconfig.types.json']);
  if (tsc.code !== 0) throw new Error(`the type declarations could not be made:\n${tsc.output}`);
  // tsc rewrites `./x.ts` in code and leaves it in declarations (7.0.2), where not every resolver takes it.
  for await (const file of glob('**/*.d.ts', { cwd: join(dist, 'types') })) {
    const path = join(dist, 'types', file);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace(/((?:from|import\()\s*'\.[^']*)\.ts'/g, "$1.js'"));
  }
}

if (import.meta.main) {
  optionsOf('npm run build', {});
  await build();
}
