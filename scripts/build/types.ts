import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { run } from '../tasks.ts';

/** Writes the declarations of the library as one file. It holds what an export reaches, and nothing that only our own code uses. */
export async function writeTypes(to: string): Promise<void> {
  const parts = `${to}-parts`;
  try {
    const tsc = await run('tsc', ['-p', 'tsconfig.types.json', '--outDir', parts]);
    if (tsc.code !== 0) throw new Error(`tsc could not make the type declarations:\n${tsc.output}`);
    const joined = await rolldown({
      input: { index: join(parts, 'index.d.ts') },
      external: ['zod'],
      // A busy machine is no reason for a word in the build's output.
      checks: { pluginTimings: false },
      plugins: [declarationsOfOurs, ...dts({ dtsOnly: true, tsconfig: false, generator: 'oxc' })],
    });
    await joined.write({ dir: to, format: 'esm' });
    await joined.close();
  } finally {
    await rm(parts, { recursive: true, force: true });
  }
}

/** tsc rewrites `./x.ts` in code but not in declarations (7.0.2). */
const declarationsOfOurs: Plugin = {
  name: 'declarations-of-ours',
  resolveId: (id, importer) => (importer && /^\..*\.ts$/.test(id) ? join(dirname(importer), id.replace(/\.ts$/, '.d.ts')) : null),
};
