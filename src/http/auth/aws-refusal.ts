import type { Clock } from '../../core/clock.ts';
import { isMap } from '../../core/json.ts';
import type { Answer, AuthForm, ProviderBlock } from '../types.ts';

interface Asked {
  readonly form: Extract<AuthForm, { aws_v4: unknown }>['aws_v4'];
  readonly block: ProviderBlock;
  readonly clock: Clock;
}

/**
 * Explains a refusal of the keys; `null` when the refusal is about something else. These services answer 400 or 403 to a
 * credential that they do not accept, and 403 to a good one without the permission. Only the error's code tells which.
 */
export function awsRefusal(answer: Answer, { form, block, clock }: Asked): { readonly detail: string; readonly fix: string } | null {
  if (answer.status !== 400 && answer.status !== 401 && answer.status !== 403) return null;
  const { access_key_id_env: id, secret_access_key_env: secret } = form;
  const session = block.session_token_env;
  const kind = kindOf(amazonCode(answer));
  if (kind === null) return null;
  const skew = skewOf(answer, clock);
  if (isOfTheClock(answer, clock)) {
    const off = skew === null ? 'is wrong' : `is ${duration(Math.abs(skew))} ${skew > 0 ? 'ahead of' : 'behind'} the provider's`;
    return {
      detail: `A signature is valid for a few minutes only, and the clock of this machine ${off}.`,
      fix: 'Set the clock of this machine.',
    };
  }
  if (kind === 'region' || (kind === 'signature' && /credential should be scoped to/i.test(textOf(answer.body)))) {
    const detail = `The requests of ${block.api} are signed for the region ${block.region ?? ''} and the service ${form.service}. Its address belongs to another region or service.`;
    return { detail, fix: `Correct \`region\` or \`service\` in the block of ${block.api}.` };
  }
  if (kind === 'signature') {
    return { detail: `The signature was made with ${secret}.`, fix: `Check ${secret}: it is not the secret key of ${id}.` };
  }
  const token = session ?? id;
  if (kind === 'expired')
    return {
      detail: `The credential in ${token} has expired.`,
      fix: `Renew ${[id, secret, session].filter(Boolean).join(', ')} together.`,
    };
  return {
    detail: `The provider does not know the key id in ${id}${session === undefined ? '' : `, or the token in ${session} is not of that key`}.`,
    fix: `Check ${[id, session].filter(Boolean).join(' and ')}.`,
  };
}

/** Whether the provider refused the request because of its time of signature. Nothing happened then. */
export function isOfTheClock(answer: Answer, clock: Clock): boolean {
  if (answer.status !== 400 && answer.status !== 403) return false;
  const kind = kindOf(amazonCode(answer));
  return kind === 'clock' || (kind === 'signature' && Math.abs(skewOf(answer, clock) ?? 0) >= tolerated);
}

type Kind = 'signature' | 'clock' | 'region' | 'expired' | 'key';

/** Error names of S3, the query services and the JSON services, without their endings `Exception` and `Error`. */
const kinds: { readonly [code: string]: Kind | undefined } = {
  SignatureDoesNotMatch: 'signature',
  InvalidSignature: 'signature',
  IncompleteSignature: 'signature',
  RequestTimeTooSkewed: 'clock',
  RequestExpired: 'clock',
  RequestInTheFuture: 'clock',
  AuthorizationHeaderMalformed: 'region',
  IllegalLocationConstraint: 'region',
  ExpiredToken: 'expired',
  TokenRefreshRequired: 'expired',
  InvalidToken: 'key',
  InvalidAccessKeyId: 'key',
  InvalidClientTokenId: 'key',
  UnrecognizedClient: 'key',
  MissingAuthenticationToken: 'key',
};

function kindOf(code: string | null): Kind | null {
  const name = code?.replace(/(?:Exception|Error)$/, '') ?? '';
  return Object.hasOwn(kinds, name) ? (kinds[name] ?? null) : null;
}

/**
 * The name of an error: `x-amzn-errortype: Name:http://…`, `{"__type":"prefix#Name"}`, `<Error><Code>Name</Code>`, or that below
 * `<ErrorResponse>`.
 */
export function amazonCode({ headers, body }: Pick<Answer, 'headers' | 'body'>): string | null {
  const stated = headers['x-amzn-errortype']?.split(':')[0]?.trim();
  if (stated !== undefined && stated !== '') return stated;
  if (typeof body === 'string') return /<Code>\s*([A-Za-z.]+)\s*<\/Code>/.exec(body)?.[1] ?? null;
  if (!isMap(body)) return null;
  for (const name of ['__type', 'code', 'Code']) {
    const value = body[name];
    if (typeof value === 'string') return value.split('#').at(-1) ?? null;
  }
  const inside = body.ErrorResponse ?? body.Error ?? body.error;
  return isMap(inside) ? amazonCode({ headers: {}, body: inside }) : null;
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  return isMap(body) ? Object.values(body).map(textOf).join(' ') : '';
}

/** How far this machine's clock is ahead, in milliseconds. */
function skewOf({ headers }: Answer, clock: Clock): number | null {
  const theirs = Date.parse(headers.date ?? '');
  return Number.isNaN(theirs) ? null : clock.now() - theirs;
}

/** Most services accept a signature for five minutes, S3 for fifteen. */
const tolerated = 4 * 60_000;

function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}
