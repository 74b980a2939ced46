import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import type { Headers } from 'undici';
import { Failure } from '../../core/errors.ts';
import { HostClock } from '../host-clock.ts';
import type { AuthForm } from '../types.ts';
import { awsRefusal, isOfTheClock } from './aws-refusal.ts';
import { isTemporary } from './check.ts';
import { hashedSecret, secretVariable, variable } from './credential.ts';
import type { SignedRequest, Signer, SignerContext } from './signer.ts';

type AwsForm = Extract<AuthForm, { aws_v4: unknown }>['aws_v4'];

/**
 * Signature version 4 of Amazon, which other providers took over. Each attempt is signed for the moment of its send. The signature covers
 * method, address, body, and the headers of the request. Once a host refuses that moment, the host's own time counts.
 */
export function awsSigner(form: AwsForm, context: SignerContext): Signer {
  const { block, clock } = context;
  if (context.credential !== null) {
    throw new Failure('PLAN_INVALID', {
      detail: `${block.api} signs its requests with a key id and a secret key. The \`credential\` of a line is one value, so it cannot replace both.`,
      fix: 'Use an API block of its own for this line.',
    });
  }
  const region = regionOf(context);
  const theirs = new HostClock(clock);
  return {
    address: (url) => strictUrl(url, block.api),
    headers: async (request) => {
      const keys = keysOf(form, context);
      // Only a run that signs loads this package.
      const { SignatureV4 } = await import('@smithy/signature-v4');
      const isS3 = form.service === 's3';
      const signer = new SignatureV4({
        credentials: keys,
        region,
        service: form.service,
        sha256: Sha256,
        // The path is sent encoded once. Every service but S3 signs it encoded once more.
        uriEscapePath: !isS3,
      });
      const address = strictUrl(request.url, block.api);
      const added = { 'x-amz-content-sha256': sha256(request.body), ...(isS3 && bodyChecksum(request)) };
      const { headers } = await signer.sign(
        {
          method: request.method,
          protocol: address.protocol,
          hostname: address.hostname,
          path: address.pathname,
          query: queryOf(address),
          headers: { ...headersThatCount(request.headers), host: address.host, ...added },
          ...(request.body !== undefined && { body: request.body }),
        },
        { signingDate: new Date(theirs.now() ?? clock.now()) },
      );
      const proof = ['authorization', 'x-amz-date', 'x-amz-security-token', ...Object.keys(added)];
      return Object.fromEntries(Object.entries(headers).filter(([name]) => proof.includes(name)));
    },
    isUnproven: (answer) => isOfTheClock(answer, clock),
    refresh: async (_, headers) => {
      theirs.hear(headers);
      return theirs.now() !== null;
    },
    explain: (answer) => awsRefusal(answer, { form, block, clock }),
  };
}

/** Temporary keys need the session token. With lasting keys its variable may be empty. */
function keysOf(form: AwsForm, context: SignerContext) {
  const { session_token_env: session } = context.block;
  const accessKeyId = variable(form.access_key_id_env, context);
  if (!/^[\x21-\x2b\x2d-\x7e]+$/.test(accessKeyId)) {
    throw new Failure('PROVIDER_AUTH', {
      detail: `${form.access_key_id_env} holds a character that cannot be part of an access key id.`,
      fix: `Set ${form.access_key_id_env} to the access key id alone.`,
    });
  }
  const secretAccessKey = hashedSecret(form.secret_access_key_env, context);
  if (isTemporary(accessKeyId) && session === undefined) {
    throw new Failure('PLAN_INVALID', {
      detail: `${form.access_key_id_env} holds the id of a temporary key, but the block of ${context.block.api} names no variable with its session token.`,
      fix: `Add \`session_token_env\` to the block of ${context.block.api}.`,
    });
  }
  const isGiven = session !== undefined && (context.env[session]?.trim() ?? '') !== '';
  if (!isGiven && !isTemporary(accessKeyId)) return { accessKeyId, secretAccessKey };
  return { accessKeyId, secretAccessKey, ...(session !== undefined && { sessionToken: secretVariable(session, context) }) };
}

function regionOf({ block }: SignerContext): string {
  if (block.region !== undefined) return block.region;
  throw new Failure('PLAN_INVALID', {
    detail: `${block.api} signs its requests for a region, but its block names none.`,
    fix: `Add \`region\` to the block of ${block.api}.`,
  });
}

/** The headers that are signed beside `host`. Headers such as `accept` are left out: a proxy may rewrite them, and nothing depends on them. */
function headersThatCount(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name !== 'accept'));
}

/** S3 refuses some bodies without a checksum, such as the CORS rules of a bucket. */
function bodyChecksum({ body, headers }: SignedRequest): Record<string, string> {
  const given = [...headers.keys()].some((name) => name === 'content-md5' || name.startsWith('x-amz-checksum-'));
  if (body === undefined || given) return {};
  return { 'x-amz-checksum-sha256': createHash('sha256').update(body).digest('base64') };
}

/** Percent-encodes everything but letters, digits and `-._~`: servers sign other spellings of an address in different ways. */
function strictUrl(url: URL, api: string): URL {
  const encode = (text: string): string => {
    try {
      return encodeURIComponent(decodeURIComponent(text)).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
    } catch {
      throw new Failure('PARAM_INVALID', {
        detail: `The address of a request to ${api} holds a percent sign that encodes no character, so it cannot be signed.`,
        fix: 'Write a percent sign as %25.',
      });
    }
  };
  const strict = new URL(url);
  strict.pathname = url.pathname
    .split('/')
    .map((segment) => encode(segment))
    .join('/');
  // A plus sign in a query is a space to some readers and a plus sign to others.
  strict.search = url.search
    .slice(1)
    .split('&')
    .map((pair) => /^([^=]*)(=?)(.*)$/s.exec(pair.replaceAll('+', ' ')))
    .map((parts) => `${encode(parts?.[1] ?? '')}${parts?.[2] ?? ''}${encode(parts?.[3] ?? '')}`)
    .join('&');
  return strict;
}

/** Keeps names without a value, and names that stand several times. */
function queryOf(url: URL): Record<string, string[]> {
  const names = [...new Set(url.searchParams.keys())];
  return Object.fromEntries(names.map((name) => [name, url.searchParams.getAll(name)]));
}

const sha256 = (body: string | Uint8Array = ''): string => createHash('sha256').update(body).digest('hex');

/** SHA-256 and its HMAC in the shape that the signing package asks for. */
class Sha256 {
  readonly #start: () => Hash | Hmac;
  #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    const key = secret === undefined || typeof secret === 'string' ? secret : bytesOf(secret);
    this.#start = () => (key === undefined ? createHash('sha256') : createHmac('sha256', key));
    this.#hash = this.#start();
  }

  update(chunk: Uint8Array): void {
    this.#hash.update(chunk);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    this.#hash = this.#start();
  }
}

const bytesOf = (data: ArrayBuffer | ArrayBufferView): Uint8Array =>
  ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);
