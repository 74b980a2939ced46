import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { root, run } from '../tasks.ts';

/** Mutates the files of the configuration (or those given) in the copy. The report is kept as coverage/mutation.json. */
export async function mutate(folder: string, files: string | null): Promise<boolean> {
  const chosen = files === null ? [] : ['--mutate', files];
  const { code } = await run('stryker', ['run', 'scripts/mutate/stryker.config.json', ...chosen], { cwd: folder, isShown: true });
  await mkdir(join(root, 'coverage'), { recursive: true });
  await copyFile(join(folder, 'reports/mutation/mutation.json'), join(root, 'coverage/mutation.json')).catch(() => undefined);
  return code === 0;
}
