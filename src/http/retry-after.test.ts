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

  it('is the reset of a limit, as a moment or as seconds, the longest of several', () => {
    const moment = (seconds: number) => String(now / 1000 + seconds);
    expect(of(429, { 'x-ratelimit-reset': moment(30) })).toBe(30_000);
    expect(of(429, { 'x-ratelimit-reset': '30' })).toBe(30_000);
    expect(of(429, { 'x-ratelimit-reset': String(now + 1_500) })).toBe(1_500);
    expect(of(429, { 'x-rate-limit-reset': moment(7), 'x-rate-limit-remaining': '0' })).toBe(7_000);
    expect(of(429, { 'x-sentry-rate-limit-reset': moment(9) })).toBe(9_000);
    expect(of(429, { 'ratelimit-reset': '1', 'ratelimit-remaining': '0' })).toBe(1_000);
    expect(of(429, { ratelimit: 'limit=100, remaining=0, reset=12' })).toBe(12_000);
    expect(of(429, { 'x-ratelimit-reset-seconds-org': '3', 'x-ratelimit-reset-seconds-ip': '11' })).toBe(11_000);
    expect(of(429, { 'x-ratelimit-reset': '30', 'retry-after': '2' })).toBe(2_000);
  });

  it('is not the reset of a limit that refused nothing, nor a reset that is past or cannot be read', () => {
    expect(of(429, { 'x-ratelimit-reset': '30', 'x-ratelimit-remaining': '12' })).toBeNull();
    expect(of(503, { 'x-ratelimit-reset': '30' })).toBeNull();
    for (const reset of ['', 'soon', '-5', '0', '1e3', String(now / 1000 - 5)])
      expect(of(429, { 'x-ratelimit-reset': reset }), reset).toBeNull();
  });

  it('makes a 403 a throttled request, not a missing permission', () => {
    expect(isThrottled(403, { 'retry-after': '60' })).toBe(true);
    expect(isThrottled(403, {})).toBe(false);
    expect(isThrottled(429, {})).toBe(true);
  });

  it('is no matter of the status at Amazon, whose 400 tells by the name of the error', () => {
    const xml = (Code: string) => ({ ErrorResponse: { '@xmlns': 'urn:x', Error: { Type: 'Sender', Code, Message: 'x' } } });
    for (const code of ['Throttling', 'RequestLimitExceeded', 'PriorRequestNotComplete'])
      expect(isThrottled(400, {}, xml(code))).toBe(true);
    expect(isThrottled(400, {}, { __type: 'com.amazon.coral.availability#ThrottlingException' })).toBe(true);
    expect(isThrottled(400, { 'x-amzn-errortype': 'ThrottlingException:' })).toBe(true);
    for (const body of [xml('InvalidChangeBatch'), { message: 'Throttling' }, 'Throttling', null])
      expect(isThrottled(400, {}, body)).toBe(false);
    expect(isThrottled(422, {}, xml('Throttling'))).toBe(false);
    expect([retryAfter(400, {}, clock, xml('PriorRequestNotComplete')), retryAfter(400, {}, clock, xml('Throttling'))]).toEqual([
      5_000,
      null,
    ]);
  });

  it('is a minute where the provider reports a rate limit in words alone', () => {
    const said = { message: 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.' };
    const left = { 'x-ratelimit-remaining': '4999', 'x-ratelimit-reset': String(now / 1000 + 3_000) };
    for (const status of [403, 429]) {
      expect(retryAfter(status, left, clock, said)).toBe(60_000);
      expect(isThrottled(status, left, said)).toBe(true);
      expect(retryAfter(status, { ...left, 'retry-after': '7' }, clock, said)).toBe(7_000);
    }
    expect(isThrottled(403, left, { message: 'Resource not accessible by integration' })).toBe(false);
    expect(isThrottled(422, left, said)).toBe(false);
    expect(retryAfter(403, left, clock, { message: 'Resource not accessible by integration' })).toBeNull();
  });

  it('does not make a full account a throttled request', () => {
    expect(isThrottled(429, { 'x-amzn-errortype': 'LimitExceededException:http://internal.amazon.com/' })).toBe(false);
    expect(isThrottled(429, { 'x-amzn-errortype': 'TooManyRequestsException' })).toBe(true);
    expect(isThrottled(429, { 'x-amzn-errortype': 'LimitExceededExceptionally' })).toBe(true);
  });
});
