import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../tasks.ts';

/**
 * The path of every Markdown page for people: the pages at the root, the docs and the examples. The changelog is left out, because a
 * release writes it.
 */
export async function pagePaths(): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const path of glob(['*.md', 'docs/**/*.md', 'examples/**/*.md'], { cwd: root })) found.push(path.replaceAll('\\', '/'));
  return found.filter((path) => path !== 'CHANGELOG.md').toSorted();
}

/** The text of every page. */
export async function pageTexts(): Promise<ReadonlyMap<string, string>> {
  const paths = await pagePaths();
  return new Map(await Promise.all(paths.map(async (path) => [path, await readFile(join(root, path), 'utf8')] as const)));
}
