import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { ApiOptions } from './api.ts';
import { entry, notice, thing } from './lines.ts';
import { done, type Row, refused, row } from './rows.ts';

const lines = [thing()];

/** A row whose API is asked with this form; the headers of the first request to it are what the check is given. */
const sends = (says: string, block: ApiOptions['block'], env: NodeJS.ProcessEnv, check: (headers: Headers) => void): Row =>
  row(says, { lines, block: block ?? {}, env }, async ({ plan, seen }) => {
    done(await plan());
    const [first] = seen;
    assert.ok(first);
    check(first.headers);
  });

const pair = { PAIR_ID: 'client-1', PAIR_SECRET: 'secret-of-the-pair' };
const oauth = { oauth_client_credentials: { client_id_env: 'PAIR_ID', client_secret_env: 'PAIR_SECRET' } };

/** A token endpoint beside the API; each token is another one. */
function tokens(lifetime: number, isGood: (token: number) => boolean = () => true): NonNullable<ApiOptions['answer']> {
  let count = 0;
  return ({ path, headers }) => {
    if (path === '/oauth/token') {
      count += 1;
      return { body: { access_token: `access-token-number-${count}`, token_type: 'Bearer', expires_in: lifetime } };
    }
    const number = Number(/-(\d+)$/.exec(headers.get('authorization') ?? '')?.[1] ?? 0);
    return isGood(number) ? null : { status: 401, body: { error: 'expired' } };
  };
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** Takes Digest as RFC 7616 says, MD5 with qop auth. */
const digestServer: NonNullable<ApiOptions['answer']> = ({ method, path, headers }) => {
  const header = headers.get('authorization') ?? '';
  const part = (name: string): string => new RegExp(`\\b${name}="?([^",]+)"?`).exec(header)?.[1] ?? '';
  const ha1 = md5('client-1:acme:secret-of-the-pair');
  const response = md5(`${ha1}:n-1:${part('nc')}:${part('cnonce')}:auth:${md5(`${method}:${path}`)}`);
  if (part('response') === response) return null;
  return { status: 401, headers: { 'www-authenticate': 'Digest realm="acme", nonce="n-1", algorithm=MD5, qop="auth"' } };
};

const program = (text: string): readonly string[] => [process.execPath, '-e', text];

export const rows: readonly Row[] = [
  sends('`{ bearer_env }` sends `Authorization: Bearer <value>`.', {}, {}, (headers) =>
    assert.equal(headers.get('authorization'), 'Bearer token-of-acme-1'),
  ),
  sends(
    '`{ header, value_env, prefix? }` sends the named header, with literal text before the value.',
    { auth: { header: 'Authorization', value_env: 'ACME_TOKEN', prefix: 'SSWS ' } },
    {},
    (headers) => assert.equal(headers.get('authorization'), 'SSWS token-of-acme-1'),
  ),
  sends(
    'Some providers take the token as the whole Authorization value.',
    { auth: { header: 'Authorization', value_env: 'ACME_TOKEN' } },
    {},
    (headers) => assert.equal(headers.get('authorization'), 'token-of-acme-1'),
  ),
  sends(
    '`{ headers: [...] }` sends several credential headers together.',
    {
      auth: {
        headers: [
          { header: 'X-Api-Key', value_env: 'ACME_TOKEN' },
          { header: 'X-App-Key', value_env: 'PAIR_SECRET' },
        ],
      },
    },
    pair,
    (headers) => assert.deepEqual([headers.get('x-api-key'), headers.get('x-app-key')], ['token-of-acme-1', 'secret-of-the-pair']),
  ),
  sends(
    '`{ basic: { user_env, password_env } }` sends HTTP Basic.',
    { auth: { basic: { user_env: 'PAIR_ID', password_env: 'PAIR_SECRET' } } },
    pair,
    (headers) => assert.equal(headers.get('authorization'), `Basic ${Buffer.from('client-1:secret-of-the-pair').toString('base64')}`),
  ),
  row(
    'OAuth 2.0 client credentials: the token is fetched with `grant_type`, `client_id`, `client_secret` and `audience`, and sent as bearer.',
    { lines, block: { auth: oauth }, env: pair, answer: tokens(3600) },
    async ({ plan, seen }) => {
      done(await plan());
      const form = new URLSearchParams(seen[0]?.text);
      assert.deepEqual(Object.fromEntries(form), {
        grant_type: 'client_credentials',
        client_id: 'client-1',
        client_secret: 'secret-of-the-pair',
        audience: 'https://api.acme.example/',
      });
      assert.equal(seen[1]?.headers.get('authorization'), 'Bearer access-token-number-1');
    },
  ),
  row(
    'Endpoint and audience are derived from `base_url`, with variables that override them.',
    {
      lines,
      block: {
        auth: {
          oauth_client_credentials: { ...oauth.oauth_client_credentials, token_url_env: 'ACME_TOKEN_URL', audience_env: 'ACME_AUDIENCE' },
        },
      },
      env: { ...pair, ACME_TOKEN_URL: 'https://login.acme.example/oauth/token', ACME_AUDIENCE: 'urn:acme' },
      answer: tokens(3600),
    },
    async ({ plan, seen }) => {
      done(await plan());
      assert.deepEqual([seen[0]?.host, new URLSearchParams(seen[0]?.text).get('audience')], ['login.acme.example', 'urn:acme']);
    },
  ),
  row(
    'A command-produced token is what a literal command prints, sent as bearer.',
    { lines, block: { auth: { command: program("console.log('token-that-was-printed')") } } },
    async ({ plan, seen }) => {
      done(await plan());
      assert.equal(seen[0]?.headers.get('authorization'), 'Bearer token-that-was-printed');
    },
  ),
  row(
    'Cloud request signing v4 signs every request, with key id, secret, session token and region.',
    {
      lines,
      block: {
        region: 'eu-central-1',
        session_token_env: 'AWS_SESSION_TOKEN',
        auth: { aws_v4: { access_key_id_env: 'PAIR_ID', secret_access_key_env: 'PAIR_SECRET', service: 'amplify' } },
      },
      env: { ...pair, AWS_SESSION_TOKEN: 'session-token-1' },
    },
    async ({ apply, seen }) => {
      done(await apply());
      const signatures = seen.map(({ headers }) => headers.get('authorization') ?? '');
      for (const signature of signatures)
        assert.match(
          signature,
          /^AWS4-HMAC-SHA256 Credential=client-1\/\d{8}\/eu-central-1\/amplify\/aws4_request, ?SignedHeaders=\S*x-amz-security-token\S*, ?Signature=[0-9a-f]{64}$/,
        );
      assert.equal(new Set(signatures).size, signatures.length);
      assert.ok(seen.every(({ headers }) => headers.get('x-amz-security-token') === 'session-token-1'));
    },
  ),
  row(
    'HTTP Digest: public key as user name, private key as password.',
    { lines, block: { auth: { digest: { user_env: 'PAIR_ID', password_env: 'PAIR_SECRET' } } }, env: pair, answer: digestServer },
    async ({ apply, seen }) => {
      done(await apply());
      assert.ok(seen.every(({ text }) => !text.includes('secret-of-the-pair')));
      assert.equal(seen.filter(({ headers }) => headers.get('authorization') === null).length, 1);
    },
  ),
  row(
    'Rule 1: the block holds variable names or a literal command; a value in it is refused.',
    { lines, block: { auth: { basic: { user: 'api', password: 'a-real-password-1' } } } },
    async ({ plan, sent }) => {
      const outcome = await plan();
      refused(outcome, 'SECRET_LITERAL');
      assert.doesNotMatch(JSON.stringify(outcome), /a-real-password/);
      assert.deepEqual(sent(), []);
    },
  ),
  row(
    'Rule 2: on a 401 the token is refreshed and the request sent once more, whatever its method.',
    { lines, block: { auth: oauth }, env: pair, answer: tokens(3600, (token) => token === 2) },
    async ({ apply, shelf, sent }) => {
      done(await apply());
      assert.equal(shelf.things.size, 1);
      assert.deepEqual(sent(), ['POST /oauth/token', 'GET /things', 'POST /oauth/token', 'GET /things', 'POST /things']);
    },
  ),
  row(
    'Rule 2: after that a 401 is final.',
    { lines, block: { auth: oauth }, env: pair, answer: tokens(3600, () => false) },
    async ({ plan, sent }) => {
      refused(await plan(), 'PROVIDER_AUTH');
      assert.equal(sent().filter((one) => one === 'GET /things').length, 2);
    },
  ),
  row(
    'Rule 3: one token a run and API block, however many lines use it.',
    {
      lines: ['a', 'b', 'c'].map((id) =>
        thing({ id, find: { path: '/things', list_path: '/items', match: { name: id } }, fields: { name: id } }),
      ),
      block: { auth: oauth },
      env: pair,
      answer: tokens(3600),
    },
    async ({ apply, sent }) => {
      done(await apply());
      assert.equal(sent().filter((one) => one === 'POST /oauth/token').length, 1);
    },
  ),
  row(
    "Rule 4: the adapter masks tokens also in the provider's own error text.",
    {
      lines,
      block: { auth: oauth },
      env: pair,
      answer: (seen, shelf) =>
        seen.path === '/oauth/token'
          ? tokens(3600)(seen, shelf)
          : { status: 400, body: { error: `bad token ${seen.headers.get('authorization')} of secret-of-the-pair` } },
    },
    async ({ plan }) => {
      const outcome = await plan();
      assert.ok(outcome.errors.length > 0);
      assert.doesNotMatch(JSON.stringify(outcome), /access-token-number|secret-of-the-pair/);
    },
  ),
  row(
    "Rule 6: `credential: { secret }` on a line replaces the block's value for that line only; header and prefix stay.",
    {
      lines: [
        thing({ credential: { secret: 'env://OTHER_TOKEN' } }),
        entry({ parent: { path: '/boxes/mail', method: 'PUT', if_missing: 'empty' } }),
      ],
      block: { auth: { header: 'X-Key', value_env: 'ACME_TOKEN', prefix: 'k ' } },
      env: { OTHER_TOKEN: 'token-of-the-line' },
    },
    async ({ plan, seen }) => {
      done(await plan());
      const of = (path: string) => seen.find((one) => one.path.startsWith(path))?.headers.get('x-key');
      assert.deepEqual([of('/things'), of('/boxes')], ['k token-of-the-line', 'k token-of-acme-1']);
    },
  ),
  row(
    "Rule 6: on an API of client credentials the line's value is the token, and none is fetched.",
    { lines: [thing({ credential: { secret: 'env://OTHER_TOKEN' } })], block: { auth: oauth }, env: { OTHER_TOKEN: 'token-of-the-line' } },
    async ({ plan, seen }) => {
      done(await plan());
      assert.deepEqual(
        seen.map(({ path, headers }) => `${path} ${headers.get('authorization')}`),
        ['/things Bearer token-of-the-line'],
      );
    },
  ),
  row(
    'Rule 6: with `credential: { from }` of a pending producer nothing is read, the diff is a create, and the line applies after its producer.',
    {
      lines: [
        thing({ outputs: { token: { path: '/token', sensitive: true, once: true } } }),
        thing({
          id: 'inside',
          credential: { from: 'thing.token' },
          destroy: 'keep',
          find: { path: '/inner', list_path: '/items', match: { name: 'in' } },
          create: { path: '/inner' },
          update: { path: '/inner/{id}' },
          delete: { path: '/inner/{id}' },
          fields: { name: 'in' },
        }),
      ],
      answer: ({ method, path, body, headers }, { things }) => {
        if (path === '/inner')
          return headers.get('authorization') === 'Bearer token-made-by-thing'
            ? { body: method === 'GET' ? { items: [] } : { id: 'i1', name: 'in' } }
            : { status: 401, body: {} };
        if (method !== 'POST') return null;
        things.set('t1', { id: 't1', ...(body as object) });
        return { status: 201, body: { ...things.get('t1'), token: 'token-made-by-thing' } };
      },
    },
    async ({ plan, apply, sent, ledger }) => {
      const planned = done(await plan());
      assert.deepEqual(
        planned.doc?.lines.map(({ verdict }) => verdict),
        ['create', 'create'],
      );
      assert.deepEqual(sent(), ['GET /things']);
      done(await apply());
      assert.deepEqual(
        sent().filter((one) => one.startsWith('POST')),
        ['POST /things', 'POST /inner'],
      );
      assert.ok(!JSON.stringify([...(await ledger()).records.values()]).includes('token-made-by-thing'));
    },
  ),
  row(
    'Rule 7: a refused credential is `PROVIDER_AUTH`.',
    { lines, block: { refuse_credential: { prefixes: ['token-of-'] } } },
    async ({ plan, sent }) => {
      refused(await plan(), 'PROVIDER_AUTH');
      assert.deepEqual(sent(), []);
    },
  ),
  row(
    'A variable of a secret must have a name that the redactor masks.',
    { lines, block: { auth: { bearer_env: 'ACME_LOGIN' } } },
    async ({ plan, sent }) => {
      refused(await plan(), 'PLAN_INVALID', 'does not end like that of a secret');
      assert.deepEqual(sent(), []);
    },
  ),
  row('A missing variable is named before any request.', { lines, env: { ACME_TOKEN: '' } }, async ({ plan, sent }) => {
    refused(await plan(), 'CREDENTIAL_MISSING', 'ACME_TOKEN');
    assert.deepEqual(sent(), []);
  }),
  row(
    'An absolute URL is sent without any credential unless `api` is named.',
    { lines: [notice()], answer: () => ({ body: {} }) },
    async ({ apply, seen }) => {
      done(await apply());
      assert.equal(seen[0]?.headers.get('authorization'), null);
    },
  ),
];
