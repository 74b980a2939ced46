import { chmod, glob, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
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
  const folder = join(dist, 'types');
  const tsc = await run('tsc', ['-p', 'tsconfig.types.json']);
  if (tsc.code !== 0) throw new Error(`the type declarations could not be made:\n${tsc.output}`);
  const reached = await declarations(join(folder, 'index.d.ts'));
  for await (const file of glob('**/*.d.ts', { cwd: folder })) {
    const path = join(folder, file);
    const text = reached.get(path);
    // Code that only our own functions use is declared, too.
    if (text === undefined) await rm(path);
    // tsc rewrites `./x.ts` in code and leaves it in declarations (7.0.2), where not every resolver takes it.
    else await writeFile(path, text.replace(importOfOurs, "$1$2.js'"));
  }
}

const importOfOurs = /((?:from|import\()\s*')(\.[^']*)\.ts'/g;

/** The declarations that lead on from one, with their texts. */
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
