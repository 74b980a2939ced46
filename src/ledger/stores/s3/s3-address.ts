import { Failure } from '../../../core/errors.ts';

/** A bucket, or a part of one, that holds a ledger. */
export interface S3Address {
  readonly bucket: string;
  /** Begins every key of the ledger: empty, or it ends with `/`. */
  readonly prefix: string;
  readonly region: string;
  /** The address of the bucket, without a slash at its end. */
  readonly base: string;
  /** Headers that ask for encryption at the server. */
  readonly encryption: Readonly<Record<string, string>>;
  /** For people and to compare two places: without region, encryption and form of addresses. */
  readonly location: string;
}

const members = ['region', 'endpoint', 'addressing', 'sse', 'sse-key'];

/** Reads `s3://<bucket>/<prefix>?<members>`. No error quotes the address, because somebody may have written a key into it. */
export function s3Address(text: string, env: NodeJS.ProcessEnv): S3Address {
  const { bucket, prefix, endpoint, member, location } = partsOf(text);
  const region = member('region') ?? (env.AWS_REGION?.trim() || env.AWS_DEFAULT_REGION?.trim() || (endpoint === null ? '' : 'us-east-1'));
  if (!/^[a-z0-9-]{2,40}$/.test(region)) {
    throw wrong(
      region === '' ? 'nothing tells its region' : 'its region is no name of a region',
      'Add `?region=<region>` to the address, such as `region=eu-central-1`. Without it AWS_REGION counts.',
    );
  }
  const host = endpoint ?? new URL(`https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`);
  return { bucket, prefix, region, base: baseOf(host, bucket, member('addressing'), endpoint), encryption: encryptionOf(member), location };
}

/** The place that an address names. Two addresses of one place have the same. */
export const s3Location = (text: string): string => partsOf(text).location;

function partsOf(text: string) {
  const {
    bucket = '',
    path = '',
    query = '',
  } = /^s3:\/\/(?<bucket>[^/?#]*)(?:\/(?<path>[^?#]*))?(?:\?(?<query>.*))?$/.exec(text)?.groups ?? {};
  if (bucket.includes('@')) {
    throw wrong('it holds a credential', 'Write `s3://<bucket>/<prefix>`, and set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.');
  }
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) || bucket.includes('..')) {
    throw wrong(
      'it names no bucket',
      'Write `s3://<bucket>/<prefix>`. A name of a bucket has 3 to 63 lower-case letters, digits, `-` and `.`.',
    );
  }
  const folders = path.split('/').filter((part) => part !== '');
  if (folders.some((part) => !/^[A-Za-z0-9._-]+$/.test(part) || /^\.+$/.test(part)) || path.length > 300) {
    throw wrong('its prefix is no plain path', 'Use letters, digits, `.`, `_`, `-` and `/` for the prefix, and at most 300 of them.');
  }
  const given = new URLSearchParams(query);
  for (const name of given.keys()) {
    if (!members.includes(name)) throw wrong('it has an unknown member after the `?`', `Use only ${members.join(', ')}.`);
    if (given.getAll(name).length > 1) throw wrong(`it names \`${name}\` twice`, `Leave one \`${name}\` out.`);
  }
  const member = (name: string): string | null => given.get(name);
  const endpoint = endpointOf(member('endpoint'));
  const prefix = folders.map((part) => `${part}/`).join('');
  const at = endpoint === null ? '' : `?endpoint=${endpoint.origin}`;
  return { bucket, prefix, endpoint, member, location: `s3://${bucket}/${prefix.slice(0, -1)}${at}` };
}

/** Nobody can listen within a machine. The ledger leaves the machine only for a host that proved its name. */
function endpointOf(text: string | null): URL | null {
  if (text === null) return null;
  const fix = 'Write `endpoint=https://<host>`, with a port if it has one. The bucket stands before the `?`.';
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw wrong('its `endpoint` is no web address', fix);
  if (url.username + url.password !== '') throw wrong('its `endpoint` holds a credential', fix);
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') throw wrong('its `endpoint` has more than a host', fix);
  const isHere = url.hostname === 'localhost' || url.hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(url.hostname);
  if (url.protocol === 'http:' && !isHere)
    throw wrong('its `endpoint` would send the ledger in the clear', 'Write `endpoint=https://<host>`.');
  return url;
}

/** Stores of one's own seldom have a host name for each bucket, and a certificate for all names does not cover a bucket with a dot. */
function baseOf(host: URL, bucket: string, addressing: string | null, endpoint: URL | null): string {
  const way = addressing ?? (endpoint === null && !bucket.includes('.') ? 'host' : 'path');
  if (way === 'path') return `${host.origin}/${bucket}`;
  if (way === 'host') return `${host.protocol}//${bucket}.${host.host}`;
  throw wrong('its `addressing` is unknown', 'Write `addressing=path` or `addressing=host`, or leave it out.');
}

function encryptionOf(member: (name: string) => string | null): Record<string, string> {
  const [sse, key] = [member('sse'), member('sse-key')];
  const isKms = sse?.startsWith('aws:kms') === true;
  if (sse !== null && !['AES256', 'aws:kms', 'aws:kms:dsse'].includes(sse)) {
    throw wrong('its `sse` is unknown', 'Write `sse=AES256`, `sse=aws:kms` or `sse=aws:kms:dsse`, or leave it out.');
  }
  if (key !== null && !isKms) throw wrong('it has an `sse-key` without `sse=aws:kms`', 'Add `sse=aws:kms`, or leave `sse-key` out.');
  if (key !== null && !/^[A-Za-z0-9:/_-]{1,2048}$/.test(key)) {
    throw wrong('its `sse-key` names no key', 'Write the id, the alias or the ARN of a KMS key.');
  }
  return {
    ...(sse !== null && { 'x-amz-server-side-encryption': sse }),
    ...(key !== null && { 'x-amz-server-side-encryption-aws-kms-key-id': key }),
  };
}

const wrong = (why: string, fix: string): Failure =>
  new Failure('LEDGER_REFUSED', { detail: `The address of the ledger in S3 cannot be used: ${why}. Nothing was sent.`, fix });
