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
 * Signature version 4 of Amazon, which others took over. Each attempt is signed for the moment in which it is sent:
 * method, address, body, and the headers that the request was made with. Once a host refuses that moment, its own time counts.
 */
export function awsSigner(form: AwsForm, context: SignerContext): Signer {
  const { block, clock } = context;
  if (context.credential !== null) {
    throw new Failure('PLAN_INVALID', {
      detail: `${block.api} signs its requests with a key id and a secret key, so the one value of a line's \`credential\` cannot replace them.`,
      fix: 'Use an API block of its own for this line.',
    });
  }
  const region = regionOf(context);
  const theirs = new HostClock(clock);
  return {
    address: (url) => strictUrl(url, block.api),
    headers: async (request) => {
      const keys = keysOf(form, context);
      // Only a run that signs loads it.
      const { SignatureV4 } = await import('@smithy/signature-v4');
      const isS3 = form.service === 's3';
      const signer = new SignatureV4({
        credentials: keys,
        region,
        service: form.service,
        sha256: Sha256,
        // The path is encoded once as it is sent and, but for S3, once more in what is signed.
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

/** The session token goes with temporary keys; with lasting ones its variable may be empty. */
function keysOf(form: AwsForm, context: SignerContext) {
  const { session_token_env: session } = context.block;
  const accessKeyId = variable(form.access_key_id_env, context);
  if (!/^[\x21-\x2b\x2d-\x7e]+$/.test(accessKeyId)) {
    throw new Failure('PROVIDER_AUTH', {
      detail: `${form.access_key_id_env} holds a character that no access key id has.`,
      fix: `Set ${form.access_key_id_env} to the access key id alone.`,
    });
  }
  const secretAccessKey = hashedSecret(form.secret_access_key_env, context);
  if (isTemporary(accessKeyId) && session === undefined) {
    throw new Failure('PLAN_INVALID', {
      detail: `${form.access_key_id_env} holds the id of a temporary key, and the block of ${context.block.api} names no variable of its session token.`,
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
    detail: `${block.api} signs its requests for a region, and its block names none.`,
    fix: `Add \`region\` to the block of ${block.api}.`,
  });
}

/** Signed beside `host`. A proxy may rewrite what the client accepts; nothing of the request hangs on it. */
function headersThatCount(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name !== 'accept'));
}

/** S3 refuses some bodies without a checksum of their own, such as the CORS rules of a bucket. */
function bodyChecksum({ body, headers }: SignedRequest): Record<string, string> {
  const given = [...headers.keys()].some((name) => name === 'content-md5' || name.startsWith('x-amz-checksum-'));
  if (body === undefined || given) return {};
  return { 'x-amz-checksum-sha256': createHash('sha256').update(body).digest('base64') };
}

/** Everything but letters, digits and `-._~` percent-encoded: other spellings of an address are signed in more than one way. */
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

/** Names without a value, and names that stand several times, count as they are. */
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
