import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import { init as initIn } from '../../src/onboard/init.ts';
import { needsOf } from '../../src/onboard/setup/needs.ts';
import { family, type Oven, openOven, planOf } from './oven.ts';

let at: Oven;
afterEach(() => at.close());

describe('a line of a family that a file of the repository holds', () => {
  it('is planned, applied, applied again without a write, put back after drift, and destroyed', async () => {
    at = await openOven();
    expect(await at.plan()).toMatchObject({ summary: { create: 1 }, lines: [{ id: 'light', verdict: 'create' }] });
    expect(at.provider.writes()).toEqual([]);
    expect(await at.apply()).toMatchObject({ status: 'complete', stats: { writes: 1 } });
    expect(at.lights()).toMatchObject([{ name: 'light-pr-12', over: 'middle' }]);
    expect(await at.apply()).toMatchObject({ status: 'complete', stats: { writes: 0 } });

    for (const light of at.lights()) Object.assign(light, { over: 'lower' });
    expect((await at.plan()).lines).toMatchObject([{ verdict: 'update', drift: 'changed' }]);
    expect(await at.apply()).toMatchObject({ status: 'complete', stats: { writes: 1 } });
    expect(at.lights()).toMatchObject([{ over: 'middle' }]);

    expect(await at.destroy()).toMatchObject({ status: 'complete', stats: { writes: 1 } });
    expect(at.lights()).toEqual([]);
    at.verify();
  });

  it.each([
    ['without the plan and the family', async () => await rm(path.join(at.folder, 'release.plan.yaml'))],
    ['with the plan and without the family', async () => await rm(path.join(at.folder, 'recipes'), { recursive: true })],
    ['with a family that is broken by now', async () => await at.put({ 'recipes/oven.yaml': 'name: [' })],
    [
      'with a family of another address by now',
      async () => await at.put({ 'recipes/oven.yaml': family.replace('.example/v1', '.example/v2') }),
    ],
  ])('is destroyed %s', async (_, change) => {
    at = await openOven();
    await at.apply();
    await change();
    expect(await at.destroy()).toMatchObject({ status: 'complete', stats: { writes: 1 } });
    expect(at.lights()).toEqual([]);
  });

  it('is the object of a line by hand with equal requests: nothing is written when the line becomes a recipe', async () => {
    const byHand = `version: 1
providers: { http: { oven: { base_url: https://bakery.example/v1, auth: { bearer_env: BAKERY_KEY } } } }
changes:
  - id: light
    adapter: http
    op: resource
    api: oven
    find: { path: /lights, list_path: /items, match: { name: "light-\${ctx.scope}" } }
    create: { path: /lights, body: { name: "light-\${ctx.scope}" } }
    update: { path: "/lights/{id}" }
    delete: { path: "/lights/{id}" }
    fields: { over: middle }
`;
    at = await openOven(undefined, byHand);
    expect(await at.apply()).toMatchObject({ status: 'complete', stats: { writes: 1 } });
    await at.write(planOf());
    expect(await at.apply()).toMatchObject({ status: 'complete', stats: { writes: 0 } });
  });

  it('gives its outputs to other lines, and the provider block of the plan goes before its own', async () => {
    const second = `  - id: second
    recipe: oven.light
    name: { from: light.shelf }
providers: { http: { oven: { headers: { X-Team: shop } } } }
`;
    at = await openOven(undefined, planOf(second));
    expect(await at.apply()).toMatchObject({ status: 'complete', stats: { writes: 2 } });
    expect(at.lights().map(({ name }) => name)).toEqual(['light-pr-12', 'shelf-w1']);
  });

  it('is replaced where the family finds its object in another way by now', async () => {
    at = await openOven();
    await at.apply();
    await at.put({ 'recipes/oven.yaml': family.replaceAll('/lights', '/lamps') });
    expect(await at.apply()).toMatchObject({ status: 'complete' });
    expect(at.provider.world.wares('lamps')).toHaveLength(1);
    expect(await at.destroy()).toMatchObject({ status: 'complete' });
    expect([...at.lights(), ...at.provider.world.wares('lamps')]).toEqual([]);
  });

  it('is found by a path, a pattern and a pattern for any folder, each file once', async () => {
    at = await openOven({ 'shared/deep/oven.yaml': family, 'shared/.hidden/oven.yaml': 'no family' });
    for (const recipes of ['[shared/deep/oven.yaml]', '["./shared/*/ov*n.yaml"]', '["**/oven.yaml", shared/deep/oven.yaml]']) {
      await at.write(planOf('', recipes));
      expect(await at.plan()).toMatchObject({ summary: { create: 1 } });
    }
  });

  it('comes from PILOTFISH_PLUGINS too, in any plan', async () => {
    at = await openOven({ 'shared/oven.yaml': family }, planOf().replace(/recipes: .*\n/, ''));
    const env = { PILOTFISH_PLUGINS: './shared/oven.yaml' };
    expect(await at.plan({ env })).toMatchObject({ summary: { create: 1 } });
    expect(await at.apply({ env })).toMatchObject({ status: 'complete', stats: { writes: 1 } });
    expect(await at.destroy()).toMatchObject({ status: 'complete', stats: { writes: 1 } });
  });
});

it('an object that is gone counts as gone only where the check of the family answers, also without the family', async () => {
  const chosen = family
    .replace('find: { path: /lights, list_path: /items, match: { name: { param: name } } }', 'read: { path: "/lights/{id}" }')
    .replace('ops:', 'setup: { page: https://bakery.example/keys, needs: A key., check: { method: GET, path: /keys } }\nops:')
    .replace('fields:', 'chosen_id: { param: name }\n      fields:');
  at = await openOven({ 'recipes/oven.yaml': chosen });
  const { template } = (await (await withFamilies()).recipe('oven.light'))?.op ?? {};
  expect(template).toMatchObject({ template: { witness: { path: '/keys' } } });
});

async function withFamilies() {
  const { withOwnFamilies } = await import('../../src/recipes/own/of-plan.ts');
  const file = path.join(at.folder, 'release.plan.yaml');
  const place = { file: 'release.plan.yaml', line: 2, column: 11 };
  const plan = { file: 'release.plan.yaml', path: file, recipes: [{ text: './recipes/*.yaml', place }] };
  return (await withOwnFamilies(plan, await openRegistry({ env: {}, cwd: at.folder }))).registry;
}

describe('`init`', () => {
  it('leaves a plan with families of its own as it is, and knows their credentials', async () => {
    at = await openOven();
    const document = await initIn({ cwd: at.folder, env: {}, openRegistry });
    expect(document.plan).toMatchObject({ written: false, added: [] });
    expect(document.credentials).toEqual([{ variable: 'BAKERY_KEY', provider: 'oven', status: 'missing' }]);
    expect(await at.plan()).toMatchObject({ summary: { create: 1 } });
  });

  it('asks before a credential goes to the host of such a family, as for a host that the plan names', async () => {
    at = await openOven();
    const file = path.join(at.folder, 'release.plan.yaml');
    const registry = await openRegistry({ env: {}, cwd: at.folder });
    const { apis } = await needsOf(planOf(), { path: file, display: 'release.plan.yaml', registry, env: {} });
    expect(apis).toMatchObject([{ provider: 'oven', title: 'Oven', byPlan: { hosts: ['bakery.example'], documented: null } }]);
  });
});
