import { type Dispatcher, EnvHttpProxyAgent, Headers } from 'undici';
import { bounds, inMb } from '../../../core/bounds.ts';
import type { Clock } from '../../../core/clock.ts';
import { Failure } from '../../../core/errors.ts';
import { Redactor } from '../../../core/redact.ts';
import { awsSigner } from '../../../http/auth/aws-v4.ts';
import type { Signer } from '../../../http/auth/signer.ts';
import { BodyTooLong } from '../../../http/encodings/decode.ts';
import { exchange } from '../../../http/exchange.ts';
import { networkFault } from '../../../http/network-fault.ts';
import { retryAfter } from '../../../http/retry-after.ts';
import type { Answer } from '../../../http/types.ts';
import { RemoteTrouble } from '../patience.ts';
import { tooLarge } from '../too-large.ts';
import type { S3Address } from './s3-address.ts';
import { codeOf, type Refuser, refusal } from './s3-refusal.ts';

export interface Asked {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Below the prefix of the ledger; without it the request is to the bucket. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** An answer that decides something: success, no such object, or a condition that does not hold. */
export interface Answered {
  readonly status: 200 | 404 | 412;
  /** As the store tells it, with its quotes; empty where it tells none. */
  readonly etag: string;
  readonly bytes: Uint8Array;
  readonly size: number;
  /** Milliseconds since 1970, by the clock of the store. */
  readonly at: number;
}

/** Signed requests to one bucket, over the connections, the proxy and the certificates of every other request. */
export class S3Link {
  readonly refuser: Refuser;
  readonly #clock: Clock;
  readonly #dispatcher: Dispatcher;
  readonly #own: Dispatcher | null;

  constructor(o: {
    address: S3Address;
    env: NodeJS.ProcessEnv;
    clock: Clock;
    redactor?: Redactor | undefined;
    dispatcher?: Dispatcher | undefined;
  }) {
    const { address, env, clock, redactor = new Redactor() } = o;
    this.#clock = clock;
    this.#own = o.dispatcher === undefined ? new EnvHttpProxyAgent({ allowH2: false }) : null;
    this.#dispatcher = o.dispatcher ?? (this.#own as Dispatcher);
    this.refuser = { address, redactor, signer: signerFor(address, { env, clock, redactor }) };
  }

  /** Sends one request. Throws `RemoteTrouble` where another attempt may help, and the failure where none does. */
  async ask(asked: Asked): Promise<Answered> {
    const { signer } = this.refuser;
    let answer = await this.#send(asked);
    // Nothing happened then. The signer takes the time of the store from now on.
    if (signer.isUnproven?.(answer) && (await signer.refresh?.({}, answer.headers))) answer = await this.#send(asked);
    const { status, headers } = answer;
    const code = codeOf(answer);
    if (status === 412) return answered(412, answer);
    // The bucket of a HEAD without an object may be missing too; its next request tells.
    if (status === 404 && code !== 'NoSuchBucket') return answered(404, answer);
    if (status === 200 || status === 204) return answered(200, answer);
    const isBusy = status === 409 && code !== 'BucketAlreadyExists';
    if (isBusy || status === 408 || status === 429 || (status >= 500 && status !== 501 && status !== 505)) {
      // 409 tells of another write of the same object at the same moment: this one did nothing.
      const pause = retryAfter(status, headers, { now: () => null }) ?? (isBusy || status === 429 ? 250 : null);
      const wasSent = asked.method === 'PUT' && status !== 429 && !isBusy;
      throw new RemoteTrouble(`it answered ${status}${code && ` ${code}`}`, { wasSent, retryAfterMs: pause });
    }
    throw refusal(this.refuser, answer, asked.method);
  }

  async close(): Promise<void> {
    await this.#own?.close();
  }

  async #send({ method, key, query, headers: given, body }: Asked): Promise<Answer & { readonly bytes: Uint8Array }> {
    const { address, signer } = this.refuser;
    const path = key === undefined ? '/' : `/${`${address.prefix}${key}`.split('/').map(encodeURIComponent).join('/')}`;
    const wanted = new URL(`${address.base}${path}${query ? `?${new URLSearchParams(query)}` : ''}`);
    const url = signer.address?.(wanted) ?? wanted;
    const own = { ...given, ...(method === 'PUT' && { ...address.encryption, 'content-type': 'application/octet-stream' }) };
    const proof = await signer.headers({ method, url, headers: new Headers(own), ...(body && { body }) });
    // A packed body would be no object as it was stored.
    const headers = new Headers({ ...own, ...proof, 'accept-encoding': 'identity' });
    const wire = { dispatcher: this.#dispatcher, clock: this.#clock, deadlineMs: bounds.statement, most: bounds.localFile };
    try {
      const { bytes, ...answer } = await exchange(wire, { method, url, headers, body: body ?? null }, undefined);
      return { ...answer, bytes, body: answer.status < 300 ? null : Buffer.from(bytes).toString('utf8') };
    } catch (cause) {
      if (cause instanceof BodyTooLong)
        throw tooLarge(`the object ${key ?? ''} has more`, inMb(bounds.localFile), 'Put an earlier version of the object back.');
      const { kind, reason, fix } = networkFault(cause);
      if (kind === 'refused' || kind === 'malformed') {
        const detail = `The bucket of ${address.location} could not be reached: ${reason}. Nothing was sent.`;
        throw new Failure('LEDGER_REFUSED', { detail, fix: fix ?? 'Check the network and the address.', cause });
      }
      throw new RemoteTrouble(reason, { wasSent: method === 'PUT' && kind === 'cut', cause });
    }
  }
}

function answered(status: Answered['status'], { headers, bytes }: Answer & { readonly bytes: Uint8Array }): Answered {
  const size = Number(headers['content-length'] ?? bytes.byteLength);
  return { status, etag: headers.etag ?? '', bytes, size, at: Date.parse(headers.date ?? '') };
}

/** The signer of the recipes. The redactor knows the secrets before they are used. */
function signerFor(address: S3Address, o: { env: NodeJS.ProcessEnv; clock: Clock; redactor: Redactor }): Signer {
  const form = { service: 's3', access_key_id_env: 'AWS_ACCESS_KEY_ID', secret_access_key_env: 'AWS_SECRET_ACCESS_KEY' };
  const none = (): never => {
    throw new Error('keys of S3 need no program and no token');
  };
  const { base, location, region } = address;
  const block = { api: location, base_url: base, auth: { aws_v4: form }, region, session_token_env: 'AWS_SESSION_TOKEN' };
  return awsSigner(form, { ...o, block, credential: null, run: none, fetchToken: none });
}
