import { chmod, copyFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type OutputChunk, rolldown } from 'rolldown';
import { optionsOf } from '../options.ts';
import { root } from '../tasks.ts';
import { minified, transformWith } from './bundler.ts';
import { licenseNotices } from './licenses.ts';
import { writeSandboxPage } from './page.ts';

const folder = join(root, 'sandbox');
const dist = join(folder, 'dist');

/** Builds the package of the simulated providers: one program, which needs Node and nothing else. */
export async function buildSandbox(): Promise<void> {
  await rm(dist, { recursive: true, force: true });
  const chunk = await writeProgram();
  await Promise.all([
    chmod(join(dist, chunk.fileName), 0o755),
    writeSandboxPage(join(dist, 'page-parts')),
    copyFile(join(root, 'LICENSE'), join(dist, 'LICENSE')),
    licenseNotices(chunk.moduleIds, root).then((notices) => writeFile(join(dist, 'THIRD-PARTY-NOTICES.txt'), notices)),
  ]);
}

async function writeProgram(): Promise<OutputChunk> {
  const bundled = await rolldown({
    input: { 'pilotfish-sandbox': join(folder, 'program.ts') },
    platform: 'node',
    resolve: { mainFields: ['module', 'main'] },
    transform: transformWith(),
    // The kit can also mount simulations in a process, with undici. The program serves them on a port.
    treeshake: { moduleSideEffects: [{ test: /[\\/]undici[\\/]/, sideEffects: false }] },
    onLog: (level, log, handle) => {
      if (level === 'warn') throw new Error(`the bundle has a warning: ${log.message}`);
      handle(level, log);
    },
  });
  try {
    const { output } = await bundled.write({ dir: dist, format: 'esm', entryFileNames: '[name].js', ...minified });
    const [program, ...rest] = output.filter((file) => file.type === 'chunk');
    if (program === undefined || rest.length > 0) throw new Error('the program of the sandbox is one file');
    return program;
  } finally {
    await bundled.close();
  }
}

if (import.meta.main) {
  optionsOf('npm run build:sandbox', {});
  await buildSandbox();
}
