import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { root } from '../scripts/tasks.ts';

/**
 * The bare scripts as plain JavaScript beside the packages, so that their start pays for nothing that a script in JavaScript would
 * not. Returns the file of each.
 */
export async function plainBareScripts(): Promise<{ readonly find: string; readonly least: string }> {
  const folder = join(root, 'node_modules/.cache/pilotfish-bench');
  await mkdir(folder, { recursive: true });
  for (const name of ['pool', 'find', 'least']) {
    const text = await readFile(join(import.meta.dirname, 'bare', `${name}.ts`), 'utf8');
    const { code } = await transform(text, { loader: 'ts', target: 'es2024' });
    await writeFile(join(folder, `${name}.mjs`), code.replaceAll('./pool.ts', './pool.mjs'));
  }
  return { find: join(folder, 'find.mjs'), least: join(folder, 'least.mjs') };
}
