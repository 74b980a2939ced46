import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ProviderBlock } from '../../src/http/types.ts';
import { identityOf } from '../../src/ops/provider.ts';
import { familyAdapter } from '../../src/recipes/expand.ts';
import { familiesFolder } from '../../src/recipes/family-files.ts';
import { parseFamily } from '../../src/recipes/parse-family.ts';
import type { Api, ApiOptions } from './api.ts';
import { entry, thing } from './lines.ts';
import { done, type Row, refused, row, verdicts } from './rows.ts';

const identities = async (api: Api) =>
  [...(await api.ledger()).records.values()].map(({ identity, recordId }) => `${identity} ${recordId}`).sort();

/** Written by a recipe and by hand: either takes the other's place and nothing is sent but reads. */
const interchangeable = (
  says: string,
  o: ApiOptions & { readonly byHand: { readonly [member: string]: unknown }; readonly block: { readonly [member: string]: unknown } },
): Row =>
  row(says, { ...o, blocks: { plain: o.block }, block: {} }, async (api) => {
    done(await api.apply());
    const first = await identities(api);
    assert.equal(first.length, 1);
    for (const lines of [[o.byHand], o.lines]) {
      await api.write(lines);
      api.sent();
      // The record takes over the id of the line and what a destroy would do. Nothing is written at the provider.
      const [verdict, ...others] = verdicts(done(await api.apply()));
      assert.deepEqual([['none', 'record', 'rename'].includes(String(verdict)), others], [true, []]);
      assert.deepEqual(
        api.sent().filter((one) => !one.startsWith('GET ') && !one.includes('/oauth/token')),
        [],
      );
      assert.deepEqual(await identities(api), first);
    }
  });

const zone = '023e105f4ecef8ad9ca31a8372d0c353';
const records = `/client/v4/zones/${zone}/dns_records`;
const auth0 = {
  base_url: 'https://shop.eu.auth0.com/api/v2',
  auth: {
    oauth_client_credentials: {
      client_id_env: 'AUTH0_CLIENT_ID',
      client_secret_env: 'AUTH0_CLIENT_SECRET',
      token_url_env: 'AUTH0_TOKEN_URL',
      audience_env: 'AUTH0_MANAGEMENT_AUDIENCE',
    },
  },
};

const keeper = `
export function register(registry) {
  const bind = () => ({
    kind: 'object', key: 'lamp', fields: {},
    reach: { kind: 'object', find: { request: { method: 'GET', path: '/things' }, list: '/items', match: {}, id: '/id' }, remove: null },
    find: async (io) => { await io.http.send({ method: 'GET', path: '/things' }, { purpose: 'read', signal: io.signal }); return []; },
    create: async (io) => { const { body } = await io.http.send({ method: 'POST', path: '/things', body: {} }, { purpose: 'write', signal: io.signal, retry: 'none' }); return { id: body.id, values: {}, outputs: { id: body.id, colour: 'red' } }; },
  });
  const params = { region: { type: 'string', doc: 'Where it hangs.' } };
  const plain = { kind: 'object', doc: 'A lamp.', params, outputs: { id: { doc: 'Its id.' } }, bind };
  registry.addAdapter({
    name: 'keeper', title: 'Keeper', docs: 'https://keeper.example/docs',
    provider: { base_url: 'https://api.keeper.example', auth: { bearer_env: 'ACME_TOKEN' } },
    ops: {
      plain,
      hooked: {
        ...plain,
        providerFor: (block, { region }) => ({ ...block, base_url: 'https://' + region + '.keeper.example' }),
        outputsFor: ({ region }) => ({ id: { doc: 'Its id.' }, ...(region === 'north' && { colour: { doc: 'Its colour.' } }) }),
      },
    },
  });
}`;

const withKeeper = (says: string, lines: ApiOptions['lines'], check: (api: Api) => Promise<void>): Row =>
  row(says, { lines, env: { PILOTFISH_PLUGINS: './keeper.mjs' } }, async (api) => {
    await writeFile(path.join(api.folder, 'keeper.mjs'), keeper);
    await check(api);
  });

export const rows: readonly Row[] = [
  row('Adding a second API re-identifies nothing.', { lines: [thing()] }, async (api) => {
    done(await api.apply());
    const before = await identities(api);
    await api.write([thing()], {}, { other: { base_url: 'https://other.example', auth: { bearer_env: 'OTHER_TOKEN' } } });
    assert.deepEqual(verdicts(done(await api.apply())), ['none']);
    assert.deepEqual(await identities(api), before);
  }),
  {
    says: 'Changing the docs, the params or the assumptions of a recipe re-identifies nothing.',
    check: async () => {
      const text = await readFile(new URL('cloudflare.yaml', familiesFolder), 'utf8');
      const changed = text
        .replace(/doc: CNAME record of a zone\..*/, 'doc: Another text.')
        .replace(/^verified: .*/m, 'verified: 2026-01-01')
        .replace('      comment: {', '      note: { type: string, doc: A new param. }\n      comment: {')
        .replace('comment: { param: comment }', 'comment: { param: comment }\n        note: { param: note }')
        .replace(/needs: A token.*/, 'needs: Something else.');
      assert.notEqual(changed, text);
      const ids = [text, changed].map((one) => {
        const adapter = familyAdapter(parseFamily(one, 'cloudflare'));
        const block: ProviderBlock = { api: 'cloudflare', base_url: adapter.provider.base_url ?? '', auth: adapter.provider.auth };
        const bound = adapter.ops.dns_cname?.bind(
          { zone_id: zone, name: 'pr-12.example.com', target: 'x.example.com', ttl: 1, proxied: false },
          { block, environment: 'preview', scope: 'pr-12', sha: null, branch: null },
        );
        return [identityOf('http', block, bound?.key ?? ''), JSON.stringify(bound?.reach)];
      });
      assert.deepEqual(ids[0], ids[1]);
    },
  },
  ...Object.entries({
    'base address': { base_url: 'https://eu.acme.example' },
    'credential variable': { auth: { bearer_env: 'EU_TOKEN' } },
    headers: { headers: { 'X-Team': 'eu' } },
    encoding: { encoding: 'form' },
  }).map(([what, change]) =>
    row(
      `Editing the ${what} of an API block re-identifies its resources.`,
      { lines: [entry()], env: { EU_TOKEN: 'token-of-acme-2' } },
      async (api) => {
        api.shelf.boxes.set('mail', { entries: [] });
        done(await api.apply());
        await api.write([entry()], change);
        const { doc } = await api.plan();
        assert.equal(doc?.orphans.length, 1);
      },
    ),
  ),
  interchangeable('A recipe whose expanded requests equal those of a hand-written line is the same resource: an object.', {
    lines: [{ id: 'dns', recipe: 'cloudflare.dns_cname', zone_id: zone, name: 'pr-12.example.com', target: 'x.example.com' }],
    env: { CLOUDFLARE_API_TOKEN: 'token-of-cloudflare' },
    block: { base_url: 'https://api.cloudflare.com/client/v4', auth: { bearer_env: 'CLOUDFLARE_API_TOKEN' } },
    byHand: {
      id: 'by-hand',
      adapter: 'http',
      op: 'resource',
      api: 'plain',
      find: {
        path: `/zones/${zone}/dns_records`,
        query: { type: 'CNAME', 'name.exact': 'pr-12.example.com', per_page: '100' },
        page: { kind: 'page', param: 'page', size: 100 },
        list_path: '/result',
        match: { name: 'pr-12.example.com', type: 'CNAME' },
      },
      create: { path: `/zones/${zone}/dns_records`, body: { type: 'CNAME', name: 'pr-12.example.com' } },
      update: { path: `/zones/${zone}/dns_records/{id}`, body: { type: 'CNAME', name: 'pr-12.example.com' } },
      delete: { path: `/zones/${zone}/dns_records/{id}` },
      coexist: false,
      fields: { content: 'x.example.com', ttl: 1, proxied: false },
      item_path: '/result',
      exists_match: { '/errors/0/code': 81053 },
      gone_match: { '/errors/0/code': 81044 },
      created_at: '/created_on',
    },
    answer: ({ method, path: at, body }, { things }) => {
      if (!at.startsWith(records)) return null;
      if (method === 'GET') return { body: { result: [...things.values()] } };
      const made = { id: 'r1', created_on: '2026-11-21T10:00:00Z', ...(body as object) };
      things.set('r1', made);
      return { body: { result: made } };
    },
  }),
  interchangeable('The same for an entry of a list.', {
    lines: [{ id: 'callback', recipe: 'auth0.callback_url', client_id: 'client-1', url: 'https://pr-12.example/callback' }],
    env: { AUTH0_API_URL: auth0.base_url, AUTH0_CLIENT_ID: 'us', AUTH0_CLIENT_SECRET: 'secret-of-auth0', PLAIN_API_URL: auth0.base_url },
    block: auth0,
    byHand: {
      id: 'by-hand',
      adapter: 'http',
      op: 'list_item',
      api: 'plain',
      parent: {
        path: '/clients/client-1',
        method: 'PATCH',
        read_path: '/clients/client-1?fields=client_id,callbacks,allowed_logout_urls,web_origins,allowed_origins&include_fields=true',
      },
      list_path: '/callbacks',
      item: 'https://pr-12.example/callback',
    },
    answer: ({ method, path: at, body }, { boxes }) => {
      if (at === '/oauth/token') return { body: { access_token: 'token-of-auth0', token_type: 'Bearer', expires_in: 86_400 } };
      if (method === 'PATCH') boxes.set('client', { ...boxes.get('client'), ...(body as object) });
      return { body: boxes.get('client') ?? { callbacks: [] } };
    },
  }),
  withKeeper(
    'An adapter may opt in to `providerFor(block, params)`: the block that it gives is sent to, and is the identity.',
    [{ id: 'lamp', adapter: 'keeper', op: 'hooked', region: 'north' }],
    async (api) => {
      done(await api.apply());
      assert.deepEqual(
        [...(await api.ledger()).records.values()].map(({ provider }) => provider.base_url),
        ['https://north.keeper.example'],
      );
    },
  ),
  withKeeper(
    'An adapter may opt in to `outputsFor(params)`: what it names can be referred to.',
    [{ id: 'lamp', adapter: 'keeper', op: 'hooked', region: 'north' }, thing({ fields: { name: 'one', note: { from: 'lamp.colour' } } })],
    async (api) => {
      done(await api.apply());
      assert.ok([...api.shelf.things.values()].some(({ note }) => note === 'red'));
      await api.write([
        { id: 'lamp', adapter: 'keeper', op: 'hooked', region: 'south' },
        thing({ fields: { name: 'one', note: { from: 'lamp.colour' } } }),
      ]);
      refused(await api.plan(), 'REF_OUTPUT_UNKNOWN', 'colour');
    },
  ),
  withKeeper(
    'Adapters without these hooks behave as before.',
    [{ id: 'lamp', adapter: 'keeper', op: 'plain', region: 'north' }],
    async (api) => {
      done(await api.apply());
      assert.deepEqual(
        [...(await api.ledger()).records.values()].map(({ provider }) => provider.base_url),
        ['https://api.keeper.example'],
      );
    },
  ),
  ...Object.entries({
    'a header that carries a date': { headers: { 'X-Version': '2026-11-21' } },
    'a versioned media type': { media_type: 'application/vnd.acme.2026-11-21+json' },
    'a version in the path': { base_url: 'https://api.acme.example/v7' },
  }).map(([how, block]) =>
    row(`A provider's API version is pinned by ${how}.`, { lines: [entry(), thing()], block }, async ({ plan, seen }) => {
      await plan();
      assert.ok(seen.length > 0);
      for (const { path: at, headers } of seen) {
        const pinned = [headers.get('x-version'), headers.get('accept'), at.startsWith('/v7/') ? '/v7' : null];
        assert.ok(pinned.some((one) => one !== null && /2026-11-21|\/v7/.test(one)));
      }
    }),
  ),
  row(
    "A provider's API version is pinned by a query parameter.",
    { lines: [thing({ find: { path: '/things', query: { 'api-version': '2026-11-21' }, list_path: '/items', match: { name: 'one' } } })] },
    async ({ plan, sent }) => {
      done(await plan());
      assert.deepEqual(sent(), ['GET /things?api-version=2026-11-21']);
    },
  ),
];
