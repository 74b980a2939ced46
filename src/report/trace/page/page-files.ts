import { readFileSync } from 'node:fs';

/** What the page is made of beside its data, as the build made it. */
export interface PageFiles {
  readonly script: string;
  readonly style: string;
}

/** Beside this module; the build of the package writes the folder beside its bundle. */
export const pageFolder = new URL('./trace-page/', import.meta.url);

/** The files of this version. A bundle that is one file has another module in place of this one: it holds them. */
export const readPageFiles = (): PageFiles => ({
  script: readFileSync(new URL('page.js', pageFolder), 'utf8'),
  style: readFileSync(new URL('page.css', pageFolder), 'utf8'),
});
