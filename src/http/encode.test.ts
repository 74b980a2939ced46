import { describe, expect, it } from 'vitest';
import { Sealed } from '../core/sealed.ts';
import { encodeBody, sealedIn } from './encode.ts';
import type { Body } from './types.ts';

const form = (body: Body, arrays?: 'repeat' | 'index' | 'brackets') => decodeURIComponent(encodeBody(body, 'form', arrays).text);

describe('the encoder', () => {
  it('writes JSON with sealed leaves revealed', () => {
    const secret = new Sealed('hunter2-hunter2', 'env://X');
    expect(encodeBody({ a: [secret], b: { c: null } }, 'json')).toEqual({
      text: '{"a":["hunter2-hunter2"],"b":{"c":null}}',
      type: 'application/json',
    });
    expect(encodeBody([1, 'x'], 'json').text).toBe('[1,"x"]');
    expect(sealedIn({ a: [secret], b: { c: secret } })).toHaveLength(2);
  });

  it('writes nested forms with lists in the way the provider wants', () => {
    const body = { url: 'https://a/?b=c&d', list: ['x', 'y'], deep: { on: true, n: 1.5, none: null } };
    const rest = 'deep[on]=true&deep[n]=1.5&deep[none]=';
    expect(form(body)).toBe(`url=https://a/?b=c&d&list[]=x&list[]=y&${rest}`);
    expect(form(body, 'repeat')).toBe(`url=https://a/?b=c&d&list=x&list=y&${rest}`);
    expect(form(body, 'index')).toBe(`url=https://a/?b=c&d&list[0]=x&list[1]=y&${rest}`);
    expect(form({ items: [{ price: 'p', quantity: 2 }] }, 'index')).toBe('items[0][price]=p&items[0][quantity]=2');
  });

  it('escapes what forms make special', () => {
    expect(encodeBody({ 'a b': 'c&d=é+' }, 'form')).toEqual({ text: 'a+b=c%26d%3D%C3%A9%2B', type: 'application/x-www-form-urlencoded' });
  });

  it('tells an empty list as an empty value, which clears it', () => {
    expect(form({ events: [], metadata: {} })).toBe('events=&metadata=');
  });

  it('refuses a form that is no map, and encodings it does not write', () => {
    expect(() => encodeBody(['x'], 'form')).toThrow('PARAM_INVALID');
    expect(() => encodeBody({}, 'xml')).toThrow('INTERNAL');
  });
});
