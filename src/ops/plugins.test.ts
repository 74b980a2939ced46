import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { Failures } from '../core/errors.ts';
import { type AddFamilyFile, loadPlugins } from './plugins.ts';
import { createRegistry } from './registry.ts';

/** No plugin here is data. */
const addFamilyFile: AddFamilyFile = async () => undefined;

const source = (scheme: string): string =>
  `export function register(r) { r.addSecretSource({ scheme: '${scheme}', resolve: async () => 'x' }) }`;

async function folderWith(files: { [path: string]: string }): Promise<string> {
  const folder = await tempFolder('plugins');
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

test('paths and module names are loaded in order, from the working directory', async () => {
  const cwd = await folderWith({
    'a.mjs': source('one'),
    'node_modules/import-only/package.json': JSON.stringify({
      name: 'import-only',
      type: 'module',
      exports: { '.': { import: './main.js' }, './more': { import: './more.js' } },
    }),
    'node_modules/import-only/main.js': source('two'),
    'node_modules/import-only/more.js': source('three'),
    'node_modules/common/package.json': JSON.stringify({ name: 'common', main: 'main.cjs' }),
    'node_modules/common/main.cjs':
      "module.exports.register = async (r) => { await null; r.addSecretSource({ scheme: 'four', resolve: async () => 'x' }) }",
  });
  const registry = createRegistry();
  await loadPlugins(registry, ' ./a.mjs, import-only,import-only/more,,common ', { cwd, addFamilyFile });
  expect(registry.secretSchemes()).toEqual(['one', 'two', 'three', 'four']);
});

test('without PILOTFISH_PLUGINS nothing is loaded', async () => {
  const registry = createRegistry();
  await loadPlugins(registry, undefined, { cwd: '/', addFamilyFile });
  expect(registry.secretSchemes()).toEqual([]);
});

test('every plugin that does not load is named with its reason and without a stack', async () => {
  const cwd = await folderWith({
    'none.mjs': 'export const x = 1',
    'throws.mjs': "export function register() { throw new Error('no token\\n  at somewhere') }",
    'broken.mjs': 'export function (',
    'twice.mjs': `${source('one')}; export const again = register;`,
  });
  const registry = createRegistry();
  registry.addSecretSource({ scheme: 'one', resolve: async () => 'x' });
  const thrown = await loadPlugins(registry, './none.mjs,./throws.mjs,./broken.mjs,./absent.mjs,no-such-module,./twice.mjs', {
    cwd,
    addFamilyFile,
  }).catch((error: unknown) => error);
  if (!(thrown instanceof Failures)) throw new Error('expected Failures');
  expect(thrown.failures.map((failure) => failure.code)).toEqual(Array(6).fill('PLUGIN_FAILED'));
  const details = thrown.failures.map((failure) => failure.detail);
  expect(details[0]).toContain('./none.mjs of PILOTFISH_PLUGINS did not load: it exports no function `register`.');
  expect(details[1]).toContain('no token.');
  expect(details[3]).toContain('absent.mjs');
  expect(details[4]).toContain('no-such-module');
  expect(details[5]).toContain('one:// is taken');
  expect(details.join('')).not.toMatch(/\n| at somewhere/);
});

test('an adapter made of classes keeps inherited members, and an exception of its code names the plugin', async () => {
  const cwd = await folderWith({
    'a.mjs': `
class Loaf {
  kind = 'object'; doc = 'A loaf.'; params = {}; outputs = {};
  outputsFor() { return { shelf: { doc: 'Where it lies.' } }; }
  bind() { throw new TypeError('no flour'); }
}
class Bakery {
  name = 'bakery'; docs = '-'; provider = { base_url: null, auth: null }; ops = { loaf: Object.freeze(new Loaf()) };
  get title() { return 'Bakery'; }
}
export const register = (r) => r.addAdapter(new Bakery());`,
  });
  const registry = createRegistry();
  await loadPlugins(registry, './a.mjs', { cwd, addFamilyFile });
  const adapter = await registry.adapter('bakery');
  const loaf = adapter?.ops.loaf;
  expect([adapter?.title, loaf?.doc, loaf?.outputsFor?.({})]).toEqual(['Bakery', 'A loaf.', { shelf: { doc: 'Where it lies.' } }]);
  const block = { api: 'bakery', base_url: 'https://bakery.example', auth: null };
  expect(() => loaf?.bind({}, { block, environment: 'preview', scope: 'pr-1', sha: null, branch: null })).toThrow(
    'PLUGIN_FAILED: The plugin ./a.mjs of PILOTFISH_PLUGINS failed in bakery.loaf: no flour.',
  );
});
