import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { checkoutTop, isBelow } from './checkout-top.ts';

/**
 * What this person's machine may keep between runs and lose at any time: `PILOTFISH_CACHE_DIR`, `XDG_CACHE_HOME/pilotfish` or
 * `~/.cache/pilotfish`. `null` where the way to it goes through the checkout of `cwd`: what lies there is run and believed, and whoever
 * commits to the checkout could have filled the folder, or made a link of it.
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

/** Without links, as far as it is there. */
function truly(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path === dirname(path) ? path : join(truly(dirname(path)), basename(path));
  }
}
