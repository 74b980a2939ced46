import './hooks.ts';
import { readdir, readFile } from 'node:fs/promises';
import type { Collected } from './collected.ts';

const folder = new URL('../../../test/recipes/', import.meta.url);
/** Tests that check texts for people, or start other processes. They cannot judge mutants. */
const others = ['catalogue', 'drafts', 'hints', 'loading', 'told'];

/** Loads the tests of these families, and the tests with lines of many families. */
export async function collect(families: ReadonlySet<string>): Promise<readonly Collected[]> {
  const { beginFile, collected } = await import('./collected.ts');
  const tell = console.info;
  console.info = () => undefined;
  try {
    for (const name of (await readdir(folder)).filter((file) => file.endsWith('.test.ts')).sort()) {
      const family = name.slice(0, -'.test.ts'.length);
      const isOne = /\bdescribeRecipe\(/.test(await readFile(new URL(name, folder), 'utf8'));
      if (isOne ? !families.has(family) : others.includes(family)) continue;
      beginFile(name);
      await import(new URL(name, folder).href);
    }
  } finally {
    console.info = tell;
  }
  return collected;
}
