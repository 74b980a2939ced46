import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { root, run } from '../tasks.ts';

/** Mutates the given files, or those of the configuration, in the copy. Keeps the report as coverage/mutation.json. */
export async function mutate(folder: string, files: string | null): Promise<boolean> {
  const chosen = files === null ? [] : ['--mutate', files];
  const { code } = await run('stryker', ['run', 'scripts/mutate/stryker.config.json', ...chosen], { cwd: folder, isShown: true });
  await mkdir(join(root, 'coverage'), { recursive: true });
  await copyFile(join(folder, 'reports/mutation/mutation.json'), join(root, 'coverage/mutation.json')).catch(() => undefined);
  return code === 0;
}
