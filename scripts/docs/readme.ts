import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Subject } from '../../src/recipes/subjects.ts';
import { root } from '../tasks.ts';

const row = /^(\| recipes \| )\d+ operations of \d+ providers,/m;

/** README.md with the numbers of recipes and their providers as they are; the rest of the page is written by hand. */
export async function readmePage(subjects: readonly Subject[]): Promise<string> {
  const text = await readFile(join(root, 'README.md'), 'utf8');
  if (!row.test(text)) throw new Error('README.md lacks the row that counts the recipes');
  const families = subjects.filter(({ kind }) => kind === 'recipe');
  const count = families.reduce((sum, { ops }) => sum + ops.length, 0);
  return text.replace(row, `$1${count} operations of ${families.length} providers,`);
}
