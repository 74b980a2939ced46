import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { Failure, Failures } from '../../core/errors.ts';
import type { Adapter, Op } from '../../ops/op.ts';
import { createRegistry, type Registry } from '../../ops/registry.ts';
import { identityText } from '../../remote/value.ts';
import { envSource } from '../../secrets/index.ts';
import type { Prepared, RunRequest } from '../types.ts';
import { type PrepareOptions, prepare } from './prepare.ts';

const nothing = async (): Promise<never> => {
  throw new Error('no request belongs here');
};

/** An object named by `name`, with a plain output, a sensitive one and whatever else the test asks for. */
const objectOp = (more: Partial<Op> = {}): Op => ({
  kind: 'object',
  doc: 'An object.',
  params: {
    name: { type: 'string', required: true, doc: 'Its name.' },
    value: { type: 'string', doc: 'Its value.' },
    size: { type: 'integer', default: 1, doc: 'Its size.' },
  },
  outputs: { id: { doc: 'Its id.' }, key: { doc: 'Its key.', sensitive: true } },
  bind(params) {
    const name = identityText(params.name, 'name');
    if (name === 'bad') throw new Failure('PARAM_INVALID', { at: ['name'], detail: 'name is a reserved word.' });
    return {
      kind: 'object',
      key: `/things[name=${name}]`,
      fields: params,
      reach: { kind: 'none' },
      problems: name.length > 20 ? ['The name is too long.'] : [],
      find: nothing,
      create: nothing,
    };
  },
  ...more,
});
const actionOp: Op = {
  kind: 'action',
  doc: 'An action.',
  params: { url: { type: 'string', required: true, doc: 'Where to.' } },
  outputs: {},
  bind: (params) => ({
    kind: 'action',
    key: identityText(params.url, 'url'),
    fields: params,
    reach: { kind: 'none' },
    send: nothing,
  }),
};

const adapter = (name: string, alias: string, ops: Adapter['ops'], provider?: Partial<Adapter['provider']>): Adapter => ({
  name,
  alias,
  title: name,
  docs: 'https://example.com',
  provider: { base_url: `https://${name}.example.com`, auth: { bearer_env: `${name.toUpperCase()}_TOKEN` }, ...provider },
  ops,
});

function registryOf(): Registry {
  const registry = createRegistry();
  registry.addAdapter(adapter('http', 'generic', { resource: objectOp(), action: actionOp }, { base_url: null, auth: null }));
  registry.addAdapter(
    adapter('neon', 'sql_branch_a', {
      branch: objectOp(),
      fixed: objectOp({ destroy: 'never' }),
      live: objectOp({ writesProduction: (params) => params.value === 'live' }),
    }),
  );
  const family = adapter('auth0', 'idp_a', { callback_url: objectOp(), deploy: actionOp }, { base_url: null });
  registry.addFamily({ name: 'auth0', alias: 'idp_a', opAliases: { 'dns.cname': 'callback_url' }, load: async () => family });
  registry.addSecretSource(envSource);
  return registry;
}

const env = { NEON_TOKEN: 'neon-secret', AUTH0_TOKEN: 'auth0-secret', AUTH0_API_URL: 'https://acme.example.com' };

async function run(yaml: string, request: Partial<RunRequest> = {}, options: Partial<PrepareOptions> = {}): Promise<Prepared> {
  const cwd = await tempFolder('prepare');
  await mkdir(join(cwd, '.git'));
  await writeFile(join(cwd, 'release.plan.yaml'), yaml);
  return await prepare({
    request: {
      cwd,
      env,
      plan: null,
      environment: 'preview',
      scope: 'pr-12',
      pr: null,
      branch: null,
      sha: null,
      only: [],
      recreate: [],
      reconcile: false,
      destroy: false,
      expect: null,
      approvedBy: null,
      leaseTimeoutMs: 1,
      waitTimeoutMs: 1,
      ...request,
    },
    registry: registryOf(),
    facts: null,
    ...options,
  });
}

async function refused(yaml: string, request: Partial<RunRequest> = {}, options: Partial<PrepareOptions> = {}): Promise<string[]> {
  try {
    await run(yaml, request, options);
  } catch (thrown) {
    if (!(thrown instanceof Failures)) throw thrown;
    return thrown.failures.map((f) => `${f.code} ${f.place ? `${f.place.line}:${f.place.column}` : '-'} ${f.detail} ${f.fix}`);
  }
  throw new Error('nothing was refused');
}

test('a good plan becomes lines in order, with blocks, defaults, edges and outputs', async () => {
  const { lines, context, warnings } = await run(`
changes:
  - { id: url, recipe: idp_a.callback_url, name: { from: db.id } }
  - { id: db, adapter: sql_branch_a, op: branch, name: "\${ctx.scope}", destroy: keep }
  - { id: last, adapter: neon, op: fixed, name: "x-\${ctx.scope}", depends_on: [url] }
`);
  expect(context.scope).toBe('pr-12');
  expect(warnings).toEqual([]);
  expect(lines.map((l) => [l.line.id, l.adapter, l.recipe, l.opName, l.api, l.block.base_url, l.destroy, l.after])).toEqual([
    ['db', 'neon', null, 'branch', null, 'https://neon.example.com', 'keep', []],
    ['url', 'http', 'auth0.callback_url', 'callback_url', 'auth0', 'https://acme.example.com', 'delete', ['db']],
    ['last', 'neon', null, 'fixed', null, 'https://neon.example.com', 'never', ['url']],
  ]);
  expect(lines[0]?.params).toEqual({ name: 'pr-12', size: 1 });
  expect(lines[1]?.edges.map((edge) => [edge.param, edge.ref.line, edge.ref.output])).toEqual([['name', 'db', 'id']]);
  expect(Object.keys(lines[1]?.outputs ?? {})).toEqual(['id', 'key']);
});

test('mistakes of every kind are told together, in the order of the file', async () => {
  const told = await refused(
    `
providers:
  neonn: {}
  http:
    auth0: { base_ur: https://x.example.com }
changes:
  - { id: a, adapter: neon, op: brnch, name: x }
  - { id: b, adapter: neon, op: branch, nam: x }
  - { id: c, adapter: neon, op: branch, name: c, value: { from: d.ident } }
  - { id: d, recipe: auth0.callback_ur, name: d }
  - { id: e, adapter: neon, op: branch, name: e, value: { secret: env://NOT_SET } }
  - { id: f, recipe: auth0.callback_url, name: f }
  - { id: g, adapter: neon, op: branch, name: g, value: { from: c.ident } }
  - { id: h, adapter: neon, op: fixed, name: h, destroy: delete }
  - { id: i, adapter: neon, op: branch, name: bad }
  - { id: j, adapter: neon, op: branch, name: c }
`,
    { scope: null, env: {} },
  );
  expect(told.map((line) => line.split(' ', 2).join(' '))).toEqual([
    'CTX_NULL -',
    'PLAN_INVALID 3:3',
    'PLAN_INVALID 5:5',
    'PLAN_INVALID 5:23',
    'PLAN_INVALID 7:33',
    'CREDENTIAL_MISSING 8:11',
    'PARAM_INVALID 8:46',
    'PLAN_INVALID 10:22',
    'SECRET_UNRESOLVED 11:67',
    'REF_OUTPUT_UNKNOWN 13:65',
    'PLAN_INVALID 14:58',
  ]);
  expect(told.join('\n')).toContain('Did you mean "branch"?');
  expect(told.join('\n')).toContain('It has id, key.');
});

test('a line that its op refuses, and a second line of the same object, are told before any request', async () => {
  const told = await refused(`
changes:
  - { id: a, adapter: neon, op: branch, name: bad }
  - { id: b, adapter: neon, op: branch, name: one }
  - { id: c, adapter: sql_branch_a, op: branch, name: one }
  - { id: d, adapter: neon, op: branch, name: a-name-that-is-really-too-long }
`);
  expect(told).toEqual([
    expect.stringContaining('PARAM_INVALID 3:47 a: name is a reserved word.'),
    expect.stringContaining('PARAM_INVALID 5:11 b and c are the same object'),
    expect.stringContaining('PARAM_INVALID 6:11 d: The name is too long.'),
  ]);
});

test.each([['{ secret: env://NEON_TOKEN }'], ['{ from: db.key }']])('a secret that would reach a key is refused: %s', async (value) => {
  const told = await refused(`
changes:
  - { id: db, adapter: neon, op: branch, name: db }
  - { id: a, adapter: neon, op: branch, name: ${value} }
`);
  expect(told).toEqual([expect.stringMatching(/PARAM_INVALID 4:47 a: name is part of the object's identity/)]);
});

test('an op that reveals a secret into its key or its stored requests is refused all the same', async () => {
  const registry = registryOf();
  const careless = objectOp({
    bind: (params) => ({
      kind: 'object',
      key: 'k',
      fields: params,
      reach: { kind: 'object', find: null, remove: { method: 'DELETE', path: `/${String(params.value)}` } },
      find: nothing,
      create: nothing,
    }),
  });
  registry.addAdapter(adapter('other', 'other_a', { thing: careless }));
  const told = await refused(
    'changes:\n  - { id: a, adapter: other, op: thing, name: a, value: { secret: env://NEON_TOKEN } }\n',
    { env: { ...env, OTHER_TOKEN: 'other-secret' } },
    { registry },
  );
  expect(told).toEqual([expect.stringContaining('A secret of a would become part of its key')]);
});

test('adapters and recipe families that are mistaken for each other are told how to be written', async () => {
  const told = await refused(`
changes:
  - { id: a, adapter: auth0, op: callback_url, name: x }
  - { id: b, recipe: neon.branch, name: x }
  - { id: c, recipe: auth0.callback_url, op: list_item, name: x }
`);
  expect(told[0]).toContain('write `recipe: auth0.callback_url`');
  expect(told[1]).toContain('`adapter: neon` and `op: branch`');
  expect(told[2]).toContain('`op: list_item`, but auth0.callback_url is of the op resource');
});

test('an op that a provider has as a recipe is told so, though an adapter has the same name', async () => {
  const registry = registryOf();
  registry.addFamily({ name: 'neon', alias: 'sql_branch_a', load: async () => adapter('neon', 'sql_branch_a', { role: objectOp() }) });
  const plan = `
changes:
  - { id: a, adapter: sql_branch_a, op: role, name: x }
  - { id: b, adapter: neon, op: roles, name: x }
  - { id: c, recipe: neon.branch, name: x }
`;
  const told = await refused(plan, {}, { registry });
  expect(told[0]).toContain('write `recipe: sql_branch_a.role`');
  expect(told[1]).not.toContain('recipe');
  expect(told[2]).toContain('`adapter: neon` and `op: branch`');
});

test('api chooses a block; a recipe on a block of another name keeps its family’s defaults', async () => {
  const { lines } = await run(`
providers:
  http:
    tenant_eu: { base_url: https://eu.example.com }
    copy: { recipe: idp_a, base_url: https://copy.example.com }
changes:
  - { id: a, recipe: auth0.callback_url, api: tenant_eu, name: x }
  - { id: b, adapter: http, op: resource, api: copy, name: x }
  - { id: c, adapter: http, op: resource, api: idp_a, name: x }
  - { id: d, recipe: auth0.callback_url, name: y }
`);
  expect(lines.map(({ block }) => [block.api, block.base_url, block.auth])).toEqual([
    ['tenant_eu', 'https://eu.example.com', { bearer_env: 'AUTH0_TOKEN' }],
    ['copy', 'https://copy.example.com', { bearer_env: 'AUTH0_TOKEN' }],
    ['auth0', 'https://acme.example.com', { bearer_env: 'AUTH0_TOKEN' }],
    ['auth0', 'https://acme.example.com', { bearer_env: 'AUTH0_TOKEN' }],
  ]);
});

test('a block may stand under any name of its family, but only once', async () => {
  const { lines } = await run(
    'providers: { http: { dns: { base_url: https://d.example.com } } }\nchanges: [{ id: a, recipe: dns.cname, name: x }]',
    {
      env: { AUTH0_TOKEN: 'auth0-secret' },
    },
  );
  expect(lines[0]?.block).toMatchObject({ api: 'auth0', base_url: 'https://d.example.com' });
  const told = await refused('providers: { http: { auth0: {}, idp_a: {} } }\nchanges: [{ id: a, recipe: auth0.callback_url, name: x }]');
  expect(told).toEqual([expect.stringContaining('auth0 and idp_a are two names of one provider')]);
});

test('an unknown API lists the known ones; a generic line without one is told to name it; an action needs none', async () => {
  const told = await refused(`
providers: { http: { mine: { base_url: https://mine.example.com } } }
changes:
  - { id: a, adapter: http, op: resource, api: mien, name: x }
  - { id: b, adapter: http, op: resource, name: x }
  - { id: c, adapter: http, op: action, url: https://app.example.com/hook }
`);
  expect(told).toHaveLength(2);
  expect(told[0]).toMatch(/Did you mean "mine"\? The plan has blocks for mine. APIs that need no block: auth0\./);
  expect(told[1]).toContain('does not say which API it uses');
});

test('--only takes the line and all that it needs, and nothing else is asked of the environment', async () => {
  const plan = `
changes:
  - { id: a, adapter: neon, op: branch, name: a }
  - { id: b, adapter: neon, op: branch, name: { from: a.id } }
  - { id: c, adapter: neon, op: branch, name: c, depends_on: [b] }
  - { id: d, recipe: auth0.callback_url, name: d }
`;
  const { lines } = await run(plan, { only: ['b'], env: { NEON_TOKEN: 'neon-secret' } });
  expect(lines.map(({ line }) => line.id)).toEqual(['a', 'b']);
  const told = await refused(plan, { only: ['bb'], recreate: ['x'] });
  expect(told).toEqual([expect.stringContaining('`--only` names "bb"'), expect.stringContaining('`--recreate` names "x"')]);
  expect(told.every((line) => line.startsWith('USAGE'))).toBe(true);
  expect(await refused(plan, { only: ['a'], recreate: ['c'] })).toEqual([expect.stringContaining('which `--only` leaves out')]);
});

test('production needs an approval, also for a line that writes it from elsewhere; a plan only says so', async () => {
  const plan =
    'changes:\n  - { id: a, adapter: neon, op: branch, name: "a-${ctx.scope}" }\n  - { id: b, adapter: neon, op: live, name: "b-${ctx.scope}", value: live }\n';
  expect(await refused(plan)).toEqual([expect.stringMatching(/^ENV_NOT_APPROVED 3:11 b write production/)]);
  expect(await refused(plan, { environment: 'production', scope: 'production' })).toEqual([
    expect.stringMatching(/^ENV_NOT_APPROVED - The environment is production/),
  ]);
  expect((await run(plan, { approvedBy: 'ada' })).warnings).toEqual([]);
  expect((await run(plan, {}, { purpose: 'plan' })).warnings).toEqual([expect.stringContaining('--approved-by')]);
});

test('a line’s own credential replaces the variable of its block', async () => {
  const plan = (more: string): string => `
changes:
  - { id: a, recipe: auth0.callback_url, name: a, destroy: keep }
  - { id: b, adapter: neon, op: branch, name: b, credential: { from: a.key }${more} }
`;
  const { lines } = await run(plan(', destroy: keep'), { env: { ...env, NEON_TOKEN: '' } });
  expect(lines[1]?.after).toEqual(['a']);
  expect(await refused(plan(''))).toEqual([expect.stringContaining('destroy could not remove the object')]);
  const missing = plan(', destroy: keep').replace('a.key', 'a.kye');
  expect(await refused(missing)).toEqual([expect.stringContaining('Did you mean "key"?')]);
});

test('a scope that nobody gave is asked for by its flags', async () => {
  const [told] = await refused('changes: [{ id: a, adapter: neon, op: branch, name: a }]', { scope: null });
  expect(told).toContain('`--scope <scope>`');
});

test('a value that could not be read in the file is told only once', async () => {
  const told = await refused('changes:\n  - { id: a, adapter: neon, op: branch, name: { from: nowhere } }\n');
  expect(told).toHaveLength(1);
});

test('a value still to be filled in is told once, also where a later line names it by an alias', async () => {
  const told = await refused(`
changes:
  - id: first
    adapter: neon
    op: branch
    name: &name your-name # TODO: where it is found.
  - id: second
    adapter: neon
    op: fixed
    name: *name
`);
  expect(told).toEqual([
    'PLAN_TODO 6:17 The value is still marked `# TODO`: where it is found. Fill in the value and remove its `# TODO` comment.',
  ]);
});
