import { describe, expect, it } from 'vitest';
import { Sealed } from '../../core/sealed.ts';
import type { Body } from '../types.ts';
import { encodeBody, sealedIn, writeMultipart } from './encode.ts';

const form = (body: Body, arrays?: 'repeat' | 'index' | 'brackets') => decodeURIComponent(encodeBody(body, 'form', arrays).text);

const formOf = (text: string, type: string): Promise<FormData> => new Response(text, { headers: { 'content-type': type } }).formData();

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

  it('writes an empty list as an empty value, which clears the list', () => {
    expect(form({ events: [], metadata: {} })).toBe('events=&metadata=');
  });

  it('refuses a form that is no map', () => {
    expect(() => encodeBody(['x'], 'form')).toThrow('PARAM_INVALID');
    expect(() => encodeBody('x', 'multipart')).toThrow('PARAM_INVALID');
  });

  it('writes a multipart form with the names of a form, and values as they are', async () => {
    const secret = new Sealed('hunter2-hunter2', 'env://X');
    const { text, type } = encodeBody(
      { url: 'https://a/?b=c&d', on: ['x', 'y'], deep: { key: secret, none: null }, 'a"b': 'é\r\nz' },
      'multipart',
    );
    expect(type).toMatch(/^multipart\/form-data; boundary=[0-9a-f]{36}$/);
    expect([...(await formOf(text, type))]).toEqual([
      ['url', 'https://a/?b=c&d'],
      ['on[]', 'x'],
      ['on[]', 'y'],
      ['deep[key]', 'hunter2-hunter2'],
      ['deep[none]', ''],
      ['a"b', 'é\r\nz'],
    ]);
    const none = encodeBody({}, 'multipart');
    expect([...(await formOf(none.text, none.type))]).toEqual([]);
  });

  it('takes a boundary that occurs in no field', () => {
    const boundaries = ['aa', 'bb', 'cc'];
    const { text, type } = writeMultipart(
      [
        ['x', 'aa'],
        ['bb', 'y'],
      ],
      () => boundaries.shift() ?? 'zz',
    );
    expect(type).toBe('multipart/form-data; boundary=cc');
    expect(text.startsWith('--cc\r\n')).toBe(true);
    expect(text.endsWith('\r\n--cc--\r\n')).toBe(true);
  });
});
