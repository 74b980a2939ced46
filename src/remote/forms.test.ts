import { describe, expect, it } from 'vitest';
import type { Json } from '../core/json.ts';
import { isOtherForm } from './forms.ts';
import { isRespelt, isSameId } from './spelling.ts';

const same: readonly (readonly [Json, unknown])[] = [
  ['https://Hooks.Example.com:443/a/', 'https://hooks.example.com/a'],
  ['https://example.com', 'https://example.com/'],
  ['https://example.com/a/../b', 'https://example.com/b'],
  ['Preview.Example.com.', 'preview.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['{ "b": 1, "a": [1, 2] }', '{"a":[1,2],"b":1}'],
  ['{"a":1}', { a: 1, added: true }],
  [{ a: 1 }, '{"a":1}'],
  ['2026-11-25T10:00:00.000+01:00', '2026-11-25T09:00:00Z'],
  [' one\r\ntwo ', 'one\ntwo'],
  ['Å', 'Å'],
  [true, 'true'],
  [1, '1.0'],
  ['', null],
  [[], undefined],
  [false, null],
  [{ a: '', b: 'x' }, { b: 'x' }],
];

/** Equal only right after a write: later a person may have changed just that. */
const loose: readonly (readonly [Json, unknown])[] = [
  ['Preview', 'preview'],
  [
    ['b', 'a'],
    ['a', 'b'],
  ],
  [
    ['a', 'a', 'b'],
    ['a', 'b'],
  ],
  [['a'], 'a'],
  ['a', ['a']],
  [['a', 'b'], 'a,b'],
  [['a', 'b'], ['a,b']],
];

const other: readonly (readonly [Json, unknown])[] = [
  ['https://example.com/a', 'https://example.com/b'],
  ['https://example.com/a?x=1', 'https://example.com/a'],
  ['a.example', 'b.example'],
  ['text', ''],
  ['text', null],
  [0, null],
  [5, 60],
  ['007', '7'],
  ['1.10', '1.1'],
  ['{"a":1}', '{"a":2}'],
  ['12345678901234567890', '12345678901234567891'],
  [['a'], []],
  [{ a: 1 }, null],
];

describe('a value in another form', () => {
  it.each(same)('%j means %j', (planned, live) => {
    expect(isOtherForm(planned, live)).toBe(true);
    expect(isOtherForm(planned, live, { isLoose: true })).toBe(true);
  });

  it.each(loose)('%j may be kept as %j', (planned, live) => {
    expect(isOtherForm(planned, live)).toBe(false);
    expect(isOtherForm(planned, live, { isLoose: true })).toBe(true);
  });

  it.each(other)('%j is not %j', (planned, live) => {
    expect(isOtherForm(planned, live)).toBe(false);
    expect(isOtherForm(planned, live, { isLoose: true })).toBe(false);
  });
});

it('equal ids may differ in case alone, and chosen ids in what providers make of names', () => {
  expect([isSameId('ABC', 'abc'), isSameId('abc', 'abd')]).toEqual([true, false]);
  expect([isRespelt('Shop_PR 12', 'shop-pr-12'), isRespelt('shop-pr-12', 'shop-pr-1')]).toEqual([true, false]);
});
