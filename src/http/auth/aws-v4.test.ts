import { Headers } from 'undici';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../core/clock.ts';
import { Redactor } from '../../core/redact.ts';
import { Sealed } from '../../core/sealed.ts';
import { awsSigner } from './aws-v4.ts';
import type { SignerContext } from './signer.ts';

const example = { AKID: 'AKIDEXAMPLE', SECRET_KEY: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const documented = { AKID: 'AKIAIOSFODNN7EXAMPLE', SECRET_KEY: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' };
const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

describe('signature v4', () => {
  it('is the one of a JSON service, its target and content type signed', async () => {
    const proof = await sign(`https://secretsmanager.us-east-1.amazonaws.com/`, {
      method: 'POST',
      service: 'secretsmanager',
      headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'secretsmanager.GetSecretValue' },
      body: '{"SecretId":"MyTestDatabaseSecret"}',
    });
    expect(proof).toEqual({
      authorization: authorization(
        'secretsmanager',
        'content-type;host;x-amz-content-sha256;x-amz-date;x-amz-target',
        '81e8a97129baba51cb82762573e5f220eee0e7b22b85e0e21c7214c702b85f08',
      ),
      'x-amz-content-sha256': '481b8e4728186c9a7b9ac842cb567f54427e2857ab3571ad326aeac224bff5e4',
      'x-amz-date': '20260102T030405Z',
    });
  });

  it('encodes the path twice, even a slash that is part of a name', async () => {
    const proof = await sign('https://amplify.us-east-1.amazonaws.com/apps/d123/branches/pr-7%2Fx', { service: 'amplify' });
    expect(proof.authorization).toBe(
      authorization('amplify', 'host;x-amz-content-sha256;x-amz-date', '9658c6c18a24c0a338dd91d671117c7c25f046aedf857c9e3ef6e86718e5af9a'),
    );
    expect(proof['x-amz-content-sha256']).toBe(emptyHash);
  });

  it.each(['?cors', '?cors='])('signs a query name without a value (%s), and the session token with it', async (query) => {
    const proof = await sign(`https://my-bucket.s3.us-east-1.amazonaws.com/${query}`, { service: 's3', session: 'SESSIONTOKEN' });
    expect(proof).toEqual({
      authorization: authorization(
        's3',
        'host;x-amz-content-sha256;x-amz-date;x-amz-security-token',
        'a14eb00843f93535025e548a45195a6dd0e7b2ae45bfb72de4f5dccac1e0aae3',
      ),
      'x-amz-content-sha256': emptyHash,
      'x-amz-date': '20260102T030405Z',
      'x-amz-security-token': 'SESSIONTOKEN',
    });
  });

  // docs.aws.amazon.com, "Signature Calculations for the Authorization Header: Transferring Payload in a Single Chunk", 2026-11.
  it.each([
    ['/?lifecycle', {}, 'host', 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
    ['/?max-keys=2&prefix=J', {}, 'host', '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
    ['/test.txt', { range: 'bytes=0-9' }, 'host;range', 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41'],
  ])('is the published one of GET %s', async (path, headers, first, signature) => {
    const at = Date.UTC(2013, 4, 24);
    const proof = await sign(`https://examplebucket.s3.amazonaws.com${path}`, { service: 's3', env: documented, at, headers });
    expect(proof.authorization).toBe(
      `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=${first};x-amz-content-sha256;x-amz-date, Signature=${signature}`,
    );
  });

  it('adds a checksum of the body for S3, unless the request brings one', async () => {
    const url = 'https://my-bucket.s3.us-east-1.amazonaws.com/?cors';
    const put = { method: 'PUT', service: 's3', body: 'Welcome to Amazon S3.' };
    const checksum = 'RM591nyVng01JP+sF3Hfu6h9K2tLTpnkIDSouAP4sHI=';
    const proof = await sign(url, put);
    expect(proof['x-amz-checksum-sha256']).toBe(checksum);
    expect(proof.authorization).toContain('host;x-amz-checksum-sha256;x-amz-content-sha256;x-amz-date');
    for (const name of ['content-md5', 'x-amz-checksum-crc32']) {
      const given = await sign(url, { ...put, headers: { [name]: 'given' } });
      expect(given).not.toHaveProperty('x-amz-checksum-sha256');
      expect(given.authorization).toContain(name);
    }
    expect(await sign(url, { ...put, service: 'amplify' })).not.toHaveProperty('x-amz-checksum-sha256');
  });

  it('replaces a date, a hash and a credential that the request brings', async () => {
    const own = { authorization: 'Bearer x', 'x-amz-date': '20000101T000000Z', 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };
    const url = 'https://amplify.us-east-1.amazonaws.com/apps';
    expect(await sign(url, { service: 'amplify', headers: own })).toEqual(await sign(url, { service: 'amplify' }));
  });

  it('is made anew for each attempt', async () => {
    let now = Date.UTC(2026, 0, 2, 3, 4, 5);
    const signer = signerOf({ service: 's3', clock: () => now });
    const request = { method: 'GET', url: new URL('https://b.s3.us-east-1.amazonaws.com/'), headers: new Headers() };
    const first = await signer.headers(request);
    now += 61_000;
    const second = await signer.headers(request);
    expect(second['x-amz-date']).toBe('20260102T030506Z');
    expect(second.authorization).not.toBe(first.authorization);
  });

  it('spells an address in the one way that every reader signs alike', () => {
    const { address } = signerOf({ service: 's3' });
    const spelled = (url: string) => address?.(new URL(url)).href.slice('https://h'.length);
    expect(spelled("https://h/a b/(c)'*!/%2f%C3%A4ä/~._-+")).toBe('/a%20b/%28c%29%27%2A%21/%2F%C3%A4%C3%A4/~._-%2B');
    expect(spelled('https://h/?b=1&a=&cors&b=a+b%2Bc&q=(x):/=y')).toBe('/?b=1&a=&cors&b=a%20b%2Bc&q=%28x%29%3A%2F%3Dy');
    expect(spelled('https://h/')).toBe('/');
    expect(() => spelled('https://h/50%')).toThrow(expect.objectContaining({ code: 'PARAM_INVALID' }));
  });

  it('needs the session token of a temporary key, and of no other', async () => {
    const url = 'https://b.s3.us-east-1.amazonaws.com/';
    const temporary = { ...example, AKID: 'ASIAIOSFODNN7EXAMPLE' };
    await expect(sign(url, { service: 's3', env: temporary, session: '' })).rejects.toMatchObject({
      code: 'CREDENTIAL_MISSING',
      detail: expect.stringContaining('SESSION_TOKEN'),
    });
    expect(await sign(url, { service: 's3', session: '' })).not.toHaveProperty('x-amz-security-token');
    await expect(sign(url, { service: 's3', env: temporary, unnamed: true })).rejects.toMatchObject({
      code: 'PLAN_INVALID',
      fix: 'Add `session_token_env` to the block of aws.',
    });
  });

  it('tells its secrets to the redactor, and does not let one value replace two', async () => {
    const redactor = new Redactor();
    await sign('https://b.s3.us-east-1.amazonaws.com/', { service: 's3', session: 'SESSIONTOKEN', redactor });
    expect(redactor.text(`${example.SECRET_KEY} SESSIONTOKEN`)).toBe('*** ***');
    expect(() => signerOf({ service: 's3', credential: new Sealed('other-secret-key', 'keys.secret') })).toThrow(
      expect.objectContaining({ code: 'PLAN_INVALID' }),
    );
  });
});

describe('a refusal by code', () => {
  const date = 'Fri, 02 Jan 2026 03:04:05 GMT';
  const xml = (code: string) => `<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>no</Message></Error>`;

  it.each([
    [403, xml('SignatureDoesNotMatch'), 'Check SECRET_KEY: it is not the secret key of AKID.'],
    [403, xml('InvalidAccessKeyId'), 'Check AKID and SESSION_TOKEN.'],
    [400, xml('ExpiredToken'), 'Renew AKID, SECRET_KEY, SESSION_TOKEN together.'],
    [400, { __type: 'com.amazonaws.x#ExpiredTokenException', message: 'no' }, 'Renew AKID, SECRET_KEY, SESSION_TOKEN together.'],
    [400, { __type: 'UnrecognizedClientException', message: 'no' }, 'Check AKID and SESSION_TOKEN.'],
    [403, { Error: { Code: 'InvalidAccessKeyId' } }, 'Check AKID and SESSION_TOKEN.'],
    [403, { ErrorResponse: { '@xmlns': 'urn:x', Error: { Code: 'InvalidClientTokenId' } } }, 'Check AKID and SESSION_TOKEN.'],
    [400, xml('AuthorizationHeaderMalformed'), 'Correct `region` or `service` in the block of aws.'],
    [
      403,
      { __type: 'InvalidSignatureException', message: "Credential should be scoped to a valid region, not 'us-east-1'." },
      'Correct `region` or `service` in the block of aws.',
    ],
  ])('is the credential’s fault: %i %j', (status, body, fix) => {
    expect(signerOf({ service: 's3' }).explain?.({ status, headers: { date }, body })).toMatchObject({ fix });
  });

  it('reads the code from the header of a JSON service', () => {
    const headers = { 'x-amzn-errortype': 'UnrecognizedClientException:http://internal.amazon.com/coral/', date };
    expect(signerOf({ service: 'amplify' }).explain?.({ status: 403, headers, body: {} })).toMatchObject({
      fix: 'Check AKID and SESSION_TOKEN.',
    });
  });

  it.each([
    ['Fri, 02 Jan 2026 02:43:05 GMT', 'is 21 minutes ahead of the provider'],
    ['Fri, 02 Jan 2026 06:34:05 GMT', 'is 4 hours behind the provider'],
    ['', 'is wrong'],
  ])('tells how wrong the clock is, where the provider says %s', (at, words) => {
    const explained = signerOf({ service: 's3' }).explain?.({ status: 403, headers: { date: at }, body: xml('RequestTimeTooSkewed') });
    expect(explained).toMatchObject({ detail: expect.stringContaining(words), fix: 'Set the clock of this machine.' });
  });

  it('takes a signature that does not match for a wrong clock where the clock is wrong', () => {
    const headers = { date: 'Fri, 02 Jan 2026 03:14:05 GMT' };
    const body = { __type: 'InvalidSignatureException', message: 'Signature not yet current' };
    expect(signerOf({ service: 'amplify' }).explain?.({ status: 403, headers, body })).toMatchObject({
      detail: expect.stringContaining('10 minutes behind'),
    });
  });

  it.each([
    [403, xml('AccessDenied')],
    [400, { __type: 'BadRequestException' }],
    [404, xml('InvalidAccessKeyId')],
    [403, {}],
    [403, 'constructor'],
    [400, xml('toString')],
  ])('is about something else: %i %j', (status, body) => {
    expect(signerOf({ service: 's3' }).explain?.({ status, headers: {}, body })).toBeNull();
  });
});

interface Wanted {
  readonly service: string;
  readonly clock?: () => number;
  readonly env?: Readonly<Record<string, string>>;
  readonly session?: string;
  /** The block names no variable of a session token. */
  readonly unnamed?: boolean;
  readonly redactor?: Redactor;
  readonly credential?: Sealed;
}

function signerOf(wanted: Wanted) {
  const { service, clock = () => Date.UTC(2026, 0, 2, 3, 4, 5), env = example, session, unnamed = false, redactor, credential } = wanted;
  const form = { access_key_id_env: 'AKID', secret_access_key_env: 'SECRET_KEY', service };
  const time: Clock = { now: clock, mono: clock, sleep: async () => {} };
  const context: SignerContext = {
    block: {
      api: 'aws',
      base_url: 'https://h',
      auth: { aws_v4: form },
      region: 'us-east-1',
      ...(!unnamed && { session_token_env: 'SESSION_TOKEN' }),
    },
    credential: credential ?? null,
    env: { ...env, SESSION_TOKEN: session },
    redactor: redactor ?? new Redactor(),
    clock: time,
    run: async () => Promise.reject(new Error('signing starts nothing')),
    fetchToken: async () => Promise.reject(new Error('signing asks nobody')),
  };
  return awsSigner(form, context);
}

async function sign(
  url: string,
  o: Wanted & {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly at?: number;
  },
) {
  const { method = 'GET', headers = {}, body, at } = o;
  const signer = signerOf({ ...o, ...(at !== undefined && { clock: () => at }) });
  return signer.headers({ method, url: new URL(url), headers: new Headers(headers), ...(body !== undefined && { body }) });
}

const authorization = (service: string, signed: string, signature: string): string =>
  `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260102/us-east-1/${service}/aws4_request, SignedHeaders=${signed}, Signature=${signature}`;
