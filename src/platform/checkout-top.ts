import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';

/**
 * The nearest folder from `cwd` up that holds `.git`, where git would find a repository; `null` where none does. Links are followed,
 * as git follows them. Throws the error of the system where `cwd` cannot be read.
 */
export function checkoutTop(cwd: string): string | null {
  for (let folder = realpathSync(cwd); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return null;
  }
}

/** Whether a path is a folder or lies below it. Both are without links. */
export function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
