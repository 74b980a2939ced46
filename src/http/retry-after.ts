import { isMap } from '../core/json.ts';
import { dateOf, type HostClock } from './host-clock.ts';
import { isLimitSpent, untilReset } from './rate-reset.ts';

type AnswerHeaders = { readonly [name: string]: string };

/**
 * Milliseconds that the provider asks to wait: seconds or a date in `Retry-After`, or the reset of a spent rate limit. A moment is one of
 * the host's own clock: where that is not known, neither is how far away it is.
 */
export function retryAfter(status: number, headers: AnswerHeaders, time: Pick<HostClock, 'now'>, body: unknown = null): number | null {
  const now = dateOf(headers) ?? time.now();
  const asked = headers['retry-after']?.trim();
  if (asked !== undefined && asked !== '') {
    if (/^\d+(\.\d+)?$/.test(asked)) return Math.ceil(Number(asked) * 1000);
    const at = Date.parse(asked);
    if (!Number.isNaN(at) && now !== null) return Math.max(0, at - now);
  }
  // With requests left it is another limit that refused, and its own reset says nothing of that.
  if (isThrottled(status, headers) && isLimitSpent(headers) !== false) return untilReset(headers, now);
  return (status === 403 || status === 429) && saysSecondary(body) ? unstatedWait : null;
}

/**
 * GitHub answers 403, not 429, when a rate limit is spent: with `retry-after`, or with `x-ratelimit-remaining: 0`
 * (docs.github.com, "Rate limits for the REST API", 2026-11). Read as "not permitted" it would fail a run that only has to wait.
 */
export function isThrottled(status: number, headers: AnswerHeaders, body: unknown = null): boolean {
  if (status === 429) return !isQuota(status, headers);
  return status === 403 && (headers['retry-after'] !== undefined || isSpent(headers) || saysSecondary(body));
}

/**
 * GitHub's secondary limits may come without any header that tells the wait, and with requests left: "You have exceeded a secondary
 * rate limit". At least a minute is asked for then (the same page).
 */
const saysSecondary = (body: unknown): boolean =>
  isMap(body) && typeof body.message === 'string' && /\bsecondary rate limit\b|\babuse detection\b/i.test(body.message);
const unstatedWait = 60_000;

/**
 * Services of Amazon answer 429 to a create when the account is full, too, and only the name of the error tells (Amplify's model,
 * 2026-11-21): no wait makes room.
 */
export const isQuota = (status: number, headers: AnswerHeaders): boolean =>
  status === 429 && /^(?:LimitExceeded|ServiceQuotaExceeded)Exception(?:$|:)/.test(headers['x-amzn-errortype'] ?? '');

const isSpent = (headers: AnswerHeaders): boolean => headers['x-ratelimit-remaining'] === '0';
