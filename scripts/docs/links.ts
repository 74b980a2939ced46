import { posix } from 'node:path';

export type Link =
  /** A file or folder of the repository; `path` is empty at its root. */
  { readonly kind: 'internal'; readonly path: string; readonly anchor: string } | { readonly kind: 'external'; readonly address: string };

/** Finds the target of a link on the page at this path. */
export function readLink(href: string, from: string): Link {
  if (/^[a-z][a-z0-9+.-]*:/i.test(href)) return { kind: 'external', address: href };
  const [path = '', anchor = ''] = href.split('#');
  const target = path === '' ? from : posix.join(posix.dirname(from), decodeURI(path));
  return { kind: 'internal', path: target.replace(/\/$/, ''), anchor };
}
