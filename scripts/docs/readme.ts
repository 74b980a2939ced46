import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Subject } from '../../src/recipes/subjects.ts';
import { root } from '../tasks.ts';

const count = /\b\d+ operations of \d+ providers\b/;

/** README.md with the numbers of operations and their providers as they are; the rest of the page is written by hand. */
export async function readmePage(subjects: readonly Subject[]): Promise<string> {
  const text = await readFile(join(root, 'README.md'), 'utf8');
  if (!count.test(text)) throw new Error('README.md lacks the sentence that counts the operations');
  return text.replace(count, countOf(subjects));
}

export function countOf(subjects: readonly Subject[]): string {
  const providers = new Set(subjects.map(({ name }) => name));
  return `${subjects.reduce((sum, { ops }) => sum + ops.length, 0)} operations of ${providers.size} providers`;
}
