import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { seed } from 'pilotfish-sandbox/all';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashJson } from '../../src/core/canonical.ts';
import type { Json } from '../../src/core/json.ts';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import type { RunRequest } from '../../src/engine/types.ts';
import { familyAdapter } from '../../src/recipes/expand.ts';
import { familyNames, loadFamily } from '../../src/recipes/load.ts';
import { execute, root } from '../cli/program.ts';
import { lines, openShop, planOf, type Shop } from '../lifecycle/shop.ts';
import { changesOf } from './changed-members.ts';

const secrets = {
  FIRST_TOKEN: 'first-token-0123456789',
  SECOND_TOKEN: 'second-token-0123456789',
  CLIENT_ID: 'client-0123456789',
  OTHER_ID: 'other-0123456789',
  VAULT_ADDR: 'https://vault.example',
  VAULT_TOKEN: 'vault-token-0123456789',
};

let shop: Shop;
beforeAll(async () => {
  shop = await openShop(planOf(lines.dns));
});
afterAll(() => shop.close());

/** The digest of a plan, or `null` for one that is refused: nobody applies that. */
async function digestOf(plan: Json | string, change: Partial<RunRequest> = {}): Promise<string | null> {
  await shop.write(typeof plan === 'string' ? plan : JSON.stringify(plan));
  const env = { ...secrets, ...(change.env as Record<string, string> | undefined) };
  return await shop.plan({ ...change, env }).then(
    ({ digest }) => digest,
    () => null,
  );
}

/** Where a change sends nothing else: how many requests are under way at once, and the name of a variable that is not set. */
const isOfNoRequest = (at: string): boolean => /\.(concurrency|base_url_env)\b/.test(at) || same.has(at);

/** What holds anyway, and the order of lines, which their references give. */
const same: ReadonlySet<string> = new Set([
  'version taken away',
  'changes',
  'changes.0.destroy taken away',
  'changes.0.target taken away',
  'providers.vercel.base_url taken away',
]);

const dnsPath = `/zones/${seed.zone.id}/dns_records`;
const block = {
  base_url: 'https://api.cloudflare.com/client/v4',
  base_url_env: 'THINGS_ADDRESS',
  auth: { bearer_env: 'CLOUDFLARE_API_TOKEN' },
  headers: { 'accept-language': 'de' },
  encoding: 'json',
  form_arrays: 'brackets',
  media_type: 'application/vnd.example.v3+json',
  refuse_credential: { prefixes: ['sk_live_', 'rk_live_'], unless_env: 'ALLOW_LIVE' },
  concurrency: 4,
};
const authForms: readonly Json[] = [
  { bearer_env: 'FIRST_TOKEN' },
  { header: 'x-token', value_env: 'FIRST_TOKEN', prefix: 'Token ', user_env: 'CLIENT_ID' },
  {
    headers: [
      { header: 'x-id', value_env: 'FIRST_TOKEN' },
      { header: 'x-token', value_env: 'SECOND_TOKEN' },
    ],
  },
  { basic: { user_env: 'CLIENT_ID', password_env: 'SECOND_TOKEN' } },
  {
    oauth_client_credentials: {
      client_id_env: 'CLIENT_ID',
      client_secret_env: 'SECOND_TOKEN',
      token_url: 'https://sign-in.example/token',
      audience: 'https://things.example/',
      scope: 'read write',
      token_url_env: 'TOKEN_ADDRESS',
      audience_env: 'TOKEN_AUDIENCE',
    },
  },
  { command: ['printf', 'token-of-a-program-0123'] },
  { digest: { user_env: 'CLIENT_ID', password_env: 'SECOND_TOKEN' } },
];

const planWith = (line: { readonly [name: string]: Json }, things: Json = block, more: readonly Json[] = []): Json => ({
  version: 1,
  name: 'shop',
  ...(things !== null && { providers: { http: { things } } }),
  changes: [...more, { id: 'one', ...line }],
});

const resource = {
  adapter: 'http',
  op: 'resource',
  api: 'things',
  destroy: 'delete',
  with: { place: 'here' },
  find: {
    path: `${dnsPath}?type=CNAME&per_page=100`,
    query: { order: 'name' },
    headers: { 'x-find': 'a' },
    list_path: '/result',
    match: { '/name': `pr-12.${seed.zone.name}` },
    absent: ['/deleted_at'],
    none_status: [404],
  },
  create: {
    path: dnsPath,
    method: 'POST',
    body: { type: 'CNAME', place: 'first', ttl: 1 },
    headers: { 'x-create': 'a' },
    stamp: ['/made'],
  },
  read: { path: `${dnsPath}/{id}`, none_status: [409] },
  update: { path: `${dnsPath}/{id}`, method: 'PATCH', body: { place: 'second' }, headers: { 'x-update': 'a' } },
  delete: { path: `${dnsPath}/{id}`, body: { force: true } },
  ready: { path: '/status', values: ['active', 'live'], failed: ['error'] },
  item_path: '/result',
  id_path: '/id',
  exists_status: [409],
  gone_status: [405],
  immutable: ['/name'],
  write_only: ['/note'],
  mark: '/comment',
  settle: 3,
  fields: { '/content': 'cname.example', '/name': `pr-12.${seed.zone.name}`, '/note': 'once', '/place': { a: ['x', 'y'], place: 'third' } },
  outputs: { hostname: '/name', token: { path: '/token', sensitive: true } },
};
const recordName = `note.${seed.zone.name}`;
const recordLine = {
  id: 'thing',
  adapter: 'http',
  op: 'resource',
  api: 'things',
  find: { path: `${dnsPath}?type=CNAME&per_page=100`, list_path: '/result', match: { '/name': recordName } },
  create: { path: dnsPath, body: { type: 'CNAME', name: recordName, ttl: 1 } },
  update: { path: `${dnsPath}/{id}` },
  delete: { path: `${dnsPath}/{id}` },
  item_path: '/result',
  fields: { '/content': 'cname.example' },
};
const item = {
  adapter: 'http',
  op: 'list_item',
  api: 'things',
  parent: {
    path: '/lists/{list}',
    method: 'PATCH',
    query: { full: 'true' },
    headers: { 'x-list': 'a' },
    body: { kind: 'list' },
    item_path: '/result',
  },
  with: { list: 'first' },
  list_path: '/entries',
  item: 'https://pr-12.acme.example',
};
const action = {
  adapter: 'http',
  op: 'action',
  api: 'things',
  trigger: { commit: 'a1', place: 'first' },
  identity: ['commit'],
  request: {
    method: 'POST',
    path: '/warm/{what}',
    query: { quick: '1' },
    headers: { 'x-key': 'a' },
    body: { place: 'there', list: ['a', 'b'] },
    encoding: 'json',
  },
  with: { what: 'cache' },
  outputs: { job: '/id' },
};
const { api: _api, ...bare } = action;

/** A line of every kind, in every form of it. */
const kinds: readonly (readonly [what: string, plan: Json])[] = [
  ['a resource', planWith(resource)],
  ['an entry of a list', planWith({ ...item, shape: 'array', when_empty: 'delete', settle: 4 })],
  [
    'an entry of a list of maps',
    planWith({ ...item, key_field: '/name', value: { name: 'a', place: { to: 'b' } }, compare: { '/place': { ignore_case: true } } }),
  ],
  ['an entry of a map', planWith({ ...item, shape: 'map', value: { place: 'b' } })],
  ['an entry of a comma-separated text', planWith({ ...item, shape: 'delimited', empty_as: 'none' })],
  [
    'an entry of a list that is read and written by GraphQL',
    planWith({
      ...item,
      parent: {
        read: { graphql: { query: 'query($a: ID!) { app(id: $a) { urls } }', variables: { a: 'x' }, data_path: '/app' } },
        write: {
          graphql: { query: 'mutation($i: I!) { set(input: $i) { app { urls } } }', variables: { i: { id: 'x' } }, data_path: '/set/app' },
        },
        write_list_path: '/i/urls',
      },
      list_path: '/urls',
    }),
  ],
  ['an action at an API', planWith(action)],
  [
    'an action by GraphQL',
    planWith({
      ...action,
      request: {
        headers: { 'x-key': 'a' },
        graphql: {
          query: 'mutation($place: String) { go(place: $place) { id } }',
          variables: { place: 'a' },
          data_path: '/go',
          idempotent: true,
        },
      },
    }),
  ],
  [
    'an action at an address of its own',
    planWith({ ...bare, request: { ...action.request, path: undefined as never, url: 'https://app.example/warm/{what}' } }, null),
  ],
  [
    'secrets in params',
    planWith({
      ...action,
      request: {
        ...action.request,
        headers: { 'x-key': { secret: 'env://FIRST_TOKEN' } },
        body: { in: { secret: 'vault://kv/shop#key' } },
      },
    }),
  ],
  ['the credential of a line', planWith({ ...action, credential: { secret: 'env://FIRST_TOKEN' } })],
  [
    'a line that comes after others',
    planWith({ ...action, depends_on: ['dns'] }, block, [
      { id: 'dns', recipe: 'cloudflare.dns_cname', zone_id: seed.zone.id, name: `pr-12.${seed.zone.name}`, target: 'cname.example' },
    ]),
  ],
  [
    'a line that takes values of another',
    planWith({ ...action, request: { ...action.request, body: { to: { from: 'dns.hostname' } } } }, block, [
      { id: 'dns', recipe: 'cloudflare.dns_cname', zone_id: seed.zone.id, name: `pr-12.${seed.zone.name}`, target: 'cname.example' },
    ]),
  ],
  [
    'a recipe',
    planWith(
      {
        recipe: 'stripe.webhook_endpoint',
        name: 'shop',
        url: 'https://pr-12.acme.example',
        enabled_events: ['invoice.paid', 'invoice.sent'],
      },
      null,
    ),
  ],
  [
    'a built-in operation',
    planWith({ adapter: 'vercel', op: 'env', project: 'shop', key: 'NAME', value: 'words', target: ['preview'] }, null),
  ],
  ...authForms.map((auth, i) => [`a credential form (${i + 1})`, planWith(action, { ...block, auth })] as const),
  [
    'a signature',
    planWith(action, {
      ...block,
      auth: { aws_v4: { access_key_id_env: 'CLIENT_ID', secret_access_key_env: 'SECOND_TOKEN', service: 's3' } },
      region: 'eu-west-1',
      session_token_env: 'FIRST_TOKEN',
    }),
  ],
  [
    'settings of an adapter',
    {
      ...(planWith({ adapter: 'vercel', op: 'env', project: 'shop', key: 'NAME', value: 'words', target: ['preview'] }) as object),
      providers: { vercel: { team_id: 'team_1', base_url: 'https://api.vercel.com', auth: { bearer_env: 'FIRST_TOKEN' } } },
    },
  ],
];

describe('no member of a plan that a request follows from is changed under a digest', () => {
  it.each(kinds)('%s', async (_, plan) => {
    const sample = JSON.parse(JSON.stringify(plan)) as Json;
    const before = await digestOf(sample);
    expect(before).not.toBeNull();
    const held: string[] = [];
    let seen = 0;
    for (const { at, value } of changesOf(sample)) {
      const after = await digestOf(value);
      if (after !== null) seen += 1;
      if (after === before && !isOfNoRequest(at)) held.push(at);
    }
    expect(held).toEqual([]);
    // Not all of them are refused, or nothing would have been compared.
    expect(seen).toBeGreaterThan(3);
  });
});

describe('no variable that says where something is sent is changed under a digest', () => {
  const oauth = planWith(action, { ...block, auth: authForms[4] as Json });
  const vault = planWith({ ...action, request: { ...action.request, headers: { 'x-key': { secret: 'vault://kv/shop#key' } } } });
  it.each([
    ['the base URL', planWith(action), { THINGS_ADDRESS: 'https://thief.example/v1' }],
    ['the base URL by the name of the API', planWith(action), { THINGS_API_URL: 'https://thief.example/v1' }],
    ['the token endpoint', oauth, { TOKEN_ADDRESS: 'https://thief.example/token' }],
    ['the audience of a token', oauth, { TOKEN_AUDIENCE: 'https://thief.example/' }],
    ['the server of secrets', vault, { VAULT_ADDR: 'https://thief.example' }],
    ['the namespace of secrets', vault, { VAULT_NAMESPACE: 'thief' }],
  ])('%s', async (_, plan, env) => {
    const before = await digestOf(plan);
    expect(before).not.toBeNull();
    expect(await digestOf(plan, { env })).not.toBe(before);
  });
});

describe('a digest holds', () => {
  it('whatever a secret, a comment or the spacing of the plan is', async () => {
    const plan = planWith({ ...action, request: { ...action.request, headers: { 'x-key': { secret: 'env://FIRST_TOKEN' } } } });
    const before = await digestOf(plan);
    expect(await digestOf(plan, { env: { FIRST_TOKEN: 'another-token-0123456789' } })).toBe(before);
    expect(await digestOf(`# words\n${JSON.stringify(plan, null, 3)}\n# more\n`)).toBe(before);
  });

  it('for as many requests at once as somebody likes', async () => {
    expect(await digestOf(planWith(action, { ...block, concurrency: 5 }))).toBe(await digestOf(planWith(action)));
  });
});

it('a literal that looks as a reference does inside is not one', async () => {
  const bodies: readonly Json[] = [
    { secret: 'env://FIRST_TOKEN' },
    { reference: 'env://FIRST_TOKEN' },
    '[sealed]',
    ['secret', 'env://FIRST_TOKEN'],
  ];
  const digests = new Set<string | null>();
  for (const a of bodies) digests.add(await digestOf(planWith({ ...action, request: { ...action.request, body: { a } } })));
  expect(digests.size).toBe(bodies.length);
});

describe('the code that makes requests of a plan', () => {
  it('is covered for every recipe: no part of its template changes under a digest', async () => {
    const held: string[] = [];
    for (const { name } of await familyNames()) {
      const family = await loadFamily(name);
      for (const [opName, op] of Object.entries(family.ops)) {
        const partOf = (changed: typeof op): string =>
          hashJson(familyAdapter({ ...family, ops: { [opName]: changed } }).ops[opName]?.template ?? null);
        const before = partOf(op);
        for (const { at, value } of changesOf(JSON.parse(JSON.stringify(op)) as Json)) {
          const isLeftOut = at === 'outputs taken away' && Object.keys(op.outputs).length === 0;
          if (isSaidToPeople(at) || isLeftOut) continue;
          if (partOf(value as unknown as typeof op) === before) held.push(`${name}.${opName}: ${at}`);
        }
      }
    }
    expect(held.slice(0, 20)).toEqual([]);
  });

  /** Params are checked by these and stand in the line with their defaults; the rest is text for people and the line's own. */
  const isSaidToPeople = (at: string): boolean =>
    /^(doc|notes|destroys|destroy|params|limits|spelled|example|alias|title)\b/.test(at) || /^outputs\.[^.]+\.doc\b/.test(at);

  it('is covered for the default of a param', async () => {
    const line = { recipe: 'cloudflare.dns_cname', zone_id: seed.zone.id, name: `pr-12.${seed.zone.name}`, target: 'cname.example' };
    const before = await digestOf(planWith(line));
    expect(await digestOf(planWith({ ...line, proxied: true }))).not.toBe(before);
  });

  it('is covered for a plugin, with what it imports, also later', async () => {
    const plugin = (more: string): string => `import { path } from './more.mjs'; ${more}
      const provider = { base_url: 'https://api.example', auth: null };
      const send = async (io) => (await io.http.send({ method: 'POST', path }, { purpose: 'write' }), { outputs: {} });
      const bind = () => ({ kind: 'action', key: 'go', fields: { a: 1 }, reach: { kind: 'none' }, send });
      const ops = { go: { kind: 'action', doc: '', params: {}, outputs: {}, bind } };
      const load = async () => ({ ...(await import('./late.mjs')), name: 'mine', title: 'Mine', docs: '', provider, ops });
      export function register(registry) { registry.addLateAdapter({ name: 'mine', load }); }`;
    const digestWith = async (name: string, [more = '', target = '', late = '']: readonly string[]): Promise<unknown> => {
      const cwd = path.join(shop.folder, name);
      await mkdir(cwd);
      await writeFile(path.join(cwd, 'release.plan.yaml'), JSON.stringify(planWith({ adapter: 'mine', op: 'go' }, null)));
      await writeFile(path.join(cwd, 'plugin.mjs'), plugin(more));
      await writeFile(path.join(cwd, 'more.mjs'), `export const path = ${JSON.stringify(target)}`);
      await writeFile(path.join(cwd, 'late.mjs'), `export const late = 1 ${late}`);
      // A process of its own: what tests import goes by the loader of their runner.
      const env = { PATH: process.env.PATH ?? '', HOME: cwd, PILOTFISH_PLUGINS: './plugin.mjs' };
      const { stdout } = await execute(process.execPath, [path.join(root, 'src/cli/pilotfish.ts'), 'plan', '--scope=s', '--json'], {
        cwd,
        env,
      });
      return JSON.parse(stdout).digest;
    };
    const before = await digestWith('a', ['', '/a', '']);
    expect(before).toMatch(/^[0-9a-f]{16}$/);
    expect(await digestWith('b', ['', '/a', ''])).toBe(before);
    expect(await digestWith('c', ['// other', '/a', ''])).not.toBe(before);
    expect(await digestWith('d', ['', '/thief', ''])).not.toBe(before);
    expect(await digestWith('e', ['', '/a', '// late'])).not.toBe(before);
  });

  it('tells nothing where there is no plugin', async () => {
    expect((await openRegistry({ env: {}, cwd: '/' })).pluginCode).toBeUndefined();
  });
});

describe('a value that a provider gives', () => {
  /** The action takes what stands as the comment of the record. */
  const plan = planWith({ ...action, request: { ...action.request, body: { to: { from: 'thing.note' } } } }, block, [
    { ...recordLine, outputs: { note: '/comment' } },
  ]);
  const record = () => shop.records().find(({ name }) => name === recordName);

  it('is covered where it goes into the body of an action', async () => {
    await shop.write(JSON.stringify(plan));
    await shop.apply({ env: secrets, only: ['thing'] });
    Object.assign(record() ?? {}, { comment: 'one.example' });
    const before = await digestOf(plan);
    Object.assign(record() ?? {}, { comment: 'thief.example' });
    expect(await digestOf(plan)).not.toBe(before);
    await expect(shop.apply({ env: secrets, expect: before })).rejects.toMatchObject({ code: 'DIGEST_MISMATCH' });
  });

  it('is no other one by the time it is sent', async () => {
    // The record is written first, so that the action looks when its turn comes.
    const changed = JSON.parse(JSON.stringify(plan).replace('"cname.example"', '"next.example"')) as Json;
    const before = await digestOf(changed);
    shop.world.cloudflare.watch(({ phase, method }) => {
      if (phase === 'before' && method === 'PATCH') Object.assign(record() ?? {}, { comment: 'other.example' });
    });
    const doc = await shop.apply({ env: secrets, expect: before });
    expect(doc.lines.map(({ id, error }) => [id, error?.code])).toEqual([
      ['thing', undefined],
      ['one', 'DIGEST_MISMATCH'],
    ]);
  });
});
