import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { checkoutTop, isBelow } from './checkout-top.ts';

/**
 * The folder for files that this machine may keep between runs and lose at any time: `PILOTFISH_CACHE_DIR`, `XDG_CACHE_HOME/pilotfish` or
 * `~/.cache/pilotfish`. `null` where its path goes through the checkout of `cwd`: pilotfish runs and believes the files of the folder, and
 * anybody who commits to the checkout could have filled the folder, or made a link of it.
 */
export function cacheFolder(env: NodeJS.ProcessEnv, cwd: string): string | null {
  const folder = resolve(cwd, env.PILOTFISH_CACHE_DIR || join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'pilotfish'));
  const top = checkoutTop(cwd);
  for (let at = folder; top !== null; at = dirname(at)) {
    if (isBelow(truly(at), top)) return null;
    if (at === dirname(at)) break;
  }
  return folder;
}

/** The path without links, as far as it exists. */
function truly(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path === dirname(path) ? path : join(truly(dirname(path)), basename(path));
  }
}
