import { beforeAll, describe, expect, it } from 'vitest';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import { Catalogue } from '../../src/recipes/catalogue.ts';
import { familyAdapter } from '../../src/recipes/expand.ts';
import { parseFamily } from '../../src/recipes/parse-family.ts';
import { readSubjects } from '../../src/recipes/subjects.ts';
import { family } from './oven.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = new Catalogue(await readSubjects(await openRegistry({ env: {}, cwd: import.meta.dirname })));
});

describe('the catalogue', () => {
  it('finds what is named so before what only speaks of it', () => {
    const [first] = catalogue.search('webhook stripe');
    expect(first).toMatchObject({ name: 'stripe.webhook_endpoint', line: { recipe: 'stripe.webhook_endpoint' }, title: 'Stripe' });
    expect(catalogue.search('neon BRANCH')[0]).toMatchObject({ name: 'neon.branch', line: { adapter: 'neon', op: 'branch' } });
  });

  it('finds what has every word, and all for no words', () => {
    expect(catalogue.search('')).toHaveLength(catalogue.size);
    expect(catalogue.size).toBeGreaterThan(80);
    expect(catalogue.search('neon zebra')).toEqual([]);
    expect(catalogue.search('neon').length).toBeGreaterThan(0);
  });

  it('knows an operation by each of its names, and the one that was meant', () => {
    const own = catalogue.op('auth0.callback_url');
    expect(own?.also).toContain('idp_a.callback_url');
    expect(catalogue.op('idp_a.callback_url')).toEqual(own);
    expect(catalogue.op('neon.brnch')).toBeNull();
    expect(catalogue.nearest('neon.brnch')).toBe('neon.branch');
  });

  it('tells everything about each one, with an example that has what is required', () => {
    for (const { name } of catalogue.search('')) {
      const told = catalogue.op(name);
      expect(told, name).toMatchObject({ name, docs: expect.stringMatching(/^https:/), destroy: expect.stringMatching(/\.$/) });
      for (const param of told?.params.filter(({ required }) => required) ?? []) expect(told?.example, name).toContain(param.name);
    }
  });
});

it('has the families of plugins, with their examples', async () => {
  const registry = await openRegistry({ env: {}, cwd: import.meta.dirname });
  registry.addFamily({ name: 'oven', load: async () => familyAdapter(parseFamily(family, 'oven')) });
  const example = new Catalogue(await readSubjects(registry)).op('oven.light')?.example;
  expect(example).toContain('name: pr-${ctx.scope}');
});
