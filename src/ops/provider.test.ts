import { expect, test } from 'vitest';
import { Failures } from '../core/errors.ts';
import type { Json, JsonMap } from '../core/json.ts';
import type { ProviderBlock } from '../http/types.ts';
import type { ProviderEntry } from '../plan/types.ts';
import type { ProviderDefaults } from './op.ts';
import { blockIdentity, identityOf, resolveBlock } from './provider.ts';

const defaults: ProviderDefaults = {
  base_url: 'https://api.vercel.com',
  auth: { bearer_env: 'VERCEL_TOKEN' },
  headers: { 'X-Version': '1' },
  settings: { team_id: { doc: 'The team.' } },
};

// The place shows the path: the column is its depth, so a test can see the blamed key.
const entryOf = (values: { [key: string]: Json }): ProviderEntry => {
  const lines = Object.keys(values);
  return {
    name: 'vercel',
    place: { file: 'p.yaml', line: 1, column: 1 },
    values,
    placeOf: (path) => ({ file: 'p.yaml', line: 2 + lines.indexOf(String(path[0])), column: path.length }),
  };
};
const resolve = (values?: { [key: string]: Json }, env: NodeJS.ProcessEnv = {}, own: Partial<ProviderDefaults> = {}): ProviderBlock =>
  resolveBlock({ name: 'vercel', defaults: { ...defaults, ...own }, entry: values && entryOf(values), env });
const failuresOf = (act: () => unknown): Failures['failures'] => {
  try {
    act();
  } catch (thrown) {
    if (thrown instanceof Failures) return thrown.failures;
    throw thrown;
  }
  throw new Error('nothing was refused');
};

test('without an entry the defaults are the block', () => {
  expect(resolve()).toEqual({
    api: 'vercel',
    base_url: 'https://api.vercel.com',
    auth: { bearer_env: 'VERCEL_TOKEN' },
    headers: { 'X-Version': '1' },
  });
});

test('the plan overrides defaults; header names are equal whatever their case', () => {
  const block = resolve({
    base_url: 'https://proxy.example.com/v//',
    auth: { header: 'X-Key', value_env: 'A_KEY', prefix: 'Key ' },
    headers: { 'x-version': '2', Accept: 'application/json' },
    encoding: 'form',
    form_arrays: 'repeat',
    concurrency: 4,
    team_id: 'team_1',
  });
  expect(block).toEqual({
    api: 'vercel',
    base_url: 'https://proxy.example.com/v',
    auth: { header: 'X-Key', value_env: 'A_KEY', prefix: 'Key ' },
    headers: { 'x-version': '2', Accept: 'application/json' },
    encoding: 'form',
    form_arrays: 'repeat',
    concurrency: 4,
    settings: { team_id: 'team_1' },
  });
});

test('a variable overrides the base URL and its name is kept', () => {
  expect(resolve({ base_url: 'https://a.example.com' }, { VERCEL_API_URL: 'http://127.0.0.1:99/vercel/' })).toMatchObject({
    base_url: 'http://127.0.0.1:99/vercel',
    base_url_env: 'VERCEL_API_URL',
  });
  const both = { MY_URL: 'https://my.example.com', VERCEL_API_URL: 'https://other.example.com' };
  expect(resolve({ base_url_env: 'MY_URL' }, both)).toMatchObject({ base_url: 'https://my.example.com', base_url_env: 'MY_URL' });
  expect(resolve({ base_url_env: 'MY_URL' }, { MY_URL: '' })).not.toHaveProperty('base_url_env');
  const odd = resolveBlock({ name: 'my-api.eu', defaults, entry: undefined, env: { MY_API_EU_API_URL: 'https://eu.example.com' } });
  expect(odd.base_url).toBe('https://eu.example.com');
});

test.each([
  ['http://api.example.com', 'is not https'],
  ['https://user:hunter2@api.example.com', 'holds a user or password'],
  ['https://api.example.com?x=1', 'holds a query'],
  ['api.example.com', 'is not a URL'],
  ['ftp://127.0.0.1', 'is not https'],
  ['http://127.0.0.1.example.com', 'is not https'],
])('the address %s is refused', (url, words) => {
  const [failure] = failuresOf(() => resolve({ base_url: url }));
  expect(failure.detail).toContain(words);
  expect(failure.detail).not.toContain('hunter2');
  expect(failure.place).toMatchObject({ line: 2 });
  expect(failuresOf(() => resolve(undefined, { VERCEL_API_URL: url }))[0].detail).toContain('VERCEL_API_URL');
});

test('an address of this machine may be http', () => {
  for (const url of ['http://localhost:1', 'http://127.8.0.1', 'http://[::1]:2/x', 'http://a.localhost']) {
    expect(resolve({ base_url: url }).base_url).toBe(url);
  }
});

test('a block without any address names the ways to give one, unless its line sends to absolute URLs only', () => {
  const [failure] = failuresOf(() => resolve({}, {}, { base_url: null, base_url_env: 'TENANT_URL' }));
  expect(failure.code).toBe('PLAN_INVALID');
  expect(failure.fix).toContain('TENANT_URL or VERCEL_API_URL');
  const request = { name: 'x', defaults: { base_url: null, auth: null }, entry: undefined, env: {}, baseless: true };
  expect(resolveBlock(request)).toEqual({ api: 'x', base_url: '', auth: null });
});

test('every mistake in a block is reported at its place', () => {
  const failures = failuresOf(() =>
    resolve({ base_ur: 'x', encoding: 'yaml', concurrency: 0, headers: { Authorization: 'Bearer x' }, team_id: 5, media_type: 'json' }),
  );
  expect(failures.map((failure) => [failure.code, failure.place?.line]).sort()).toEqual(
    [
      ['PLAN_INVALID', 2],
      ['PLAN_INVALID', 3],
      ['PLAN_INVALID', 4],
      ['SECRET_LITERAL', 5],
      ['PLAN_INVALID', 6],
      ['PLAN_INVALID', 7],
    ].sort(),
  );
  expect(failures.map((failure) => failure.detail).join('\n')).toContain('Did you mean "base_url"?');
  expect(failures.map((failure) => failure.detail).join('\n')).toContain('encoding must be one of json, form, xml, multipart');
});

test.each<[Json, string]>([
  ['VERCEL_TOKEN', 'one credential form'],
  [{}, 'no known credential form'],
  [{ beare_env: 'A_TOKEN' }, 'Did you mean "bearer_env"?'],
  [{ bearer_env: 'A_TOKEN', basic: { user: 'api', password_env: 'P_KEY' } }, 'exactly one credential form'],
  [{ bearer_env: 'sk-live-123' }, 'never its value'],
  [{ bearer_env: 'MY_VALUE' }, 'does not end like that of a secret'],
  [{ bearer_env: 'A_TOKEN', prefix: 'x' }, 'not part of this credential form'],
  [{ header: 'X-Key' }, 'needs value_env'],
  [{ header: 'X Key', value_env: 'A_KEY' }, 'not the name of a header'],
  [{ header: 'X-Key', value_env: 'A_KEY', user_env: 'not a name' }, 'user_env'],
  [{ headers: [] }, 'a list of'],
  [{ headers: [{ header: 'A', value_env: 'lower' }] }, 'does not end like'],
  [{ basic: { password_env: 'A_PASSWORD' } }, 'exactly one of user_env and user'],
  [{ basic: { user: 'api', password: 'hunter2' } }, 'names of variables only'],
  [{ oauth_client_credentials: { client_id_env: 'A_CLIENT_ID' } }, 'needs client_secret_env'],
  [
    { oauth_client_credentials: { client_id_env: 'A_ID', client_secret_env: 'A_SECRET', token_url: 'http://example.com/t' } },
    'token_url is not https',
  ],
  ...['//evil.example/t', '/\\\\evil.example', 'oauth/token', '/', '/t?x=1', '/a/../b%2f'].map((token_path): [Json, string] => [
    { oauth_client_credentials: { client_id_env: 'A_ID', client_secret_env: 'A_SECRET', token_path } },
    'token_path must be a path at the origin of base_url',
  ]),
  [
    { oauth_client_credentials: { client_id_env: 'A_ID', client_secret_env: 'A_SECRET', audience: 'urn:a', audience_path: '/api' } },
    'takes audience or audience_path, not both',
  ],
  [{ aws_v4: { access_key_id_env: 'A_ID', service: 's3' } }, 'needs secret_access_key_env'],
  [{ aws_v4: { access_key_id_env: 'A_ID', secret_access_key_env: 'A_KEY', service: 'S3/x' } }, 'service must be a name such as s3'],
  [
    { aws_v4: { access_key_id_env: 'A_ID', secret_access_key_env: 'A_KEY', service: 's3', region: 'x' } },
    'not part of this credential form',
  ],
  [{ aws_v4: 'AKIDEXAMPLE' }, 'a map of'],
  [{ command: 'gcloud auth print-access-token' }, 'a list of texts'],
  [{ command: [] }, 'a list of texts'],
  [{ command: ['gcloud', 7] }, 'argument 1 of auth.command is not text'],
  [{ command: ['gcloud auth print-access-token'] }, 'several words'],
  [{ command: ['-x'] }, 'begins with a flag'],
  [{ command: [' '] }, 'the name of a program'],
  [{ command: ['gcloud', 'a\nb'] }, 'control character'],
  [{ command: ['print', '--token', 'hunter2'] }, 'argument 2 of auth.command stands where the program takes a credential'],
  [{ command: ['print', '--api-key=hunter2'] }, 'argument 1 of auth.command stands where the program takes a credential'],
  [{ command: ['gcloud'], env: {} }, 'env is not part of this credential form'],
  [{ command: ['gcloud'], bearer_env: 'A_TOKEN' }, 'exactly one credential form'],
  [{ digest: { user_env: 'A_USER' } }, 'needs password_env'],
  [{ digest: { user_env: 'A_USER', password_env: 'A_VALUE' } }, 'does not end like'],
  [{ digest: { user_env: 'A_USER', password: 'hunter2' } }, 'not part of this credential form'],
])('the credential form %j is refused: %s', (auth, words) => {
  const failures = failuresOf(() => resolve({ auth }));
  expect(failures.map((failure) => failure.detail).join('\n')).toContain(words);
  expect(failures.map((failure) => failure.message).join('\n')).not.toMatch(/hunter2|sk-live/);
});

test.each<[Json]>([
  [null],
  [{ bearer_env: 'A_TOKEN' }],
  [{ header: 'Authorization', value_env: 'A_KEY' }],
  [
    {
      headers: [
        { header: 'A', value_env: 'A_KEY' },
        { header: 'B', value_env: 'B_KEY', prefix: 'b ' },
      ],
    },
  ],
  [{ basic: { user: 'api', password_env: 'A_KEY' } }],
  [{ basic: { user_env: 'ACCOUNT_SID', password: '' } }],
  [{ oauth_client_credentials: { client_id_env: 'A_CLIENT_ID', client_secret_env: 'A_CLIENT_SECRET', audience: 'https://x/' } }],
  [{ command: ['gcloud', 'auth', 'print-access-token'] }],
  [{ command: ['C:\\Program Files\\az.cmd', 'account', 'get-access-token', '--query', 'accessToken', '-o', 'tsv'] }],
  [{ digest: { user_env: 'A_PUBLIC_ID', password_env: 'A_PRIVATE_KEY' } }],
])('the credential form %j is taken as it is', (auth) => {
  expect(resolve({ auth }).auth).toEqual(auth);
});

const signed = { aws_v4: { access_key_id_env: 'AWS_ACCESS_KEY_ID', secret_access_key_env: 'AWS_SECRET_ACCESS_KEY', service: 's3' } };

test('a block that signs its requests names their region, and may name a session token', () => {
  const block = resolve({ auth: signed, region: 'eu-west-1', session_token_env: 'AWS_SESSION_TOKEN' });
  expect(block).toMatchObject({ auth: signed, region: 'eu-west-1', session_token_env: 'AWS_SESSION_TOKEN' });
  expect(resolve({ auth: signed }, {}, { region: 'auto', session_token_env: 'A_TOKEN' })).toMatchObject({
    region: 'auto',
    session_token_env: 'A_TOKEN',
  });
  for (const changed of [
    { ...block, region: 'eu-west-2' },
    { ...block, session_token_env: 'B_TOKEN' },
  ]) {
    expect(identityOf('http', changed, 'k')).not.toBe(identityOf('http', block, 'k'));
  }
});

test.each<[JsonMap, string]>([
  [{ auth: signed }, 'vercel signs its requests, so its block needs region'],
  [{ auth: signed, region: 'eu west' }, 'region must be a name such as eu-west-1'],
  [{ auth: signed, region: 'eu/west' }, 'region must be a name such as eu-west-1'],
  [{ auth: signed, region: 5 }, 'region must be text'],
  [{ auth: signed, region: 'eu-west-1', session_token_env: 'hunter2 hunter2' }, 'never its value'],
  [{ auth: signed, region: 'eu-west-1', session_token_env: 'AWS_SESSION' }, 'does not end like that of a secret'],
  [{ region: 'eu-west-1' }, 'region belongs only to the credential form aws_v4'],
  [{ auth: { bearer_env: 'A_TOKEN' }, session_token_env: 'B_TOKEN' }, 'session_token_env belongs only to the credential form aws_v4'],
  [{ auth: null, region: 'eu-west-1' }, 'region belongs only to the credential form aws_v4'],
])('the settings %j of a signing block are refused: %s', (values, words) => {
  const failures = failuresOf(() => resolve(values));
  expect(failures.map((failure) => failure.detail).join('\n')).toContain(words);
  expect(failures.map((failure) => failure.message).join('\n')).not.toContain('hunter2');
});

test('the region of a family does not forbid another credential form', () => {
  const block = resolve({ auth: { bearer_env: 'A_TOKEN' } }, {}, { auth: signed, region: 'auto' });
  expect(block).not.toHaveProperty('region');
});

test('an adapter may have a setting of the name region', () => {
  const own = { settings: { region: { doc: 'Where the database is.' } } };
  expect(resolve({ region: 'EU (Frankfurt)' }, {}, own).settings).toEqual({ region: 'EU (Frankfurt)' });
});

test('the identity of a block covers its requests, not its name or its speed', () => {
  const a = resolve({ concurrency: 2, encoding: 'json' });
  expect(blockIdentity(a)).toEqual({
    base_url: 'https://api.vercel.com',
    auth: { bearer_env: 'VERCEL_TOKEN' },
    headers: { 'x-version': '1' },
  });
  const other = { ...a, api: 'renamed', base_url_env: 'X', concurrency: 9 };
  expect(identityOf('vercel', other, 'k')).toBe(identityOf('vercel', a, 'k'));
  for (const changed of [
    { ...a, base_url: 'https://b.example.com' },
    { ...a, auth: { bearer_env: 'OTHER_TOKEN' } },
    { ...a, headers: { 'X-Version': '2' } },
    { ...a, encoding: 'form' as const },
    { ...a, settings: { team_id: 't' } },
  ]) {
    expect(identityOf('vercel', changed, 'k')).not.toBe(identityOf('vercel', a, 'k'));
  }
  expect(identityOf('http', a, 'k')).not.toBe(identityOf('vercel', a, 'k'));
  expect(identityOf('vercel', a, 'l')).not.toBe(identityOf('vercel', a, 'k'));
});

test('the error for a missing setting tells its purpose', () => {
  const own = { settings: { account_id: { doc: 'The account that owns the zone.', required: true } } };
  expect(failuresOf(() => resolve({}, {}, own))[0].detail).toContain('needs account_id: The account');
});
