import { describe, expect, it } from 'vitest';
import { Sealed } from '../../src/core/sealed.ts';
import { checkCredentials } from '../../src/http/auth/check.ts';
import { credentialVariables } from '../../src/http/auth/variables.ts';
import type { AuthForm, ProviderBlock } from '../../src/http/types.ts';
import { rest } from '../support/virtual-clock.ts';
import { block, failureOf, ok, world } from './harness.ts';

const env = { TOKEN: 'token-0123456789', APP_KEY: 'app-key-0123', SID: 'AC0123456789', PASS: 'pass-0123456789' };
const read = { purpose: 'read', retry: 'none' } as const;

async function headersWith(auth: AuthForm | null, credential: Sealed | null = null): Promise<Record<string, string>> {
  const { client, requests } = world(() => ok(), { env });
  await client.api({ ...block, auth }, { credential }).send({ method: 'GET', path: '/a' }, read);
  return Object.fromEntries(requests[0]?.headers ?? []);
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const own = new Sealed('line-credential-1', 'keys.secret');

describe('a credential form', () => {
  it('sends a bearer token, a header with its prefix, several headers, or Basic', async () => {
    expect(await headersWith({ bearer_env: 'TOKEN' })).toMatchObject({ authorization: 'Bearer token-0123456789' });
    expect(await headersWith({ header: 'Authorization', value_env: 'TOKEN', prefix: 'Token token=' })).toMatchObject({
      authorization: 'Token token=token-0123456789',
    });
    expect(await headersWith({ header: 'Authorization', user_env: 'SID', value_env: 'TOKEN' })).toMatchObject({
      authorization: 'AC0123456789:token-0123456789',
    });
    const headers = [
      { header: 'DD-API-KEY', value_env: 'TOKEN' },
      { header: 'DD-APPLICATION-KEY', value_env: 'APP_KEY' },
    ];
    expect(await headersWith({ headers })).toMatchObject({ 'dd-api-key': 'token-0123456789', 'dd-application-key': 'app-key-0123' });
    expect(await headersWith({ basic: { user_env: 'SID', password_env: 'PASS' } })).toMatchObject({
      authorization: basic('AC0123456789:pass-0123456789'),
    });
    expect(await headersWith({ basic: { user: 'api', password_env: 'PASS' } })).toMatchObject({
      authorization: basic('api:pass-0123456789'),
    });
    expect(await headersWith({ basic: { user_env: 'APP_KEY', password: '' } })).toMatchObject({ authorization: basic('app-key-0123:') });
    expect(await headersWith(null)).not.toHaveProperty('authorization');
  });

  it('keeps its header and prefix when a line brings a value of its own', async () => {
    expect(await headersWith({ bearer_env: 'UNSET' }, own)).toMatchObject({ authorization: 'Bearer line-credential-1' });
    expect(await headersWith({ header: 'X-Key', value_env: 'UNSET', prefix: 'v1 ' }, own)).toMatchObject({
      'x-key': 'v1 line-credential-1',
    });
    expect(await headersWith({ header: 'X-Key', user_env: 'SID', value_env: 'UNSET' }, own)).toMatchObject({
      'x-key': 'AC0123456789:line-credential-1',
    });
    expect(await headersWith({ basic: { user: 'api', password_env: 'UNSET' } }, own)).toMatchObject({
      authorization: basic('api:line-credential-1'),
    });
    expect(await headersWith({ basic: { user_env: 'UNSET_KEY' } }, own)).toMatchObject({ authorization: basic('line-credential-1:') });
  });

  it('refuses a value of a line where it cannot tell what it replaces', async () => {
    const headers = [
      { header: 'a', value_env: 'TOKEN' },
      { header: 'b', value_env: 'APP_KEY' },
    ];
    await expect(headersWith({ headers }, own)).rejects.toMatchObject({ code: 'PLAN_INVALID' });
    await expect(headersWith(null, own)).rejects.toMatchObject({ code: 'PLAN_INVALID' });
  });

  it('masks every secret of it before the first request, and not a user name', async () => {
    const { client, redactor } = world(() => ok(), { env });
    await client.api({ ...block, auth: { basic: { user_env: 'SID', password_env: 'PASS' } } }).send({ method: 'GET', path: '/a' }, read);
    expect(redactor.text('AC0123456789 pass-0123456789')).toBe('AC0123456789 ***');
    expect(redactor.text(basic('AC0123456789:pass-0123456789'))).not.toContain(Buffer.from('pass-012345').toString('base64').slice(0, 8));
    await client.api({ ...block, auth: { basic: { user_env: 'APP_KEY' } } }).send({ method: 'GET', path: '/a' }, read);
    expect(redactor.text('app-key-0123')).toBe('***');
  });

  it('is CREDENTIAL_MISSING with the variable when that is unset or empty', async () => {
    for (const value of [undefined, '', '  ']) {
      const { api, requests } = world(() => ok(), { env: value === undefined ? {} : { ACME_TOKEN: value } });
      await expect(api.send({ method: 'GET', path: '/a' }, read)).rejects.toMatchObject({
        code: 'CREDENTIAL_MISSING',
        detail: 'ACME_TOKEN is not set. It holds the credential of acme.',
      });
      expect(requests).toEqual([]);
    }
  });

  it('is taken without the line break that came with it, and refused with one inside or when too short', async () => {
    const pasted = world(() => ok(), { env: { ACME_TOKEN: 'token-0123456789\n' } });
    await pasted.api.send({ method: 'GET', path: '/a' }, read);
    expect(pasted.requests[0]?.headers.get('authorization')).toBe('Bearer token-0123456789');
    const broken = world(() => ok(), { env: { ACME_TOKEN: 'token-012\n3456789' } });
    await expect(broken.api.send({ method: 'GET', path: '/a' }, read)).rejects.toMatchObject({
      code: 'PROVIDER_AUTH',
      detail: expect.not.stringContaining('token-012'),
    });
    const short = world(() => ok(), { env: { ACME_TOKEN: 'abc' } });
    await expect(short.api.send({ method: 'GET', path: '/a' }, read)).rejects.toMatchObject({
      code: 'SECRET_UNRESOLVED',
      detail: expect.stringMatching(/^ACME_TOKEN has fewer than 6 characters/),
    });
  });
});

describe('the check before any request', () => {
  const form = (auth: AuthForm): ProviderBlock => ({ ...block, auth });

  it('names every variable of a form', () => {
    expect(credentialVariables(form({ basic: { user_env: 'SID', password_env: 'PASS' } }))).toEqual(['SID', 'PASS']);
    expect(credentialVariables(form({ basic: { user: 'api', password_env: 'PASS' } }))).toEqual(['PASS']);
    expect(credentialVariables(form({ oauth_client_credentials: { client_id_env: 'ID', client_secret_env: 'SECRET' } }))).toEqual([
      'ID',
      'SECRET',
    ]);
    expect(credentialVariables({ ...block, auth: null })).toEqual([]);
  });

  it('reports all that are missing', () => {
    expect(
      checkCredentials(form({ basic: { user_env: 'A', password_env: 'B' } }), { A: ' ' }).map(({ code, detail }) => [
        code,
        detail.split(' ')[0],
      ]),
    ).toEqual([
      ['CREDENTIAL_MISSING', 'A'],
      ['CREDENTIAL_MISSING', 'B'],
    ]);
    expect(checkCredentials(form({ bearer_env: 'TOKEN' }), env)).toEqual([]);
  });

  it('refuses a live key unless it is meant', async () => {
    const live: ProviderBlock = { ...block, refuse_credential: { prefixes: ['sk_live_', 'rk_live_'], unless_env: 'ALLOW_LIVE' } };
    const key = { ACME_TOKEN: 'sk_live_0123456789' };
    const [refusal] = checkCredentials(live, key);
    expect(refusal).toMatchObject({ code: 'PROVIDER_AUTH', fix: 'Use another credential, or set ALLOW_LIVE=1 if you mean this one.' });
    expect(refusal?.detail).not.toContain('0123456789');
    for (const meant of ['1', 'true', 'TRUE']) expect(checkCredentials(live, { ...key, ALLOW_LIVE: meant })).toEqual([]);
    for (const not of ['0', 'yes', '']) expect(checkCredentials(live, { ...key, ALLOW_LIVE: not })).toHaveLength(1);
    const { client, requests } = world(() => ok(), { env: { ACME_TOKEN: 'sk_test_0123456789' } });
    const override = new Sealed('rk_live_0123456789', 'keys.live');
    await expect(client.api(live, { credential: override }).send({ method: 'GET', path: '/a' }, read)).rejects.toMatchObject({
      code: 'PROVIDER_AUTH',
    });
    expect(requests).toEqual([]);
  });
});

describe('OAuth client credentials', () => {
  const auth = {
    oauth_client_credentials: { client_id_env: 'ID', client_secret_env: 'SECRET', audience_env: 'AUDIENCE', token_url_env: 'TOKEN_URL' },
  };
  const idp: ProviderBlock = { api: 'idp', base_url: 'https://tenant.idp.example/api/v2', auth };
  const oauthEnv = { ID: 'client-id', SECRET: 'client-secret-01' };
  const isToken = (request: Request) => request.url.endsWith('/oauth/token');

  /** Gives token-1, token-2, …; `answer` sees the API requests. */
  function server(answer: (request: Request) => Response, o: { readonly expires?: number; readonly env?: NodeJS.ProcessEnv } = {}) {
    let tokens = 0;
    const seen = world(
      (request) => {
        if (!isToken(request)) return answer(request);
        tokens += 1;
        return ok({ access_token: `access-token-${tokens}`, token_type: 'Bearer', expires_in: o.expires ?? 86_400 });
      },
      { env: o.env ?? oauthEnv },
    );
    return { ...seen, api: seen.client.api(idp, { line: 'urls' }), tokens: () => tokens };
  }

  it('fetches one token for all lines, form-encoded, with the audience, and uses it', async () => {
    const { client, api, requests, redactor, tokens } = server(() => ok());
    await Promise.all([1, 2, 3].map((n) => client.api(idp).send({ method: 'GET', path: `/x${n}` }, read)));
    await api.send({ method: 'GET', path: '/y' }, read);
    expect(tokens()).toBe(1);
    const [asked, ...others] = requests;
    expect(asked?.url).toBe('https://tenant.idp.example/oauth/token');
    expect(asked?.headers.get('content-type')).toMatch('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(await asked?.text()))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'client-id',
      client_secret: 'client-secret-01',
      audience: 'https://tenant.idp.example/api/v2/',
    });
    expect(others.map((request) => request.headers.get('authorization'))).toEqual(Array(4).fill('Bearer access-token-1'));
    expect(redactor.text('client-secret-01 access-token-1 client-id')).toBe('*** *** client-id');
    expect(client.stats).toEqual({ requests: 5, writes: 0 });
    expect(client.requestsOf('urls')).toBe(1);
  });

  it('takes token URL and audience from their variables', async () => {
    const { api, requests } = server(() => ok(), {
      env: { ...oauthEnv, AUDIENCE: 'urn:api', TOKEN_URL: 'https://login.example/tenant/oauth/token' },
    });
    await api.send({ method: 'GET', path: '/x' }, read);
    expect(requests[0]?.url).toBe('https://login.example/tenant/oauth/token');
    expect(new URLSearchParams(await requests[0]?.text()).get('audience')).toBe('urn:api');
  });

  it('takes token URL and audience as paths of the base URL, and the variables before them', async () => {
    const paths = { oauth_client_credentials: { ...auth.oauth_client_credentials, token_path: '/oauth2/token', audience_path: '/api' } };
    for (const [env, url, audience] of [
      [oauthEnv, 'https://tenant.idp.example/oauth2/token', 'https://tenant.idp.example/api'],
      [{ ...oauthEnv, AUDIENCE: 'urn:api', TOKEN_URL: 'https://login.example/t' }, 'https://login.example/t', 'urn:api'],
    ] as const) {
      const { client, requests } = world(() => ok({ access_token: 'access-token-1', token_type: 'Bearer', expires_in: 60 }), { env });
      await client.api({ ...idp, auth: paths }).send({ method: 'GET', path: '/x' }, read);
      expect(requests[0]?.url).toBe(url);
      expect(new URLSearchParams(await requests[0]?.text()).get('audience')).toBe(audience);
    }
  });

  it('sends the secret to no http address but loopback', async () => {
    const plain = server(() => ok(), { env: { ...oauthEnv, TOKEN_URL: 'http://login.example/oauth/token' } });
    await expect(plain.api.send({ method: 'GET', path: '/x' }, read)).rejects.toMatchObject({ code: 'PLAN_INVALID' });
    expect(plain.requests).toEqual([]);
    const loopback = server(() => ok(), { env: { ...oauthEnv, TOKEN_URL: 'http://127.0.0.1:8799/oauth/token' } });
    await loopback.api.send({ method: 'GET', path: '/x' }, read);
    expect(loopback.tokens()).toBe(1);
  });

  it('fetches a new token 30 s before the old one expires', async () => {
    const { api, clock, tokens } = server(() => ok(), { expires: 300 });
    await api.send({ method: 'GET', path: '/x' }, read);
    await clock.advance(269_000);
    await api.send({ method: 'GET', path: '/x' }, read);
    expect(tokens()).toBe(1);
    await clock.advance(1_000);
    await api.send({ method: 'GET', path: '/x' }, read);
    expect(tokens()).toBe(2);
  });

  it('uses a token of a very short life more than once', async () => {
    const { api, tokens } = server(() => ok(), { expires: 10 });
    for (let i = 0; i < 3; i += 1) await api.send({ method: 'GET', path: '/x' }, read);
    expect(tokens()).toBe(1);
  });

  it('after a 401 fetches one new token for all who were refused, and sends each once more, whatever the method', async () => {
    const seen = server((request) => (request.headers.get('authorization') === 'Bearer access-token-1' ? ok({}, 401) : ok({ done: true })));
    const answers = await Promise.all(
      ['GET', 'POST', 'PATCH', 'DELETE'].map((method) =>
        seen.api.send({ method: method as 'POST', path: '/x', ...(method !== 'GET' && { body: {} }) }, { purpose: 'write', retry: 'none' }),
      ),
    );
    expect(answers.map((answer) => answer.body)).toEqual(Array(4).fill({ done: true }));
    expect(seen.tokens()).toBe(2);
    expect(seen.requests.filter((request) => !isToken(request))).toHaveLength(8);
  });

  it('gives up after the second 401', async () => {
    const { api, tokens, requests } = server(() => ok({}, 401));
    expect(await failureOf(api.send({ method: 'GET', path: '/x' }, { purpose: 'read' }))).toMatchObject({
      code: 'PROVIDER_AUTH',
      status: 401,
    });
    expect(tokens()).toBe(2);
    expect(requests).toHaveLength(4);
  });

  it('sends a fixed token only once', async () => {
    const { api, requests } = world(() => ok({}, 401));
    expect(await failureOf(api.send({ method: 'GET', path: '/x' }, { purpose: 'read' }))).toMatchObject({ status: 401 });
    expect(requests).toHaveLength(1);
  });

  it('is PROVIDER_AUTH without the secret when the token is refused', async () => {
    const body = { error: 'access_denied', error_description: 'Client client-secret-01 may not' };
    const { client } = world(() => ok(body, 403), { env: oauthEnv });
    const failure = await client
      .api(idp)
      .send({ method: 'GET', path: '/x' }, read)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'PROVIDER_AUTH',
      status: 403,
      fix: 'Check ID and SECRET, and check that this client may use the API.',
    });
    expect(failure).toMatchObject({ detail: expect.stringContaining('Client *** may not') });
  });

  it('waits out a token endpoint that is busy', async () => {
    const { client, clock } = world(
      (request, n) => {
        if (!isToken(request)) return ok({ n });
        return n < 3 ? ok({}, 503) : ok({ access_token: 'access-token-9', token_type: 'bearer' });
      },
      { env: oauthEnv },
    );
    const sending = client.api(idp).send({ method: 'GET', path: '/x' }, read);
    await clock.advance(5_000);
    expect((await sending).body).toEqual({ n: 4 });
  });

  it('is PROVIDER_RESPONSE when the answer holds no token', async () => {
    const { client } = world(() => ok({ hello: 'world' }), { env: oauthEnv });
    await expect(client.api(idp).send({ method: 'GET', path: '/x' }, read)).rejects.toMatchObject({ code: 'PROVIDER_RESPONSE' });
  });

  it('lets a line bring a token of its own', async () => {
    const { client, requests, tokens } = server(() => ok());
    await client.api(idp, { credential: own }).send({ method: 'GET', path: '/x' }, read);
    await rest();
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer line-credential-1');
    expect(tokens()).toBe(0);
  });
});
