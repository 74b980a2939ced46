import { describe, expect, it } from 'vitest';
import { isThrottled, retryAfter } from './retry-after.ts';

const now = Date.UTC(2026, 10, 21, 12);
const clock = { now: () => now, mono: () => 0, sleep: async () => {} };
const of = (status: number, headers: Record<string, string>) => retryAfter(status, headers, clock);

describe('the wait that a provider asks for', () => {
  it('is a number of seconds or a date', () => {
    expect(of(429, { 'retry-after': '12' })).toBe(12_000);
    expect(of(503, { 'retry-after': '0.5' })).toBe(500);
    expect(of(429, { 'retry-after': new Date(now + 4_000).toUTCString() })).toBe(4_000);
    expect(of(429, { 'retry-after': new Date(now - 4_000).toUTCString() })).toBe(0);
    for (const headers of [{}, { 'retry-after': '' }, { 'retry-after': 'soon' }]) expect(of(429, headers)).toBeNull();
  });

  it('is read from a spent rate limit, and only then', () => {
    const reset = { 'x-ratelimit-reset': String(now / 1000 + 30) };
    expect(of(403, { 'x-ratelimit-remaining': '0', ...reset })).toBe(30_000);
    expect(of(403, { 'x-ratelimit-remaining': '10', ...reset })).toBeNull();
    expect(of(404, { 'x-ratelimit-remaining': '0', ...reset })).toBeNull();
  });

  it('makes a 403 a throttled request, not a missing permission', () => {
    expect(isThrottled(403, { 'retry-after': '60' })).toBe(true);
    expect(isThrottled(403, {})).toBe(false);
    expect(isThrottled(429, {})).toBe(true);
  });

  it('does not make a full account a throttled request', () => {
    expect(isThrottled(429, { 'x-amzn-errortype': 'LimitExceededException:http://internal.amazon.com/' })).toBe(false);
    expect(isThrottled(429, { 'x-amzn-errortype': 'TooManyRequestsException' })).toBe(true);
    expect(isThrottled(429, { 'x-amzn-errortype': 'LimitExceededExceptionally' })).toBe(true);
  });
});
