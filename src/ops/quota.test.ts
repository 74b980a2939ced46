import { expect, test } from 'vitest';
import { countIn, isFullAnswer, limitIn } from './quota.ts';

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

test.each([
  [10, 10],
  ['10', 10],
  [0, null],
  [-1, null],
  [2.5, null],
  [Number.NaN, null],
  ['many', null],
  [null, null],
  [undefined, null],
  [true, null],
  [[1, 2], null],
])('a limit that is told as %j is %j', (told, limit) => {
  expect(limitIn({ plan: { most: told } }, { path: '/', at: '/plan/most' })).toBe(limit);
});

test('a count is a number, or the number of entries of a list that match', () => {
  const path = '/hooks';
  const body = { total: 3, none: 0, below: -1, hooks: [{ on: true }, { on: false }, 'hook'] };
  expect(countIn(body, { path, at: '/total' })).toBe(3);
  expect(countIn(body, { path, at: '/none' })).toBe(0);
  expect(countIn(body, { path, at: '/below' })).toBeNull();
  expect(countIn(body, { path, at: '/hooks' })).toBe(3);
  expect(countIn(body, { path, at: '/hooks', match: { '/on': true } })).toBe(1);
  expect(countIn(body.hooks, { path, at: '' })).toBe(3);
  expect(countIn(body, { path, at: '/gone' })).toBeNull();
  expect(countIn('an error page', { path, at: '/hooks' })).toBeNull();
});
