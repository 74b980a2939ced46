type AnswerHeaders = { readonly [name: string]: string };

/**
 * Milliseconds until a spent rate limit is whole again, by the headers that providers send in place of `Retry-After` (each contract,
 * 2026-11-21): a moment (GitHub, Auth0, SendGrid, Okta, Sentry in seconds, LaunchDarkly in milliseconds) or seconds from now (Datadog,
 * Resend, Split, Honeycomb). The longest counts, since all of several limits must be whole. `null` where they tell nothing, or
 * nothing that lies ahead. A moment counts only where the host's own time is known.
 */
export function untilReset(headers: AnswerHeaders, now: number | null): number | null {
  const stated = [...resetHeaders.map((name) => headers[name]), inOne.exec(headers.ratelimit ?? '')?.[1]];
  const waits = stated.flatMap((text) => waitOf(text, now) ?? []);
  return waits.length === 0 ? null : Math.max(...waits);
}

/** Whether requests of a limit are left: `null` where no header says so. */
export function isLimitSpent(headers: AnswerHeaders): boolean | null {
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

/** No limit lasts a year; a greater number is a moment, since 1970. */
const aYear = 31_536_000;
/** Seconds reach this number in the year 5138. */
const milliseconds = 100_000_000_000;
