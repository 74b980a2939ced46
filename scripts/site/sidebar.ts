import { addressOf, placeOf } from './places.ts';

export interface SidebarItem {
  readonly text: string;
  readonly link?: string;
  readonly items?: readonly SidebarItem[];
}

/** A sidebar for each part of the site, by the beginning of its addresses. */
export interface Sidebars {
  readonly [address: string]: readonly SidebarItem[];
}

/** The groups of the sidebar. A page is in the first group that takes it. */
const groups: readonly { readonly text: string; readonly takes: RegExp }[] = [
  { text: 'Guides', takes: /^docs\/(guide\/|setup|ci|agents)/ },
  { text: 'Examples', takes: /^examples\// },
  { text: 'State machines', takes: /^docs\/machines\// },
  { text: 'Providers', takes: /^docs\/recipes\// },
  { text: 'Working on it', takes: /^(ARCHITECTURE|CONTRIBUTING|SECURITY)\.md$|^docs\/(specification|mutation)\.md$/ },
  { text: 'Reference', takes: /^docs\// },
];

/** The guides in reading order. The other pages are sorted by their title. */
const first = [
  'quick-start',
  'how-it-works',
  'your-own-provider',
  'your-own-recipe',
  'plugins',
  'setup',
  'ci',
  'ci-gitlab',
  'ci-shell',
  'agents',
  'production',
];

const providers = 'Providers';
const order = ['Guides', 'Reference', 'Examples', 'State machines', 'Working on it'];

/**
 * Makes the sidebars from the existing pages, so a new page appears by itself. `titles` holds the first headings by path. The providers
 * have a sidebar of their own, because there are many.
 */
export function sidebarsOf(titles: ReadonlyMap<string, string>): Sidebars {
  const rest = new Set([...titles.keys()].filter((path) => placeOf(path) !== null && path !== 'README.md' && path !== 'docs/README.md'));
  const made = new Map<string, SidebarItem>();
  for (const { text, takes } of groups) {
    const own = [...rest].filter((path) => takes.test(path));
    for (const path of own) rest.delete(path);
    const sorted = own.toSorted((a, b) => rank(a) - rank(b) || titleOf(titles, a).localeCompare(titleOf(titles, b)));
    made.set(text, { text, items: sorted.map((path) => ({ text: titleOf(titles, path), link: addressOf(placeOf(path) ?? '') })) });
  }
  if (rest.size > 0) throw new Error(`No group of the sidebar takes ${[...rest].join(', ')}.`);
  const group = (text: string): readonly SidebarItem[] => [made.get(text) ?? []].flat();
  const [index] = group(providers).flatMap(({ items }) => items ?? []);
  const link: readonly SidebarItem[] = index ? [{ text: providers, items: [index] }] : [];
  return {
    '/recipes/': [{ text: 'Documentation', link: '/documentation' }, ...group(providers)],
    '/': order.flatMap((text) => [...group(text), ...(text === 'Reference' ? link : [])]),
  };
}

/** The index of a folder comes first, then the guides in their order. */
function rank(path: string): number {
  if (path.endsWith('/README.md') && path.startsWith('docs/')) return -1;
  const place = first.indexOf(path.replace(/^.*\//, '').replace(/\.md$/, ''));
  return place < 0 ? first.length : place;
}

const titleOf = (titles: ReadonlyMap<string, string>, path: string): string => titles.get(path) ?? path;
