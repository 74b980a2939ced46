import { readdir, readFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Described } from './described.ts';

const folders = ['../../recipes/', '../../adapters/'].map((folder) => new URL(folder, import.meta.url));
const stands = {
  vitest: new URL('./silent-vitest.ts', import.meta.url).href,
  suite: new URL('./described.ts', import.meta.url).href,
};

/**
 * Every operation that a test describes with the shared suite: the file that describes a new provider puts it into the table as
 * well. The files are loaded with other modules in place of vitest and of the suite, so that they run no test.
 */
export async function describedOperations(): Promise<readonly Described[]> {
  const files = (await Promise.all(folders.map(filesIn))).flat();
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const from = context.parentURL ?? '';
      // What describes an operation stands in the file of its tests, or in a module beside the suite.
      if (specifier === 'vitest' && (files.includes(from) || /\/support\/describe-[^/]*$/.test(from)))
        return { url: stands.vitest, shortCircuit: true };
      if (!files.includes(from)) return next(specifier, context);
      if (specifier.endsWith('/support/describe-recipe.ts')) return { url: stands.suite, shortCircuit: true };
      return next(specifier, context);
    },
  });
  try {
    for (const file of files) await import(file);
  } finally {
    hooks.deregister();
  }
  const { described } = await import('./described.ts');
  return described;
}

async function filesIn(folder: URL): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.test.ts')).sort();
  const texts = await Promise.all(names.map((name) => readFile(fileURLToPath(new URL(name, folder)), 'utf8')));
  return names.filter((_, i) => /\bdescribe(Recipe|Op)\(/.test(texts[i] ?? '')).map((name) => new URL(name, folder).href);
}
