import { array, assert, jsonValue, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getAt, joinPointer, removeAt, setAt, splitPointer } from './pointer.ts';

describe('JSON pointer', () => {
  it('reads the examples of RFC 6901', () => {
    const doc = { foo: ['bar', 'baz'], '': 0, 'a/b': 1, 'c%d': 2, 'm~n': 8, ' ': 7 };
    expect(getAt(doc, '')).toBe(doc);
    expect(getAt(doc, '/foo/0')).toBe('bar');
    expect(getAt(doc, '/')).toBe(0);
    expect(getAt(doc, '/a~1b')).toBe(1);
    expect(getAt(doc, '/c%d')).toBe(2);
    expect(getAt(doc, '/m~0n')).toBe(8);
    expect(getAt(doc, '/ ')).toBe(7);
  });

  it('takes a name without a slash as one segment', () => {
    expect(getAt({ name: 'x' }, 'name')).toBe('x');
    expect(getAt({ 'a~1b': 'as it is' }, 'a~1b')).toBe('as it is');
  });

  it('gives undefined for what is absent and never walks a prototype', () => {
    for (const at of [
      '/x',
      '/__proto__',
      '/constructor',
      '/constructor/name',
      '/list/01',
      '/list/-1',
      '/list/length',
      '/text/length',
      '/no/such',
    ]) {
      expect(getAt({ list: [1], text: 'abc', no: null }, at), at).toBeUndefined();
    }
    expect(getAt(JSON.parse('{"__proto__": {"own": 1}}'), '/__proto__/own')).toBe(1);
  });

  it('sets without touching the original, making maps on the way', () => {
    const before = { a: { b: 1 }, list: [{ n: 1 }, { n: 2 }], beside: {} };
    const after = setAt(before, '/a/c/d', 2);
    expect(after).toEqual({ a: { b: 1, c: { d: 2 } }, list: [{ n: 1 }, { n: 2 }], beside: {} });
    expect(before).toEqual({ a: { b: 1 }, list: [{ n: 1 }, { n: 2 }], beside: {} });
    expect(getAt(after, '/beside')).toBe(before.beside);
    expect(setAt(before, '/list/1/n', 9)).toMatchObject({ list: [{ n: 1 }, { n: 9 }] });
    expect(setAt([1], '/-', 2)).toEqual([1, 2]);
    expect(setAt(undefined, 'name', 'x')).toEqual({ name: 'x' });
    expect(setAt('scalar', '', 1)).toBe(1);
  });

  it('sets the name __proto__ as an own property', () => {
    const made = setAt({}, '/__proto__/polluted', true);
    expect(Object.hasOwn(made as object, '__proto__')).toBe(true);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('removes from maps and lists, and leaves a value without it as it is', () => {
    const value = { a: { b: 1, c: 2 }, list: [1, 2, 3] };
    expect(removeAt(value, '/a/b')).toEqual({ a: { c: 2 }, list: [1, 2, 3] });
    expect(removeAt(value, '/list/1')).toEqual({ a: { b: 1, c: 2 }, list: [1, 3] });
    expect(removeAt(value, '/a/x')).toBe(value);
    expect(removeAt(value, '')).toBe(value);
  });

  it('joins what it splits, whatever the segments hold', () => {
    assert(
      property(array(string()), (parts) => {
        expect(splitPointer(joinPointer(parts))).toEqual(parts);
      }),
    );
  });

  it('reads back what it set, for any value and path', () => {
    assert(
      property(jsonValue(), array(string(), { minLength: 1, maxLength: 4 }), jsonValue(), (value, parts, next) => {
        const at = joinPointer(parts);
        const after = setAt(value, at, next);
        if (parts.includes('-')) return;
        expect(getAt(after, at)).toEqual(next);
      }),
    );
  });
});
