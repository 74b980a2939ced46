import { readFileSync } from 'node:fs';

/** The built files of the page: everything except its data. */
export interface PageFiles {
  readonly script: string;
  readonly style: string;
}

/** The folder beside this module. The build of the package writes it beside the bundle. */
export const pageFolder = new URL('./trace-page/', import.meta.url);

/** Reads the files of this version. A bundle of one file replaces this module by one that holds the files. */
export const readPageFiles = (): PageFiles => ({
  script: readFileSync(new URL('page.js', pageFolder), 'utf8'),
  style: readFileSync(new URL('page.css', pageFolder), 'utf8'),
});
