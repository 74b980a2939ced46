import { Failure } from '../../../core/errors.ts';
import type { Redactor } from '../../../core/redact.ts';
import type { Signer } from '../../../http/auth/signer.ts';
import type { Answer } from '../../../http/types.ts';
import { plainWords } from '../remote-words.ts';
import type { S3Address } from './s3-address.ts';

/** The bucket that a failure names, the mask for the words of its store, and what explains a refused signature. */
export interface Refuser {
  readonly address: S3Address;
  readonly redactor: Redactor;
  readonly signer: Signer;
}

const page = 'docs/guide/s3.md';

/** For people: the bucket and the host that answers for it. */
export const placeOf = ({ location, base }: S3Address): string =>
  location.includes('?endpoint=') ? location : `${location} (${new URL(base).host})`;

/** What the XML of an error says; the answer to a HEAD has none. */
const wordIn = (body: unknown, name: string): string | null =>
  typeof body === 'string' ? (new RegExp(`<${name}>([^<]*)</${name}>`).exec(body)?.[1] ?? null) : null;

export const codeOf = ({ body }: Pick<Answer, 'body'>): string => wordIn(body, 'Code') ?? '';

/** The failure for an answer that a repeat does not change. */
export function refusal({ address, redactor, signer }: Refuser, answer: Answer, method: string): Failure {
  const { bucket, region } = address;
  const code = codeOf(answer);
  const words = plainWords(wordIn(answer.body, 'Message') ?? '', redactor);
  const said = words === '' ? ` It answered ${answer.status}${code && ` ${code}`}.` : ` It said: ${words} (${answer.status} ${code})`;
  const refused = (what: string, fix: string): Failure =>
    new Failure('LEDGER_REFUSED', { detail: `The bucket of ${placeOf(address)} ${what}.${said}`, fix });
  const other = answer.headers['x-amz-bucket-region'] ?? wordIn(answer.body, 'Region');
  const isElsewhere = [301, 307, 308].includes(answer.status) || (other !== null && other !== region);
  if (isElsewhere) {
    const where = other !== null && /^[a-z0-9-]+$/.test(other) ? other : null;
    return refused(
      `is not in the region ${region}${where === null ? '' : `, but in ${where}`}`,
      `Write \`region=${where ?? '<its region>'}\` into the address. With \`endpoint=\`, name the host that holds the bucket.`,
    );
  }
  const reason = signer.explain?.(answer) ?? null;
  if (reason !== null) return refused(`does not accept the signature. ${reason.detail.replace(/\.$/, '')}`, reason.fix);
  if (code === 'NoSuchBucket') return refused('does not exist there', `Create the bucket ${bucket}, or correct its name or \`endpoint=\`.`);
  if (code.startsWith('KMS'))
    return refused('cannot use its key', 'Check `sse-key`, and give these keys `kms:GenerateDataKey` and `kms:Decrypt` for it.');
  if (answer.status === 401 || answer.status === 403) {
    return refused(
      `does not let these keys ${rightOf[method] ?? 'use it'}`,
      `Give the keys in AWS_ACCESS_KEY_ID the rights that ${page} lists.`,
    );
  }
  return refused('refused a request of the ledger', `Compare the address and the store with ${page}.`);
}

const rightOf: { readonly [method: string]: string } = { GET: 'read it', HEAD: 'read it', PUT: 'write to it', DELETE: 'delete in it' };

/** The failure for a store whose writes overwrite each other. */
export const unconditional = ({ address }: Pick<Refuser, 'address'>, what: string): Failure =>
  new Failure('LEDGER_REFUSED', {
    detail: `The store behind ${placeOf(address)} cannot hold a ledger: ${what}. Two runs would overwrite each other's facts. pilotfish tried it on an object of its own, and wrote no fact.`,
    fix: `Use a store whose PUT holds both If-Match and If-None-Match (${page} names some), or keep the ledger elsewhere.`,
  });

export const unreachable = ({ address, redactor }: Refuser, why: string): Failure =>
  new Failure('LEDGER_REFUSED', {
    detail: `The bucket of ${placeOf(address)} could not be reached: ${plainWords(why, redactor)}.`,
    fix: 'Check the network, the address and the store, then run again.',
  });

/** What a failure is after a write whose answer is lost, or whose outcome nobody could look up. */
export function leftOpen(thrown: unknown): unknown {
  if (!(thrown instanceof Failure)) return thrown;
  const { code, detail, fix, cause } = thrown;
  const told = `${detail} A write was under way, and nobody knows whether it landed. The next run reads it.`;
  return new Failure(code, { detail: told, fix, cause });
}
