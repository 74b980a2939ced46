import { chmod, glob, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { OutputChunk } from 'rolldown';
import { compileCatalogue } from './build/catalogue.ts';
import { compileFamilies } from './build/families.ts';
import { licenseNotices } from './build/licenses.ts';
import { setup as writeOwnPageFiles, writePageFiles } from './build/page.ts';
import { writePrograms } from './build/programs.ts';
import { releaseOf } from './build/release.ts';
import { optionsOf } from './options.ts';
import { root, run } from './tasks.ts';

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
    types(),
  ]);
}

async function writeNotices(chunks: readonly OutputChunk[]): Promise<void> {
  const modules = chunks.flatMap((chunk) => chunk.moduleIds);
  await writeFile(join(dist, 'THIRD-PARTY-NOTICES.txt'), await licenseNotices(modules, root));
}

async function types(): Promise<void> {
  const folder = join(dist, 'types');
  const tsc = await run('tsc', ['-p', 'tsconfig.types.json']);
  if (tsc.code !== 0) throw new Error(`tsc could not make the type declarations:\n${tsc.output}`);
  const reached = await declarations(join(folder, 'index.d.ts'));
  for await (const file of glob('**/*.d.ts', { cwd: folder })) {
    const path = join(folder, file);
    const text = reached.get(path);
    // tsc also declares code that only our own functions use. The package leaves that out.
    if (text === undefined) await rm(path);
    // tsc rewrites `./x.ts` in code but not in declarations (7.0.2), and some resolvers do not accept it there.
    else await writeFile(path, text.replace(importOfOurs, "$1$2.js'"));
  }
}

const importOfOurs = /((?:from|import\()\s*')(\.[^']*)\.ts'/g;

/** The declarations that one declaration leads to, with their texts. */
async function declarations(entry: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const open = [entry];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (texts.has(path)) continue;
    const text = await readFile(path, 'utf8');
    texts.set(path, text);
    for (const [, , target] of text.matchAll(importOfOurs)) open.push(join(dirname(path), `${target}.d.ts`));
  }
  return texts;
}

if (import.meta.main) {
  optionsOf('npm run build', {});
  await build();
}
