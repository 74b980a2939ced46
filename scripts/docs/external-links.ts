import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../tasks.ts';
import { readLink } from './links.ts';
import { pageTexts } from './page-paths.ts';
import { readPage } from './read-page.ts';

const file = 'docs/external-links.json';

/** Every address outside the repository that a page links to, sorted. */
export async function externalLinks(): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const [from, text] of await pageTexts()) {
    for (const href of readPage(text).links) {
      const link = readLink(href, from);
      if (link.kind === 'external') found.add(link.address);
    }
  }
  return [...found].toSorted();
}

/**
 * Updates `docs/external-links.json`. A new address gets the date of today, and an address that no page has any more is removed. A person
 * who opens an address and finds it right sets its date by hand.
 */
export async function updateExternalLinks(): Promise<void> {
  const known: Record<string, string> = JSON.parse(await readFile(join(root, file), 'utf8').catch(() => '{}'));
  const today = new Date().toISOString().slice(0, 10);
  const links = await externalLinks();
  const dated = Object.fromEntries(links.map((link) => [link, known[link] ?? today]));
  await writeFile(join(root, file), `${JSON.stringify(dated, null, 2)}\n`);
}
