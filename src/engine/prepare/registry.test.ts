import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { familyNames } from '../../recipes/load.ts';
import { openRegistry } from './registry.ts';

test('the built-in adapters and every recipe family are there under both their names', async () => {
  const registry = await openRegistry({ env: {}, cwd: '/' });
  expect(registry.adapterNames()).toEqual(expect.arrayContaining(['http', 'neon', 'vercel']));
  expect((await registry.adapter('sql_branch_a'))?.ops.branch).toBeDefined();
  expect(Object.keys((await registry.adapter('hosting_a'))?.ops ?? {})).toEqual(['address', 'env', 'deploy']);
  for (const name of registry.adapterNames()) {
    const adapter = await registry.adapter(name);
    expect([adapter?.name, ...(adapter?.alias === undefined ? [] : [adapter.alias])]).toEqual(registry.adapterSpellings(name));
    for (const spelling of registry.adapterSpellings(name)) expect(await registry.adapter(spelling)).toBe(adapter);
  }
  expect(registry.secretSchemes().toSorted()).toEqual([
    'aws-sm',
    'azure-kv',
    'bws',
    'doppler',
    'env',
    'gcp-sm',
    'infisical',
    'op',
    'op-connect',
    'vault',
  ]);
  for (const { name, alias = name, opAliases = {} } of await familyNames()) {
    const family = await registry.family(name);
    expect(family?.name).toBe(name);
    expect(await registry.family(alias)).toBe(family);
    const [op] = Object.keys(family?.ops ?? {});
    expect((await registry.recipe(`${alias}.${op}`))?.op).toBe(family?.ops[op ?? '']);
    for (const [spelling, opName] of Object.entries(opAliases)) {
      expect((await registry.recipe(spelling))?.op).toBe(family?.ops[opName]);
    }
  }
});

test('a plugin adds an adapter, a secret source and a recipe family of its own', async () => {
  const cwd = await tempFolder('registry');
  await writeFile(
    join(cwd, 'plugin.mjs'),
    `export function register(registry) {
      registry.addSecretSource({ scheme: 'box', resolve: async () => 'x' });
      registry.addAdapter({ name: 'mine', title: 'Mine', docs: '', provider: { base_url: 'https://mine.example', auth: null }, ops: {} });
      registry.addFamily({ name: 'own', load: async () => ({ name: 'own', title: 'Own', docs: '', provider: { base_url: null, auth: null }, ops: {} }) });
    }`,
  );
  const registry = await openRegistry({ env: { PILOTFISH_PLUGINS: './plugin.mjs' }, cwd });
  expect(registry.adapterNames()).toContain('mine');
  expect(registry.secretSchemes()).toContain('box');
  expect((await registry.family('own'))?.title).toBe('Own');
});
