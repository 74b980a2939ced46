import { basename } from 'node:path';
import { getAsset, getAssetKeys } from 'node:sea';
import { pathToFileURL } from 'node:url';
import type { OwnCommand } from './own-files.ts';

/**
 * The files in the single executable have addresses below the executable, as if it were a folder. No other file can have such an address.
 * So a module's `import.meta.url` leads to the files beside it, and no plugin beside the executable is taken for our own code.
 */
export const ownFolder: string = `${pathToFileURL(process.execPath).href}/`;

const keys = new Set(getAssetKeys());

/** The text or the bytes of a file in the executable; `null` where there is no such file. */
export function readOwnFile(file: URL): Buffer | null {
  const key = keyOf(file.href);
  return key === null ? null : Buffer.from(getAsset(key));
}

/** The text of one of our modules in the executable; `null` for every other address. */
export function ownModule(url: string): string | null {
  const key = keyOf(url);
  return key === null ? null : getAsset(key, 'utf8');
}

/** The executable starts the entry that its name says. */
export const ownCommand = (entry: string): OwnCommand => ({
  file: process.execPath,
  args: [],
  argv0: basename(new URL(entry).pathname, '.js'),
});

function keyOf(url: string): string | null {
  if (!url.startsWith(ownFolder)) return null;
  const key = url.slice(ownFolder.length);
  return keys.has(key) ? key : null;
}
