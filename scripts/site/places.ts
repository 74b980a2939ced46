import { posix } from 'node:path';

/** Pages at the root of the repository that belong on the site. The README is its first page. */
const atRoot: Readonly<Record<string, string>> = {
  'README.md': 'index.md',
  'ARCHITECTURE.md': 'architecture.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'reporting.md',
  'docs/README.md': 'documentation.md',
};

/** The page's place on the site; `null` for a page outside the site. The README of a folder is that folder's page. */
export function placeOf(path: string): string | null {
  const [top = '', ...rest] = path.split('/');
  const given = atRoot[path];
  if (given !== undefined) return given;
  if (top === 'docs') return posix.join(...rest).replace(/(^|\/)README\.md$/, '$1index.md');
  if (top === 'examples') return path.replace(/\/README\.md$/, '.md');
  return null;
}

/** The address of a page in links: `/guide/quick-start`. */
export const addressOf = (place: string): string => `/${place.replace(/\.md$/, '').replace(/(^|\/)index$/, '$1')}`;

/**
 * The path of the site on its host, with slashes at both ends: `/`, or the value of `PILOTFISH_SITE_BASE`. VitePress puts it before the
 * addresses of pages.
 */
export const base: string = process.env.PILOTFISH_SITE_BASE ?? '/';

/** The place of a repository's file on the site. Every server and browser shows a file that ends with `.txt`, and pictures as they are. */
export const filePlace = (path: string): string => (/\.(?:svg|png)$/.test(path) ? `source/${path}` : `source/${path}.txt`);
