import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { cacheFolder } from '../platform/cache-folder.ts';

/**
 * Lets Node keep the compiled program for the next start. Node runs the files in this folder, so the folder belongs to this user alone;
 * Node's default folder is shared by all users. `NODE_COMPILE_CACHE` names another folder, and `NODE_DISABLE_COMPILE_CACHE` turns the cache
 * off.
 *
 * A throw-away machine of CI has no next start, and writing the files costs a tenth of a plan of 20 lines (0.38 instead of 0.34 s of CPU).
 * A job that restores a folder names it in `NODE_COMPILE_CACHE`, and Node then uses it by itself.
 */
export function keepCompiled(env: NodeJS.ProcessEnv): void {
  const folder = env.CI ? null : ownFolder(env);
  if (folder !== null) enableCompileCache(join(folder, 'compiled'));
}

/** Returns `null` also if the working folder was deleted. The program itself reports that. */
function ownFolder(env: NodeJS.ProcessEnv): string | null {
  try {
    return cacheFolder(env, process.cwd());
  } catch {
    return null;
  }
}
