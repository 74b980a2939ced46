import {
  mkdir as mkdirThen,
  readdir as readdirThen,
  readFile as readFileThen,
  rename as renameThen,
  rm as rmThen,
  stat as statThen,
  unlink as unlinkThen,
} from 'node:fs';
import { promisify } from 'node:util';

/**
 * What a run needs of `node:fs/promises`. That module itself brings along those that watch folders, read lines of a terminal and keep their
 * history: eleven, a fiftieth of a plan of some lines.
 */
export const mkdir: typeof mkdirThen.__promisify__ = promisify(mkdirThen);
export const readdir: typeof readdirThen.__promisify__ = promisify(readdirThen);
export const readFile: typeof readFileThen.__promisify__ = promisify(readFileThen);
export const rename: typeof renameThen.__promisify__ = promisify(renameThen);
export const rm: typeof rmThen.__promisify__ = promisify(rmThen);
export const stat: typeof statThen.__promisify__ = promisify(statThen);
export const unlink: typeof unlinkThen.__promisify__ = promisify(unlinkThen);
