import type { Manifest } from './facts.ts';

/** The folder of a file; `''` is the root. */
export const folderOf = (file: string): string => file.slice(0, Math.max(file.lastIndexOf('/'), 0));
/** The folder that a manifest describes. */
export const folderOfManifest = ({ file, folder }: Pick<Manifest, 'file' | 'folder'>): string => folder ?? folderOf(file);
export const baseOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1);
export const inFolder = (folder: string, file: string): string => (folder === '' ? file : `${folder}/${file}`);

/** Tells whether a path is the folder itself or lies in it. */
export const isIn = (path: string, folder: string): boolean => folder === '' || path === folder || path.startsWith(`${folder}/`);

/** The path from a folder that holds it. */
export const pathFrom = (folder: string, path: string): string => (folder === '' ? path : path.slice(folder.length + 1));

/** The folder itself and those above it, the nearest first. The root is last. */
export function* foldersAbove(folder: string): Generator<string> {
  for (let at = folder; at !== ''; at = folderOf(at)) yield at;
  yield '';
}

export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const routed =
  /^(?<before>(?:.*?\/)?(?:app|routes)\/)(?:.*\/)?(?<file>(?:\+(?:page|layout|server)|route|page|layout)\b[^/]*)$|^(?<base>(?:.*?\/)?(?:pages|server)\/(?:api|routes)\/)(?:(?!.*__tests__).*\/)?(?<api>[^/]+\.[cm]?[jt]s)$/;

/**
 * The path without the folders that a framework makes a part of an address: `api/test/route.ts` below `app` is no test. Other paths stay as
 * they are.
 */
export function withoutAddress(file: string): string {
  const { before, file: own, base, api } = routed.exec(file)?.groups ?? {};
  if (before !== undefined && own !== undefined) return before + own;
  return base !== undefined && api !== undefined ? base + api : file;
}
