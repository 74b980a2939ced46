import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../tasks.ts';

/**
 * Every Markdown page that people read, by its path in the repository: the ones at the root, the docs and the examples. Not the
 * changelog, which is written when a version is cut.
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
