import { brotliDecompressSync } from 'node:zlib';
import { readOwnFile } from '../../../platform/own-files.ts';

/** The built files of the page: everything except its data. */
export interface PageFiles {
  readonly script: string;
  readonly style: string;
}

/** The folder beside this module. The build of the package writes it beside the bundle. */
export const pageFolder = new URL('./trace-page/', import.meta.url);

/** The name of the file there: the page's files as JSON, compressed. */
export const pageName = 'page.json.br';

/** Reads the files of this version. A bundle of one file replaces this module by one that holds the files. */
export function readPageFiles(): PageFiles {
  const packed = readOwnFile(new URL(pageName, pageFolder));
  if (packed === null) throw new Error(`the program lacks its file ${pageName}`);
  return JSON.parse(brotliDecompressSync(packed).toString('utf8')) as PageFiles;
}
