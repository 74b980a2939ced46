import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serve, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bytesOf, type Company, openCompany, recordPlan } from '../checkouts/company.ts';
import { root } from '../cli/program.ts';
import { bakery } from './bakery.ts';
import { refused, tells } from './refusals.ts';

let company: Company;
let cwd = '';
beforeAll(async () => {
  company = await openCompany();
});
beforeEach(async () => {
  cwd = await company.folder('work');
  // As if it were installed: a plugin imports it by name, wherever the program that runs is.
  await mkdir(join(cwd, 'node_modules'));
  await symlink(root, join(cwd, 'node_modules/pilotfish'), 'dir');
});
afterAll(() => company.close());

const file = (name: string, text: string): Promise<void> => writeFile(join(cwd, name), text);

/** An adapter by hand, a recipe family as text and a secret source, all in one module. */
const plugin = `
import { readFile } from 'node:fs/promises';
import { Failure, familyAdapter, parseFamily, unreadable } from 'pilotfish';

const bakery = {
  name: 'bakery',
  title: 'Bakery',
  docs: 'https://bakery.example/docs',
  provider: { base_url: 'https://bakery.example/v1', auth: { bearer_env: 'BAKERY_KEY' } },
  ops: {
    loaf: {
      kind: 'object',
      doc: 'A loaf by its name.',
      params: {
        name: { type: 'string', required: true, doc: 'Its name.' },
        grain: { type: 'string', required: true, enum: ['rye', 'wheat'], doc: 'What it is made of.' },
        stamp: { type: 'string', required: true, secret: true, doc: 'The mark that proves its origin.' },
      },
      outputs: { id: { doc: 'Its id.' }, shelf: { doc: 'Where it lies.' } },
      bind({ name, grain, stamp }) {
        const list = { method: 'GET', path: '/loaves' };
        const live = (loaf) => ({
          id: loaf.id,
          values: { grain: loaf.grain, stamp: unreadable },
          outputs: { id: loaf.id, shelf: loaf.shelf },
        });
        return {
          kind: 'object',
          key: \`loaf:\${name}\`,
          fields: { grain, stamp },
          reach: {
            kind: 'object',
            find: { request: list, list: '/items', match: { '/name': name }, id: '/id' },
            remove: { method: 'DELETE', path: '/loaves/{id}' },
            witness: list,
          },
          async find(io) {
            const { body } = await io.http.send(list, { purpose: 'read', signal: io.signal });
            return body.items.filter((loaf) => loaf.name === name).map(live);
          },
          async create(io, desired) {
            const request = { method: 'POST', path: '/loaves', body: { name, ...desired } };
            return live((await io.http.send(request, { purpose: 'write', signal: io.signal, retry: 'none' })).body);
          },
          async update(io, { id }, desired, changed) {
            const body = Object.fromEntries(changed.map((field) => [field, desired[field]]));
            return live((await io.http.send({ method: 'PATCH', path: \`/loaves/\${id}\`, body }, { purpose: 'write', signal: io.signal })).body);
          },
        };
      },
    },
  },
};

const oven = \`
name: oven
title: Oven
docs: https://bakery.example/docs/ovens
verified: 2026-11-21
provider:
  base_url: https://bakery.example/v1
  auth: { bearer_env: BAKERY_KEY }
setup:
  page: https://bakery.example/keys
  needs: A key of the bakery.
  check: null
ops:
  light:
    kind: resource
    doc: The light over a shelf.
    params:
      name: { type: string, required: true, doc: Its name. }
      shelf: { type: string, required: true, doc: The shelf it shines on. }
    example: { name: pr-12, shelf: shelf-1 }
    template:
      find: { path: /lights, list_path: /items, match: { name: { param: name } } }
      create: { path: /lights, body: { name: { param: name } } }
      update: { path: "/lights/{id}" }
      delete: { path: "/lights/{id}" }
      fields: { over: { param: shelf } }
\`;

export function register(registry) {
  registry.addAdapter(bakery);
  registry.addFamily({ name: 'oven', load: async () => familyAdapter(parseFamily(oven, 'oven')) });
  registry.addSecretSource({
    scheme: 'safe',
    async resolve(reference, { env }) {
      const text = await readFile(env.SAFE, 'utf8').catch(() => '');
      const value = JSON.parse(text || '{}')[reference.slice('safe://'.length)];
      if (value === undefined) throw new Failure('SECRET_UNRESOLVED', { detail: \`The safe holds no \${reference}.\` });
      return value;
    },
  });
}
`;

const plan = `version: 1
changes:
  - id: bread
    adapter: bakery
    op: loaf
    name: loaf-\${ctx.scope}
    grain: rye
    stamp: { secret: safe://stamp }
  - id: light
    recipe: oven.light
    name: light-\${ctx.scope}
    shelf: { from: bread.shelf }
`;

describe('a plugin', () => {
  it('brings an adapter, a recipe family and a secret source, and its objects go without it', async () => {
    const provider = bakery();
    const served = await serve([provider]);
    try {
      const stamp = 'stamp-4711-never-shown';
      const safe = join(company.root, 'safe.json');
      await writeFile(safe, JSON.stringify({ stamp }));
      await file('plugin.mjs', plugin);
      await file('release.plan.yaml', plan);
      const addresses = { ...served.env, OVEN_API_URL: served.base('bakery'), BAKERY_KEY: provider.tokens.full };
      const env = { ...addresses, SAFE: safe, PILOTFISH_PLUGINS: './plugin.mjs' };
      const seen: string[] = [];
      const run = async (args: readonly string[], variables: Readonly<Record<string, string>> = env) => {
        const { code, stdout, stderr } = await company.run(cwd, [...args, '--scope', 'pr-12', '--json'], variables);
        expect(code, stdout + stderr).toBe(0);
        seen.push(stdout, stderr);
        return JSON.parse(stdout);
      };

      expect(await run(['plan'])).toMatchObject({ summary: { create: 2 } });
      expect(provider.writes()).toEqual([]);
      expect(await run(['apply'])).toMatchObject({ status: 'complete', stats: { writes: 2 } });
      const [bread] = provider.world.wares('loaves');
      expect(bread).toMatchObject({ name: 'loaf-pr-12', grain: 'rye', stamp });
      expect(provider.world.wares('lights')).toMatchObject([{ name: 'light-pr-12', over: bread?.shelf }]);
      expect(await run(['apply'])).toMatchObject({ status: 'complete', stats: { writes: 0 } });

      await file('release.plan.yaml', plan.replace('rye', 'wheat'));
      expect(await run(['apply'])).toMatchObject({ status: 'complete', stats: { writes: 1 } });
      expect(provider.world.wares('loaves')).toMatchObject([{ id: bread?.id, grain: 'wheat', stamp }]);

      // The ledger is all that destroy needs.
      await Promise.all([rm(join(cwd, 'plugin.mjs')), rm(join(cwd, 'release.plan.yaml'))]);
      expect(await run(['apply', '--destroy'], addresses)).toMatchObject({ status: 'complete', stats: { writes: 2 } });
      expect([...provider.world.wares('loaves'), ...provider.world.wares('lights')]).toEqual([]);

      expect(seen.join('\n')).not.toContain(stamp);
      verifyHandled([provider]);
    } finally {
      await served.stop();
    }
  });

  it.each([
    ['that is missing', './plugin.mjs', '', 'plugin.mjs'],
    ['with an error in its code', './broken.mjs', 'export function (', 'broken.mjs'],
    ['that throws', './broken.mjs', "export function register() { throw new Error('the oven is cold'); }", 'the oven is cold'],
    ['without register', './broken.mjs', 'export const adapters = [];', 'register'],
    [
      'that takes a name which is taken',
      './broken.mjs',
      "export const register = (r) => r.addAdapter({ name: 'neon', provider: {}, ops: {} });",
      'neon is taken',
    ],
    ['that is no package', 'no-such-bakery', '', 'no-such-bakery'],
  ])('%s is PLUGIN_FAILED with its reason, before anything is asked', async (_title, list, text, reason) => {
    if (text !== '') await file('broken.mjs', text);
    await file('release.plan.yaml', recordPlan);
    const before = await bytesOf(cwd, (path) => path.startsWith('node_modules'));
    for (const command of ['plan', 'apply']) {
      const { text: shown, document } = await refused(company, {
        cwd,
        args: [command, '--scope', 'pr-12'],
        env: { PILOTFISH_PLUGINS: list },
      });
      expect(document.error).toMatchObject({ code: 'PLUGIN_FAILED', detail: expect.stringContaining(reason) });
      expect(document.error.detail).toContain(list);
      tells(shown, document.error);
    }
    expect(await bytesOf(cwd, (path) => path.startsWith('node_modules'))).toEqual(before);
  });

  const adapter = (op: string): string =>
    `export const register = (r) => r.addAdapter({ name: 'bakery', title: 'Bakery', docs: '-', provider: { base_url: 'https://bakery.example', auth: null }, ops: { loaf: ${op} } });`;
  const bread = 'changes:\n  - { id: bread, adapter: bakery, op: loaf }\n';
  it.each([
    ['whose operation cannot be bound', adapter("{ kind: 'object', doc: '-', params: {}, outputs: {} }"), bread, 'bakery.loaf'],
    [
      'whose code throws',
      adapter("{ kind: 'object', doc: '-', params: {}, outputs: {}, bind: () => { throw new TypeError('no flour') } }"),
      bread,
      'no flour',
    ],
    [
      'whose adapter has no operations',
      "export const register = (r) => r.addAdapter({ name: 'bakery', provider: { base_url: null, auth: null } });",
      bread,
      '`ops`',
    ],
    [
      'whose recipe family is not valid',
      "import { familyAdapter, parseFamily } from 'pilotfish';\n" +
        "export const register = (r) => r.addFamily({ name: 'oven', load: async () => familyAdapter(parseFamily('name: oven', 'oven')) });",
      'changes:\n  - { id: light, recipe: oven.light }\n',
      'oven',
    ],
  ])('%s is told as its author needs it, and not as a defect of the program', async (_title, code, changes, reason) => {
    await file('broken.mjs', code);
    await file('release.plan.yaml', changes);
    const env = { PILOTFISH_PLUGINS: './broken.mjs' };
    const { text, document } = await refused(company, { cwd, args: ['plan', '--scope', 'pr-12'], env });
    expect(document.error).toMatchObject({ code: 'PLUGIN_FAILED', detail: expect.stringContaining('./broken.mjs') });
    expect(document.error.detail).toContain(reason);
    tells(text, document.error);
  });

  it('of which two are broken is told of both', async () => {
    await file('release.plan.yaml', recordPlan);
    const env = { PILOTFISH_PLUGINS: './one.mjs, ./two.mjs' };
    const { document } = await refused(company, { cwd, args: ['plan', '--scope', 'pr-12'], env });
    expect(document.errors?.map(({ code, detail }) => [code, /\.\/(\w+)\.mjs/.exec(detail)?.[1]])).toEqual([
      ['PLUGIN_FAILED', 'one'],
      ['PLUGIN_FAILED', 'two'],
    ]);
  });
});
