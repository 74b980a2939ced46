import { expect, test } from 'vitest';
import { isFullAnswer } from './quota.ts';

const post = { method: 'POST', path: '/v1/channels', body: { error: { message: 'Channel Quota reached.' } } } as const;

test('a refusal means "full" when its status, its method and every part of its body are those of one answer', () => {
  const quota = {
    answers: [{ status: 412 }, { method: 'POST', status: 429, match: { '/error/message': { contains: 'channel quota' } } }],
  } as const;
  expect(isFullAnswer(quota, { ...post, status: 412 })).toBe(true);
  expect(isFullAnswer(quota, { ...post, status: 429 })).toBe(true);
  expect(isFullAnswer(quota, { ...post, method: 'PATCH', status: 429 })).toBe(false);
  expect(isFullAnswer(quota, { ...post, status: 429, body: { error: { message: 'Too many requests a minute.' } } })).toBe(false);
  expect(isFullAnswer(quota, { ...post, status: 429, body: null })).toBe(false);
  expect(isFullAnswer(quota, { ...post, status: 400 })).toBe(false);
});

test('an operation that knows only its limit takes no refusal as "full"', () => {
  expect(isFullAnswer({ limit: 'An account holds 16 of them.' }, { ...post, status: 400 })).toBe(false);
});

test('a refusal without a body means "full" only for the path that makes objects, and only where the body is really empty', () => {
  const quota = { answers: [{ method: 'POST', path: '/checks/', status: 403, empty: true }] } as const;
  const empty = { method: 'POST', path: '/api/v3/checks/', status: 403, body: null } as const;
  expect(isFullAnswer(quota, empty)).toBe(true);
  expect(isFullAnswer(quota, { ...empty, body: ' \n' })).toBe(true);
  expect(isFullAnswer(quota, { ...empty, body: { error: 'wrong api key' } })).toBe(false);
  expect(isFullAnswer(quota, { ...empty, path: '/api/v3/checks/0e1f' })).toBe(false);
});
