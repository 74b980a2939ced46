import { homedir } from 'node:os';
import { join } from 'node:path';

/** What this person's machine may keep between runs and lose at any time: `PILOTFISH_CACHE_DIR`, `XDG_CACHE_HOME/pilotfish` or `~/.cache/pilotfish`. */
export const cacheFolder = (env: NodeJS.ProcessEnv): string =>
  env.PILOTFISH_CACHE_DIR || join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'pilotfish');
