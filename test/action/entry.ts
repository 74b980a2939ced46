import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll } from 'vitest';
import { actionFiles } from '../../scripts/build/action.ts';
import { root } from '../cli/program.ts';

let folder = '';

/** What a runner starts: the action's one file, built of these sources and alone in a folder. */
export const entry = (): string => join(folder, 'index.js');

const cache = join(root, 'node_modules/.cache/pilotfish-action');
const dayMs = 86_400_000;

// A build takes over a second, and several files of tests want the same one.
beforeAll(async () => {
  folder = join(cache, await keyOfSources());
  if (existsSync(folder)) return;
  const text = (await actionFiles()).get('index.js');
  if (text === undefined) throw new Error('the bundle has no index.js');
  const made = join(cache, randomUUID());
  await mkdir(made, { recursive: true });
  await writeFile(join(made, 'index.js'), text);
  // Without it Node would have to guess what the file is.
  await writeFile(join(made, 'package.json'), '{ "type": "module" }\n');
  await rename(made, folder).catch(async (thrown: unknown) => {
    await rm(made, { recursive: true, force: true });
    // Another file of tests was faster.
    if (!existsSync(folder)) throw thrown;
  });
  await forgetOld();
});

/** Changes with every file that the build may read. */
async function keyOfSources(): Promise<string> {
  const files: string[] = [];
  for await (const file of glob(['src/**/*.{ts,yaml}', 'scripts/build/*.ts', 'package-lock.json'], { cwd: root })) files.push(file);
  const hash = createHash('sha256');
  for (const file of files.toSorted()) {
    const { mtimeMs, size } = await stat(join(root, file));
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

async function forgetOld(): Promise<void> {
  for (const name of await readdir(cache)) {
    const place = join(cache, name);
    const { mtimeMs } = await stat(place);
    if (Date.now() - mtimeMs > dayMs) await rm(place, { recursive: true, force: true });
  }
}
