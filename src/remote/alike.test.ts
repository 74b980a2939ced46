import { expect, it } from 'vitest';
import { alike } from './alike.ts';

it('an absent member means its default, even in every entry of a list', () => {
  const live = { matchers: [{ type: 'A' }, { type: 'B', negate: true }, { type: 'C', negate: null }] };
  expect(alike({}, live, { '/matchers/*/negate': { default: false } })).toEqual({
    matchers: [
      { type: 'A', negate: false },
      { type: 'B', negate: true },
      { type: 'C', negate: false },
    ],
  });
  expect(alike({}, live, { '/matchers/0/negate': { default: false } })).toMatchObject({
    matchers: [{ negate: false }, {}, { negate: null }],
  });
  // A missing parent of the member is not made up.
  expect(alike({}, { other: 1 }, { '/matchers/*/negate': { default: false } })).toEqual({ other: 1 });
});

it('letters in another case count as those of the plan, and other letters do not', () => {
  const rules = { '': { ignore_case: true } };
  expect(alike('Blue', 'blue', rules)).toBe('Blue');
  expect(alike('Blue', 'red', rules)).toBe('red');
  expect(alike(1, 'x', rules)).toBe('x');
  expect(alike(['Blue', 'Red'], ['BLUE', 'green'], { '/*': { ignore_case: true } })).toEqual(['Blue', 'green']);
  expect(alike({ a: { b: 'X' } }, { a: { b: 'x', c: 'y' } }, { '/*/b': { ignore_case: true } })).toEqual({ a: { b: 'X', c: 'y' } });
});

it('one value and a list of that one value are equal, and a longer list differs', () => {
  const rules = { '/*/to': { lone: true } };
  expect(alike([{ to: ['a'] }, { to: 'b' }], [{ to: 'b' }, { to: ['a'] }], rules)).toEqual([{ to: ['b'] }, { to: 'a' }]);
  expect(alike([{ to: 'a' }, { to: ['a'] }], [{ to: ['a', 'b'] }, { to: null }], rules)).toEqual([{ to: ['a', 'b'] }, { to: null }]);
  expect(alike([], [{ to: 'a' }], { '/*/by': { lone: true } })).toEqual([{ to: 'a' }]);
});

it('a value without rules stays as it is', () => {
  const live = { a: [null] };
  expect(alike({ a: ['x'] }, live, undefined)).toBe(live);
});
