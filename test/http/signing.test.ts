import { createHash } from 'node:crypto';
import { type Account, refusalOf, type WireRequest } from 'pilotfish-sandbox/kit/aws-v4-verifier';
import { describe, expect, it } from 'vitest';
import type { ProviderBlock, RequestSpec } from '../../src/http/types.ts';
import { loopback, type WireReply } from '../support/loopback.ts';
import type { VirtualClock } from '../support/virtual-clock.ts';
import { failureOf } from './harness.ts';

const keyId = 'AKIAIOSFODNN7EXAMPLE';
const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const session = 'session-token/0123456789==';
const env = { AWS_ACCESS_KEY_ID: keyId, AWS_SECRET_ACCESS_KEY: secret };

/** A service that lets signed requests in. `onTheWay` is what stands between: it may change the request. */
function service(
  name: string,
  o: {
    readonly env?: NodeJS.ProcessEnv;
    readonly accounts?: Readonly<Record<string, Account>>;
    readonly region?: string;
    readonly onTheWay?: (request: WireRequest) => WireRequest;
    readonly now?: (clock: VirtualClock) => number;
    /** Whether its answers say what time it is there. */
    readonly tellsTime?: false;
    readonly answer?: (request: WireRequest) => WireReply;
  } = {},
) {
  const accounts = o.accounts ?? { [keyId]: { secret } };
  const answer = (sent: WireRequest, clock: VirtualClock): WireReply => {
    const now = o.now?.(clock) ?? clock.now();
    const code = refusalOf(o.onTheWay?.(sent) ?? sent, { accounts, region: 'eu-west-1', service: name, now });
    const date = o.tellsTime === false ? 'unknown' : new Date(now).toUTCString();
    if (code === null) return o.answer?.(sent) ?? { status: 200, body: '{}' };
    const body =
      name === 's3'
        ? `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>Refused.</Message></Error>`
        : JSON.stringify({ __type: `${code}Exception`, message: 'Refused.' });
    return { status: name === 's3' && code !== 'XAmzContentSHA256Mismatch' ? 403 : 400, headers: { date }, body };
  };
  const auth: ProviderBlock['auth'] = {
    aws_v4: { access_key_id_env: 'AWS_ACCESS_KEY_ID', secret_access_key_env: 'AWS_SECRET_ACCESS_KEY', service: name },
  };
  const block = { auth, region: o.region ?? 'eu-west-1', session_token_env: 'AWS_SESSION_TOKEN' };
  return loopback(answer, { block, env: o.env ?? env });
}

const once = { purpose: 'write', retry: 'none' } as const;

describe('the verifier of these tests', () => {
  const at = Date.UTC(2015, 7, 30, 12, 36);
  const accounts = { AKIDEXAMPLE: { secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' } };
  const proof = (signed: string, signature: string) =>
    `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=${signed}, Signature=${signature}`;
  const published = (method: string, target: string, signed: string, signature: string, o: Partial<WireRequest> = {}): WireRequest => ({
    method,
    target,
    headers: { host: 'example.amazonaws.com', 'x-amz-date': '20150830T123600Z', authorization: proof(signed, signature), ...o.headers },
    body: o.body ?? Buffer.alloc(0),
  });
  const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: Buffer.from('Param1=value1') };

  // The published test suite of signature v4; the names are its own.
  it.each([
    ['get-vanilla', published('GET', '/', 'host;x-amz-date', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31')],
    ['post-vanilla', published('POST', '/', 'host;x-amz-date', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b')],
    [
      'get-vanilla-empty-query-key',
      published('GET', '/?Param1=value1', 'host;x-amz-date', 'a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb'),
    ],
    [
      'get-vanilla-query-order-key-case',
      published(
        'GET',
        '/?Param2=value2&Param1=value1',
        'host;x-amz-date',
        'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
      ),
    ],
    [
      'get-vanilla-utf8-query',
      published('GET', '/?%E1%88%B4=bar', 'host;x-amz-date', '2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04'),
    ],
    [
      'post-x-www-form-urlencoded',
      published('POST', '/', 'content-type;host;x-amz-date', 'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a', form),
    ],
  ])('lets the published request %s in', (_, request) => {
    const here = { accounts, region: 'us-east-1', service: 'service', now: at };
    expect(refusalOf(request, here)).toBeNull();
    expect(refusalOf({ ...request, target: `${request.target}x` }, here)).toBe('SignatureDoesNotMatch');
    expect(refusalOf(request, { ...here, now: at + 301_000 })).toBe('RequestTimeTooSkewed');
  });
});

describe.each(['s3', 'amplify'])('a request to %s', (name) => {
  const shapes: readonly RequestSpec[] = [
    { method: 'GET', path: '' },
    { method: 'GET', path: '/apps/d1/branches/pr-7%2Fx' },
    { method: 'GET', path: "/a b/ü/ሴ/(x)!*'/~._-/50%25/a+b/a:b@c;d,e=f&g$" },
    { method: 'DELETE', path: '/twice%252Fencoded/' },
    { method: 'GET', path: '/?cors' },
    { method: 'GET', path: '/?cors=&empty=&b' },
    { method: 'GET', path: '/?b=2&a=3&a=1&A=0&a-=4&a=' },
    { method: 'GET', path: '/list?q=a+b%20c%2Bd', query: { 'tag[]': ['z', 'a b', ''], 'ü/?': 'ሴ&=', q2: "('!*)" } },
    { method: 'POST', path: '/', headers: { 'x-amz-target': 'secretsmanager.GetSecretValue' }, body: { SecretId: 'ü' } },
    { method: 'PUT', path: '/?tagging', body: { a: [1, 'two'] }, headers: { 'if-match': '"e1"', 'x-amz-meta-note': '  two   spaces ' } },
    { method: 'POST', path: '/form', encoding: 'form', body: { a: 'b c', d: 'ü' } },
  ];

  it.each(shapes)('is let in: $method $path', async (request) => {
    const { api, requests } = await service(name);
    expect(await api.send(request, once)).toMatchObject({ status: 200 });
    expect(requests).toHaveLength(1);
    expect(requests[0]?.headers['x-amz-content-sha256']).toBe(
      createHash('sha256')
        .update(requests[0]?.body ?? '')
        .digest('hex'),
    );
  });

  it('is let in with temporary keys', async () => {
    const { api, redactor } = await service(name, {
      env: { ...env, AWS_SESSION_TOKEN: session },
      accounts: { [keyId]: { secret, session } },
    });
    await api.send({ method: 'GET', path: '/a' }, once);
    expect(redactor.text(session)).toBe('***');
  });

  it.each<[string, (request: WireRequest) => WireRequest]>([
    ['another body', (sent) => ({ ...sent, body: Buffer.from('{"a":2}') })],
    [
      'another body and its hash',
      (sent) => {
        const body = Buffer.from('{"a":2}');
        return { ...sent, body, headers: { ...sent.headers, 'x-amz-content-sha256': createHash('sha256').update(body).digest('hex') } };
      },
    ],
    ['another path', (sent) => ({ ...sent, target: sent.target.replace('/a', '/b') })],
    ['another query', (sent) => ({ ...sent, target: `${sent.target}&z=` })],
    ['another method', (sent) => ({ ...sent, method: 'DELETE' })],
    ['another content type', (sent) => ({ ...sent, headers: { ...sent.headers, 'content-type': 'text/plain' } })],
    ['another host', (sent) => ({ ...sent, headers: { ...sent.headers, host: 'elsewhere.example' } })],
    ['a header of theirs', (sent) => ({ ...sent, headers: { ...sent.headers, 'x-amz-acl': 'public-read' } })],
  ])('is refused with %s than was signed, and sent once', async (_, onTheWay) => {
    const { api, requests } = await service(name, { onTheWay });
    const failure = await failureOf(api.send({ method: 'POST', path: '/a?b=c', body: { a: 1 } }, { purpose: 'write' }));
    expect([400, 403]).toContain(failure.status);
    expect(requests).toHaveLength(1);
  });

  it('is signed for the moment of each attempt', async () => {
    const busy = { status: 503, headers: { 'retry-after': '2' } };
    const { api, requests, clock } = await service(name, {
      answer: () => (requests.length === 1 ? busy : { status: 200, body: '{}' }),
    });
    const sending = api.send({ method: 'GET', path: '/a' }, { purpose: 'read' });
    await expect.poll(() => clock.asked.filter((ms) => ms < 30_000).length).toBeGreaterThan(0);
    await clock.advance(2_000);
    expect(await sending).toMatchObject({ status: 200 });
    expect(requests.map(({ headers }) => headers['x-amz-date'])).toEqual(['20261121T000000Z', '20261121T000002Z']);
  });

  it.each([
    ['a wrong secret key', { [keyId]: { secret: 'another-secret' } }, 'Check AWS_SECRET_ACCESS_KEY'],
    ['an unknown key id', {}, 'Check AWS_ACCESS_KEY_ID'],
    ['a missing session token', { [keyId]: { secret, session } }, 'Check AWS_ACCESS_KEY_ID and AWS_SESSION_TOKEN'],
  ])('is PROVIDER_AUTH with the variable for %s', async (_, accounts, fix) => {
    const { api, requests } = await service(name, { accounts });
    const failure = await failureOf(api.send({ method: 'GET', path: '/a' }, { purpose: 'read' }));
    expect(failure).toMatchObject({ code: 'PROVIDER_AUTH', fix: expect.stringContaining(fix), unanswered: false, repeatable: false });
    expect(JSON.stringify(failure.toData())).not.toMatch(new RegExp(`${secret.replaceAll('+', '\\+')}|Signature=`));
    expect(requests).toHaveLength(1);
  });

  it('is PROVIDER_AUTH with the setting for another region', async () => {
    const { api } = await service(name, { region: 'us-east-1' });
    expect(await failureOf(api.send({ method: 'GET', path: '/a' }, { purpose: 'read' }))).toMatchObject({
      code: 'PROVIDER_AUTH',
      fix: 'Correct `region` or `service` in the block of acme.',
    });
  });

  it.each([20, -20])("for a moment that is %i minutes off is signed once more, for the provider's own time", async (minutes) => {
    const { api, requests } = await service(name, { now: (clock) => clock.now() + minutes * 60_000 });
    const send = () => api.send({ method: 'POST', path: '/a', body: { n: 1 } }, { purpose: 'write', retry: 'none' });
    expect((await send()).status).toBe(200);
    expect(requests).toHaveLength(2);
    expect((await send()).status).toBe(200);
    expect(requests).toHaveLength(3);
  });

  it('tells that the clock is wrong where the provider tells no time to sign for', async () => {
    const { api, requests } = await service(name, { now: (clock) => clock.now() + 20 * 60_000, tellsTime: false });
    expect(await failureOf(api.send({ method: 'GET', path: '/a' }, { purpose: 'read' }))).toMatchObject({
      code: 'PROVIDER_AUTH',
      detail: expect.stringContaining('the clock of this machine is wrong'),
      fix: 'Set the clock of this machine.',
    });
    expect(requests).toHaveLength(1);
  });
});

describe('a body for S3', () => {
  it('carries a checksum that a bucket asks for', async () => {
    const wanted = (request: WireRequest): WireReply => {
      const checksum = createHash('sha256').update(request.body).digest('base64');
      return request.headers['x-amz-checksum-sha256'] === checksum
        ? { status: 200 }
        : { status: 400, body: '<Error><Code>InvalidRequest</Code></Error>' };
    };
    const { api } = await service('s3', { answer: wanted });
    expect(await api.send({ method: 'PUT', path: '/?cors', body: { rules: [] } }, once)).toMatchObject({ status: 200 });
  });
});

describe('a refusal that is not the credential’s fault', () => {
  it('keeps its own code', async () => {
    const denied = { status: 403, body: '<Error><Code>AccessDenied</Code></Error>' };
    const { api } = await service('s3', { answer: () => denied });
    expect(await failureOf(api.send({ method: 'GET', path: '/a' }, { purpose: 'read' }))).toMatchObject({
      code: 'PROVIDER_AUTH',
      fix: expect.stringContaining('the permission for this request'),
    });
    const wrong = await service('amplify', { answer: () => ({ status: 400, body: '{"__type":"BadRequestException","message":"no"}' }) });
    expect(await failureOf(wrong.api.send({ method: 'POST', path: '/a', body: {} }, once))).toMatchObject({ code: 'PROVIDER_INVALID' });
  });
});
