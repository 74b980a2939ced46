import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** A request as it came over the wire: nothing decoded, nothing joined. */
export interface WireRequest {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Account {
  readonly secret: string;
  /** Of temporary keys. */
  readonly session?: string;
}

export interface Service {
  readonly accounts: Readonly<Record<string, Account>>;
  /** `null` where the address says nothing of the region. */
  readonly region: string | null;
  readonly service: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * What a service of signature v4 does with a request, written from docs.aws.amazon.com, "Create a signed AWS API request"
 * (2026-11): the code of its refusal, or `null`. Headers that are not signed are not looked at.
 */
export function refusalOf(request: WireRequest, { accounts, region, service, now }: Service): string | null {
  const proof = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
    request.headers.authorization ?? '',
  );
  if (!proof) return 'MissingAuthenticationToken';
  const [, credential = '', signed = '', signature = ''] = proof;
  const [id = '', day, ...scope] = credential.split('/');
  const account = Object.hasOwn(accounts, id) ? accounts[id] : undefined;
  if (!account) return 'InvalidAccessKeyId';
  if (account.session !== request.headers['x-amz-security-token']) return 'InvalidToken';
  if (scope.join('/') !== `${region ?? scope[0]}/${service}/aws4_request`) return 'AuthorizationHeaderMalformed';
  const date = request.headers['x-amz-date'] ?? '';
  if (!date.startsWith(`${day}T`)) return 'AuthorizationHeaderMalformed';
  if (Math.abs(now - timeOf(date)) > (service === 's3' ? 15 : 5) * 60_000) return 'RequestTimeTooSkewed';

  const names = signed.split(';');
  const needed = ['host', ...Object.keys(request.headers).filter((name) => name.startsWith('x-amz-'))];
  if (needed.some((name) => !names.includes(name)) || names.join() !== names.toSorted().join()) return 'SignatureDoesNotMatch';
  const hash = request.headers['x-amz-content-sha256'];
  if (hash !== undefined && hash !== sha256(request.body)) return 'XAmzContentSHA256Mismatch';

  const [path = '', query = ''] = request.target.split(/\?(.*)/s);
  const canonical = [
    request.method,
    service === 's3' ? segments(path, (one) => encode(decode(one))) : segments(path, (one) => encode(Buffer.from(one))),
    canonicalQuery(query),
    ...names.map((name) => `${name}:${(request.headers[name] ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    signed,
    hash ?? sha256(request.body),
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', date, [day, ...scope].join('/'), sha256(Buffer.from(canonical))].join('\n');
  const start: Buffer = Buffer.from(`AWS4${account.secret}`);
  const key = [day ?? '', ...scope].reduce(hmac, start);
  return timingSafeEqual(hmac(key, text), Buffer.from(signature, 'hex')) ? null : 'SignatureDoesNotMatch';
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

function timeOf(date: string): number {
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
  return Date.UTC(Number(y), Number(mo) - 1, Number(d), Number(h), Number(mi), Number(s));
}

const segments = (path: string, each: (segment: string) => string): string => path.split('/').map(each).join('/');

/** Of the decoded names and values, each encoded once, sorted by name and then by value; a name alone has an empty value. */
function canonicalQuery(query: string): string {
  const pairs = query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => pair.split(/=(.*)/s))
    .map(([name = '', value = '']) => [encode(decode(name)), encode(decode(value))] as const);
  return pairs
    .toSorted(([a, x], [b, y]) => (a === b ? compare(x, y) : compare(a, b)))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

function decode(text: string): Buffer {
  const bytes: number[] = [];
  for (let i = 0; i < text.length; i += 1) {
    const hex = /^%([0-9a-f]{2})/i.exec(text.slice(i, i + 3))?.[1];
    bytes.push(...(hex === undefined ? Buffer.from(text[i] ?? '') : [Number.parseInt(hex, 16)]));
    if (hex !== undefined) i += 2;
  }
  return Buffer.from(bytes);
}

function encode(bytes: Buffer): string {
  return [...bytes]
    .map((byte) => {
      const char = String.fromCharCode(byte);
      return /[A-Za-z0-9\-._~]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}
