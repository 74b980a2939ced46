import { posix } from 'node:path';

/** Pages at the root of the repository that belong on the site. The README is its first page. */
const atRoot: Readonly<Record<string, string>> = {
  'README.md': 'index.md',
  'ARCHITECTURE.md': 'architecture.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'reporting.md',
  'docs/README.md': 'documentation.md',
};

/** The page's place on the site; `null` for one that is not part of it. The README of a folder is that folder's page. */
export function placeOf(path: string): string | null {
  const [top = '', ...rest] = path.split('/');
  const given = atRoot[path];
  if (given !== undefined) return given;
  if (top === 'docs') return posix.join(...rest).replace(/(^|\/)README\.md$/, '$1index.md');
  if (top === 'examples') return path.replace(/\/README\.md$/, '.md');
  return null;
}

/** The address of a page, as a link says it: `/guide/quick-start`. */
export const addressOf = (place: string): string => `/${place.replace(/\.md$/, '').replace(/(^|\/)index$/, '$1')}`;

/** Where the site stands on its host, with slashes around: `/` unless `PILOTFISH_SITE_BASE` says otherwise. VitePress puts it before pages. */
export const base: string = process.env.PILOTFISH_SITE_BASE ?? '/';

/** Where a file of the repository stands on the site. Ending in `.txt`, it is shown by every server and browser. */
export const filePlace = (path: string): string => `source/${path}.txt`;
