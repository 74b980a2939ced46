import { chmod, glob, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type OutputChunk, rolldown } from 'rolldown';
import type { Release } from '../src/onboard/setup/release.ts';
import { bundlerOptions, target } from './build/bundler.ts';
import { startChunks } from './build/chunks.ts';
import { compileFamilies } from './build/families.ts';
import { licenseNotices } from './build/licenses.ts';
import { setup as writeOwnPageFiles, writePageFiles } from './build/page.ts';
import { releaseOf } from './build/release.ts';
import { root, run } from './tasks.ts';

const dist = join(root, 'dist');

/**
 * Builds the package: the programs and the library as one split bundle, so that `--version` loads a few kilobytes and a plugin
 * that imports `pilotfish` shares the classes of the program. Chunks lie flat in dist/, because recipes are read from
 * `./families/` beside the chunk that asks for them, and the parts of `trace.html` from `./trace-page/`.
 */
export async function build(): Promise<void> {
  await rm(dist, { recursive: true, force: true });
  const chunks = await bundle(await releaseOf(process.env, root));
  await Promise.all([
    ...['pilotfish.js', 'pilotfish-mcp.js'].map((name) => chmod(join(dist, name), 0o755)),
    compileFamilies(join(root, 'src/recipes/families'), join(dist, 'families')),
    writePageFiles(join(dist, 'trace-page')),
    writeOwnPageFiles(),
    writeNotices(chunks),
    types(),
  ]);
}

async function bundle(release: Release | null): Promise<readonly OutputChunk[]> {
  const { plugin, codeSplitting } = startChunks();
  const bundled = await rolldown({
    input: {
      pilotfish: join(root, 'src/cli/pilotfish.ts'),
      'pilotfish-mcp': join(root, 'src/mcp/pilotfish-mcp.ts'),
      index: join(root, 'src/index.ts'),
    },
    ...bundlerOptions,
    plugins: [...bundlerOptions.plugins, plugin],
    // Left as it is in a development build, where the program finds nothing of that name.
    transform: { target, ...(release && { define: { PILOTFISH_RELEASE: JSON.stringify(release) } }) },
  });
  const { output } = await bundled.write({
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    minify: 'dce-only',
    codeSplitting,
  });
  await bundled.close();
  return output.filter((file) => file.type === 'chunk');
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

if (import.meta.main) await build();
