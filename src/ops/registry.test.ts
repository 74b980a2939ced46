import { expect, test, vi } from 'vitest';
import type { Adapter, Op } from './op.ts';
import { createRegistry } from './registry.ts';

const op: Op = {
  kind: 'action',
  doc: 'An action.',
  params: {},
  outputs: {},
  bind: () => {
    throw new Error('not bound here');
  },
};
const adapter = (name: string, alias?: string, ops: Adapter['ops'] = { cname: op }): Adapter => ({
  name,
  ...(alias !== undefined && { alias }),
  title: name,
  docs: 'https://example.com',
  provider: { base_url: 'https://api.example.com', auth: null },
  ops,
});

test('an adapter is found by its name and by its neutral name', async () => {
  const registry = createRegistry();
  const neon = adapter('neon', 'sql_branch_a');
  registry.addAdapter(neon);
  expect(await registry.adapter('neon')).toBe(neon);
  expect(await registry.adapter('sql_branch_a')).toBe(neon);
  expect(await registry.adapter('toString')).toBeNull();
  expect(registry.adapterNames()).toEqual(['neon']);
});

test('a late adapter is loaded once, and only when somebody asks for it', async () => {
  const registry = createRegistry();
  const neon = adapter('neon', 'sql_branch_a');
  const load = vi.fn(async () => neon);
  registry.addLateAdapter({ name: 'neon', alias: 'sql_branch_a', load });
  expect(registry.adapterNames()).toEqual(['neon']);
  expect(registry.adapterSpellings('sql_branch_a')).toEqual(['neon', 'sql_branch_a']);
  expect(registry.adapterSpellings('vercel')).toEqual([]);
  expect(() => registry.addAdapter(adapter('sql_branch_a'))).toThrow('the adapter name sql_branch_a is taken');
  expect(load).not.toHaveBeenCalled();
  expect(await Promise.all([registry.adapter('neon'), registry.adapter('sql_branch_a')])).toEqual([neon, neon]);
  expect(load).toHaveBeenCalledTimes(1);
});

test('a family is loaded once, and only when somebody asks for one of its recipes', async () => {
  const registry = createRegistry();
  const load = vi.fn(async () => adapter('cloudflare', 'hosting_c'));
  registry.addFamily({ name: 'cloudflare', alias: 'hosting_c', opAliases: { 'dns.cname': 'cname' }, load });
  expect(registry.familyNames()).toEqual(['cloudflare']);
  expect(load).not.toHaveBeenCalled();
  const spellings = ['cloudflare.cname', 'hosting_c.cname', 'dns.cname'];
  const found = await Promise.all(spellings.map((name) => registry.recipe(name)));
  expect(found.map((match) => [match?.family.name, match?.opName, match?.op])).toEqual(spellings.map(() => ['cloudflare', 'cname', op]));
  expect(load).toHaveBeenCalledTimes(1);
  expect(registry.familySpellings('hosting_c')).toEqual(['cloudflare', 'hosting_c', 'dns']);
});

test('an unknown recipe of a known family is told apart from an unknown family', async () => {
  const registry = createRegistry();
  registry.addFamily({ name: 'stripe', load: async () => adapter('stripe') });
  expect(await registry.recipe('stripe.nothing')).toMatchObject({ opName: 'nothing', op: null });
  expect(await registry.recipe('stripe.constructor')).toMatchObject({ op: null });
  expect(await registry.recipe('strip.cname')).toBeNull();
});

test('one provider may be an adapter and a recipe family under the same names', async () => {
  const registry = createRegistry();
  registry.addAdapter(adapter('vercel', 'hosting_a', { env: op }));
  registry.addFamily({ name: 'vercel', alias: 'hosting_a', load: async () => adapter('vercel', 'hosting_a') });
  expect((await registry.adapter('hosting_a'))?.ops).toHaveProperty('env');
  expect((await registry.recipe('hosting_a.cname'))?.op).toBe(op);
});

test('a name that is taken or malformed is refused', () => {
  const registry = createRegistry();
  registry.addAdapter(adapter('neon', 'sql_branch_a'));
  expect(() => registry.addAdapter(adapter('other', 'neon'))).toThrow('the adapter name neon is taken');
  expect(() => registry.addAdapter(adapter('Neon'))).toThrow('"Neon" is no name');
  expect(registry.adapterNames()).toEqual(['neon']);
  const source = { scheme: 'env', resolve: async () => 'x' };
  registry.addSecretSource(source);
  expect(() => registry.addSecretSource(source)).toThrow('env:// is taken');
  expect(registry.secretSource('env')).toBe(source);
  expect(registry.secretSchemes()).toEqual(['env']);
});
