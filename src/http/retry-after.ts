import { isMap } from '../core/json.ts';
import { amazonCode } from './auth/aws-refusal.ts';
import { dateOf, type HostClock } from './host-clock.ts';

type AnswerHeaders = { readonly [name: string]: string };

/**
 * Milliseconds that the provider asks to wait: seconds or a date in `Retry-After`, or the reset of a spent rate limit. A date is one of
 * the host's own clock. Where that clock is not known, nobody can tell how far away the date is.
 */
export function retryAfter(status: number, headers: AnswerHeaders, time: Pick<HostClock, 'now'>, body: unknown = null): number | null {
  const now = dateOf(headers) ?? time.now();
  const asked = headers['retry-after']?.trim();
  if (asked !== undefined && asked !== '') {
    if (/^\d+(\.\d+)?$/.test(asked)) return Math.ceil(Number(asked) * 1000);
    const at = Date.parse(asked);
    if (!Number.isNaN(at) && now !== null) return Math.max(0, at - now);
  }
  // With requests left, another limit refused. The reset of this limit says nothing about that one.
  if (isThrottled(status, headers) && isLimitSpent(headers) !== false) return untilReset(headers, now);
  if (status === 400 && amazonCode({ headers, body }) === priorChange) return priorChangeWait;
  return (status === 403 || status === 429) && saysSecondary(body) ? unstatedWait : null;
}

/**
 * GitHub answers 403, not 429, when a rate limit is spent: with `retry-after`, or with `x-ratelimit-remaining: 0`
 * (docs.github.com, "Rate limits for the REST API", 2026-11). Read as "not permitted", this answer would fail a run that only has to wait.
 */
export function isThrottled(status: number, headers: AnswerHeaders, body: unknown = null): boolean {
  if (status === 429) return !isQuota(status, headers);
  if (status === 400) return throttling.has(amazonCode({ headers, body }) ?? '');
  return status === 403 && (headers['retry-after'] !== undefined || isSpent(headers) || saysSecondary(body));
}

/** Route 53 works on one change of a zone at a time, which takes seconds, and asks others to wait longer each time (its description, 2026-11-27). */
const priorChange = 'PriorRequestNotComplete';
const priorChangeWait = 5_000;

/** Services of Amazon answer 400 as well, and the name of the error tells. */
const throttling: ReadonlySet<string> = new Set(['Throttling', 'ThrottlingException', 'RequestLimitExceeded', priorChange]);

/**
 * GitHub's secondary limits may come without any header that tells the wait, and with requests left: "You have exceeded a secondary
 * rate limit". GitHub then asks for at least a minute (the same page).
 */
const saysSecondary = (body: unknown): boolean =>
  isMap(body) && typeof body.message === 'string' && /\bsecondary rate limit\b|\babuse detection\b/i.test(body.message);
const unstatedWait = 60_000;

/**
 * Services of Amazon also answer 429 to a create when the account is full, and only the name of the error tells (Amplify's model,
 * 2026-11-21). Waiting makes no room then.
 */
export const isQuota = (status: number, headers: AnswerHeaders): boolean =>
  status === 429 && /^(?:LimitExceeded|ServiceQuotaExceeded)Exception(?:$|:)/.test(headers['x-amzn-errortype'] ?? '');

const isSpent = (headers: AnswerHeaders): boolean => headers['x-ratelimit-remaining'] === '0';

/**
 * Milliseconds until a spent rate limit is whole again, by the headers that providers send in place of `Retry-After` (each contract,
 * 2026-11-21): a moment (GitHub, Auth0, SendGrid, Okta, Sentry in seconds, LaunchDarkly in milliseconds) or seconds from now (Datadog,
 * Resend, Split, Honeycomb). The longest counts, since all limits must be whole. `null` where the headers tell nothing, or
 * nothing that lies ahead. A moment counts only where the host's own time is known.
 */
function untilReset(headers: AnswerHeaders, now: number | null): number | null {
  const stated = [...resetHeaders.map((name) => headers[name]), inOne.exec(headers.ratelimit ?? '')?.[1]];
  const waits = stated.flatMap((text) => waitOf(text, now) ?? []);
  return waits.length === 0 ? null : Math.max(...waits);
}

/** Whether requests of a limit are left: `null` where no header says so. */
function isLimitSpent(headers: AnswerHeaders): boolean | null {
  const left = remainingHeaders.flatMap((name) => headers[name] ?? []);
  return left.length === 0 ? null : left.some((text) => text.trim() === '0');
}

const resetHeaders = [
  'x-ratelimit-reset',
  'x-rate-limit-reset',
  'ratelimit-reset',
  'x-sentry-rate-limit-reset',
  'x-ratelimit-reset-seconds-org',
  'x-ratelimit-reset-seconds-ip',
];
const remainingHeaders = ['x-ratelimit-remaining', 'x-rate-limit-remaining', 'ratelimit-remaining'];

/** `limit=100, remaining=0, reset=12`. */
const inOne = /(?:^|[,;\s])reset=(\d+)/;

function waitOf(text: string | undefined, now: number | null): number | null {
  const stated = text?.trim() ?? '';
  if (!/^\d{1,13}(?:\.\d{1,6})?$/.test(stated)) return null;
  const number = Number(stated);
  if (number >= aYear && now === null) return null;
  const wait = Math.ceil(number < aYear ? number * 1000 : (number < milliseconds ? number * 1000 : number) - (now ?? 0));
  return wait > 0 ? wait : null;
}

/** No limit lasts a year, so a greater number is a moment since 1970. */
const aYear = 31_536_000;
/** Numbers from here on are milliseconds: seconds reach this number in the year 5138. */
const milliseconds = 100_000_000_000;
