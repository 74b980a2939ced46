import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { refusalOf } from './kit/aws-v4-verifier.ts';

/**
 * Objects of S3 on a port of the loopback, written from docs.aws.amazon.com, "Amazon S3 API Reference" (PutObject, GetObject, HeadObject,
 * DeleteObject, ListObjectsV2, Error responses) and "Add preconditions to S3 operations with conditional requests" (2026-11). Buckets stand in the
 * path. A condition is compared in the turn of its write, so of two writers one wins.
 */
export interface S3ObjectsWorld {
  /** Where it listens: `http://127.0.0.1:<port>`. */
  readonly endpoint: string;
  readonly port: number;
  readonly region: string;
  /** `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY` of somebody who may do all, and of somebody who only reads. */
  readonly keys: { readonly full: S3Keys; readonly readOnly: S3Keys };
  /** Objects by bucket and key. */
  readonly buckets: Map<string, Map<string, S3Object>>;
  /** Requests that were answered, oldest first: `PUT /ledgers/branches/x`. */
  readonly requests: string[];
  /** The conditions that are accepted and ignored, as some stores do. */
  ignores: readonly ('if-match' | 'if-none-match')[];
  /** Whether If-Match holds only for an ETag without its quotes, as Ceph 16 compares it. */
  hasBareTags: boolean;
  /** What the server's clock is ahead of this machine's, in milliseconds. */
  aheadMs: number;
  stop(): Promise<void>;
}

export interface S3Keys {
  readonly AWS_ACCESS_KEY_ID: string;
  readonly AWS_SECRET_ACCESS_KEY: string;
}

export interface S3Object {
  readonly body: Buffer;
  /** With its quotes. */
  readonly etag: string;
  readonly at: Date;
  /** The headers that ask for encryption, as they came. */
  readonly encryption: Readonly<Record<string, string>>;
}

/** Keys of one page of a list. */
const pageSize = 1_000;

export async function serveS3Objects({ region = 'eu-central-1', buckets = ['ledgers'] } = {}): Promise<S3ObjectsWorld> {
  const keyOf = (id: string): S3Keys => ({ AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: randomBytes(30).toString('base64') });
  const keys = { full: keyOf('AKIAIOSFODNN7EXAMPLE'), readOnly: keyOf('AKIAI44QH8DHBEXAMPLE') };
  const accounts = Object.fromEntries(Object.values(keys).map((one) => [one.AWS_ACCESS_KEY_ID, { secret: one.AWS_SECRET_ACCESS_KEY }]));
  const server = createServer((message, answer) => {
    void read(message).then((body) => {
      const now = new Date(Date.now() + world.aheadMs);
      answer.setHeader('date', now.toUTCString()).setHeader('server', 'AmazonS3');
      const headers = Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, [value].flat().join(',')]));
      const request = { method: message.method ?? '', target: message.url ?? '', headers, body };
      const reason = refusalOf(request, { accounts, region, service: 's3', now: now.getTime() });
      world.requests.push(`${request.method} ${request.target}`);
      const reply =
        reason === null ? handle(world, request, now) : refused(reason === 'AuthorizationHeaderMalformed' ? 400 : 403, reason, region);
      send(answer, reply, request.method);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const world: S3ObjectsWorld = {
    endpoint: `http://127.0.0.1:${address.port}`,
    port: address.port,
    region,
    keys,
    buckets: new Map(buckets.map((name) => [name, new Map()])),
    requests: [],
    ignores: [],
    hasBareTags: false,
    aheadMs: 0,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return world;
}

interface Request {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

function handle(world: S3ObjectsWorld, request: Request, now: Date): Reply {
  const url = new URL(request.target, world.endpoint);
  const [, name = '', ...rest] = url.pathname.split('/').map(decodeURIComponent);
  const objects = world.buckets.get(name);
  if (objects === undefined) return refused(404, 'NoSuchBucket', null, 'The specified bucket does not exist');
  const isWrite = request.method === 'PUT' || request.method === 'DELETE';
  if (isWrite && request.headers.authorization?.includes(world.keys.readOnly.AWS_ACCESS_KEY_ID)) {
    return refused(403, 'AccessDenied', null, 'Access Denied');
  }
  const key = rest.join('/');
  if (key === '') return request.method === 'GET' ? listed(objects, name, url.searchParams) : refused(405, 'MethodNotAllowed');
  const there = objects.get(key);
  switch (request.method) {
    case 'PUT':
      return put(world, objects, key, request, now);
    case 'DELETE':
      objects.delete(key);
      return { status: 204 };
    case 'GET':
    case 'HEAD':
      if (there === undefined) return refused(404, 'NoSuchKey', null, 'The specified key does not exist.');
      return { status: 200, headers: { etag: there.etag, 'last-modified': there.at.toUTCString(), ...there.encryption }, body: there.body };
    default:
      return refused(405, 'MethodNotAllowed');
  }
}

function put(world: S3ObjectsWorld, objects: Map<string, S3Object>, key: string, { headers, body }: Request, now: Date): Reply {
  const sum = headers['x-amz-checksum-sha256'];
  if (sum !== undefined && sum !== createHash('sha256').update(body).digest('base64')) return refused(400, 'BadDigest');
  if (Buffer.byteLength(key) > 1024) return refused(400, 'KeyTooLongError');
  const condition = (which: 'if-match' | 'if-none-match'): string | undefined =>
    world.ignores.includes(which) ? undefined : headers[which];
  const [match, none] = [condition('if-match'), condition('if-none-match')];
  const there = objects.get(key);
  // "If-None-Match … Expects the '*' (asterisk) character."
  if (none !== undefined && none !== '*') return refused(501, 'NotImplemented');
  if (none === '*' && there !== undefined) return refused(412, 'PreconditionFailed', null, held);
  if (match !== undefined && there === undefined) return refused(404, 'NoSuchKey', null, 'The specified key does not exist.');
  const bare = (text = ''): string => text.replaceAll('"', '');
  if (match !== undefined && (world.hasBareTags ? match : bare(match)) !== bare(there?.etag))
    return refused(412, 'PreconditionFailed', null, held);
  const encryption = Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('x-amz-server-side-encryption')));
  // "Objects encrypted by SSE-C or SSE-KMS have ETags that are not an MD5 digest of their object data."
  const isMd5 = !encryption['x-amz-server-side-encryption']?.startsWith('aws:kms');
  const etag = `"${isMd5 ? createHash('md5').update(body).digest('hex') : randomBytes(16).toString('hex')}"`;
  objects.set(key, { body, etag, at: now, encryption });
  return { status: 200, headers: { etag, ...encryption } };
}

const held = 'At least one of the pre-conditions you specified did not hold';

function listed(objects: ReadonlyMap<string, S3Object>, name: string, query: URLSearchParams): Reply {
  if (query.get('list-type') !== '2') return refused(501, 'NotImplemented');
  const prefix = query.get('prefix') ?? '';
  const token = query.get('continuation-token');
  const after = token === null ? '' : Buffer.from(token, 'base64').toString('utf8');
  const most = Math.min(Number(query.get('max-keys') ?? pageSize), pageSize);
  const all = [...objects]
    .filter(([key]) => key.startsWith(prefix) && (after === '' || order(key, after) > 0))
    .sort(([a], [b]) => order(a, b));
  const page = all.slice(0, most);
  const next =
    all.length > page.length
      ? `<NextContinuationToken>${Buffer.from(page.at(-1)?.[0] ?? '').toString('base64')}</NextContinuationToken>`
      : '';
  const contents = page.map(
    ([key, { etag, at, body }]) =>
      `<Contents><Key>${escaped(key)}</Key><LastModified>${at.toISOString()}</LastModified><ETag>${escaped(etag)}</ETag><Size>${body.length}</Size><StorageClass>STANDARD</StorageClass></Contents>`,
  );
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${name}</Name><Prefix>${escaped(prefix)}</Prefix><KeyCount>${page.length}</KeyCount><MaxKeys>${most}</MaxKeys><IsTruncated>${next !== ''}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`;
  return { status: 200, headers: { 'content-type': 'application/xml' }, body };
}

/** By the bytes of UTF-8. */
const order = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

function refused(status: number, code: string, region: string | null = null, message = code): Reply {
  const where = region === null ? '' : `<Region>${region}</Region>`;
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${escaped(message)}</Message>${where}<RequestId>4442587FB7D0A2F9</RequestId></Error>`;
  return { status, headers: { 'content-type': 'application/xml', ...(region !== null && { 'x-amz-bucket-region': region }) }, body };
}

function send(answer: ServerResponse, { status, headers = {}, body = '' }: Reply, method: string): void {
  const isEmpty = status === 204;
  answer.writeHead(status, { ...headers, ...(!isEmpty && { 'content-length': Buffer.byteLength(body) }) });
  answer.end(method === 'HEAD' || isEmpty ? undefined : body);
}

async function read(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
