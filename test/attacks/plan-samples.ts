import { seed } from 'pilotfish-sandbox/all';
import type { Json } from '../../src/core/json.ts';

export const dnsPath = `/zones/${seed.zone.id}/dns_records`;
export const block = {
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
export const authForms: readonly Json[] = [
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

export const planWith = (line: { readonly [name: string]: Json }, things: Json = block, more: readonly Json[] = []): Json => ({
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
export const action = {
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
export const kinds: readonly (readonly [what: string, plan: Json])[] = [
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
