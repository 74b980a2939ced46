import { describe, expect, it } from 'vitest';
import type { Json } from '../core/json.ts';
import type { Side } from '../engine/document.ts';
import { fieldDiff } from './diff-text.ts';
import { widthOf } from './width.ts';

const literal = (value: Json): Side => ({ state: 'literal', value });
const absent: Side = { state: 'absent' };
const diff = (before: Side, after: Side, room?: number) =>
  fieldDiff({ field: 'f', before, after }, room === undefined ? room : { beside: room, below: room });
const values = (before: Json, after: Json, room?: number) => diff(literal(before), literal(after), room);

describe('the diff of a field', () => {
  it('shows a new value and a removed value alone, with a sign', () => {
    expect(diff(absent, literal('x'))).toEqual({ sign: '+', text: '"x"', below: [] });
    expect(diff(literal(3), absent)).toEqual({ sign: '-', text: '3', below: [] });
    expect(values('a', 'b')).toEqual({ sign: '~', text: '"a" -> "b"', below: [] });
  });

  it('shows a word for a hidden value, even if the change holds the value', () => {
    const value = 'hunter2-hunter2';
    expect(diff({ state: 'secret', value }, { state: 'secret', value }).text).toBe('(secret), changed');
    expect(diff(literal('a'), { state: 'pending', value }).text).toBe('"a" -> (not known yet)');
    expect(diff(absent, { state: 'sensitive', value }).text).toBe('(sensitive)');
    expect(diff({ state: 'kept', value }, absent)).toEqual({ sign: '-', text: '(kept as it is)', below: [] });
  });

  it('keeps the difference of two long values, and a little text before and after it', () => {
    const [start, end] = ['https://preview.example.com/'.repeat(4), '/callback?state='.repeat(6)];
    const { text, below } = values(`${start}pr-11${end}`, `${start}pr-12${end}`, 80);
    expect(text).toBe('…ple.com/pr-11/callback?st… -> …ple.com/pr-12/callback?st…');
    expect(below).toEqual([]);
  });

  it('puts two values that still do not fit below each other, with their lengths', () => {
    const { text, below } = values('a'.repeat(500), 'b'.repeat(400), 60);
    expect(text).toBe('');
    expect(below).toEqual([`- "${'a'.repeat(39)}… (502 characters)`, `+ "${'b'.repeat(39)}… (402 characters)`]);
    expect(values('a'.repeat(500), 'b'.repeat(400), 24).below).toEqual([`- "${'a'.repeat(20)}…`, `+ "${'b'.repeat(20)}…`]);
  });

  it('shows the lines that differ in a text of several lines, and their place', () => {
    expect(values('a\nb\nc\nd', 'a\nB\nB2\nc\nd')).toEqual({ sign: '~', text: 'line 2 of 4:', below: ['- b', '+ B', '+ B2'] });
    expect(values('a\nb', 'a\nb\nc')).toEqual({ sign: '~', text: 'after line 2 of 2:', below: ['+ c'] });
    expect(diff(absent, literal('a\nb'))).toEqual({ sign: '+', text: '2 lines:', below: ['+ a', '+ b'] });
  });

  it('compares a list by its elements, in any order', () => {
    expect(values(['a', 'b', 'b'], ['b', 'c', 'd'])).toEqual({
      sign: '~',
      text: '2 added, 2 removed, 1 the same',
      below: ['- "a"', '- "b"', '+ "c"', '+ "d"'],
    });
    expect(values(['a', 'b'], ['b', 'a']).text).toBe('the same 2 elements in another order');
    expect(values([{ x: 1, y: 2 }], [{ y: 2, x: 1 }]).text).toBe('the same 1 element in another order');
  });

  it('compares a map by its keys, and a nested map by the path', () => {
    expect(values({ a: 1, b: { c: 2, d: 3 }, e: 4 }, { a: 1, b: { c: 5, d: 3 }, f: [] })).toEqual({
      sign: '~',
      text: '1 added, 1 removed, 1 changed, 2 the same',
      below: ['- e: 4', '+ f: []', '~ b.c: 2 -> 5'],
    });
  });

  it('shows a new long list or map by its elements, up to a limit', () => {
    const many = Array.from({ length: 200 }, (_, i) => `https://preview-${i}.example.com`);
    const { text, below } = diff(absent, literal(many), 40);
    expect(text).toBe('200 elements:');
    expect(below).toHaveLength(21);
    expect(below.at(-1)).toBe('… 180 more');
    expect(diff(absent, literal({ key: 'v'.repeat(30), other: 1 }), 20)).toEqual({
      sign: '+',
      text: '2 keys:',
      below: [`+ key: "${'v'.repeat(19)}… (32 characters)`, '+ other: 1'],
    });
  });

  it('keeps text of a provider on its line, and lets it move no cursor', () => {
    const { below } = values('a\n\u001b[2Jb', 'a\nc\u202e');
    expect(below).toEqual(['- \\u001b[2Jb', '+ c\\u202e']);
  });

  it.each([20, 40, 80, 160])('fits %i columns, except for the words at a cut', (room) => {
    const [a, b] = ['大小'.repeat(200), `${'大小'.repeat(90)}x${'大小'.repeat(110)}`];
    const shown = values(a, b, room);
    for (const line of [shown.text, ...shown.below]) expect(widthOf(line)).toBeLessThanOrEqual(Math.max(room, 24));
  });
});
