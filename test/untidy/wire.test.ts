import { changedBody, gone } from 'pilotfish-sandbox/untidy/body';
import { formsIn, spelled } from 'pilotfish-sandbox/untidy/spelling';
import { type Heard, tap } from 'pilotfish-sandbox/untidy/wire';
import { describe, expect, test } from 'vitest';
import { kinds } from '../support/untidy/kinds.ts';
import { capitals } from '../support/untidy/worlds/texts.ts';
import { worlds } from '../support/untidy/worlds.ts';
import { shelf } from './shelf.ts';

test('untidy: there are worlds of every kind, and no two of one name', () => {
  expect([...new Set(worlds.map(({ kind }) => kind))].sort()).toEqual(Object.keys(kinds).sort());
  const names = worlds.map(({ kind, name }) => `${kind}: ${name}`);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});

describe('untidy: a body with other values', () => {
  const upper = (value: unknown, name: string): unknown => (name === 'b' && typeof value === 'string' ? value.toUpperCase() : value);
  test.each([
    ['application/json', '{"a":"x","b":["y",{"b":"z"}]}', '{"a":"x","b":["Y",{"b":"Z"}]}'],
    ['application/x-www-form-urlencoded', 'a=x&b%5B%5D=y&c%5Bb%5D=z', 'a=x&b%5B%5D=Y&c%5Bb%5D=Z'],
    ['application/xml', '<a>x</a><b>y &amp; z</b>', '<a>x</a><b>Y &amp; Z</b>'],
    ['multipart/form-data; boundary=1', '--1\r\nx; name="b"\r\n\r\ny\r\n--1--', '--1\r\nx; name="b"\r\n\r\nY\r\n--1--'],
  ])('%s', (type, text, other) => {
    expect(changedBody({ type, text }, upper).text).toBe(other);
    const same = { type, text };
    expect(changedBody(same, (value) => value)).toBe(same);
  });

  test('a member that is gone leaves the others', () => {
    const body = { type: 'application/json', text: '{"a":1,"b":[2,null]}' };
    expect(changedBody(body, (value) => (value === null || value === 1 ? gone : value)).text).toBe('{"b":[2]}');
  });
});

test('untidy: what is shown in another form is taken for what it stands for, in a path, a query and a body', async () => {
  const forms = formsIn(['shop-pr-12'], new Set(), capitals);
  if (!forms) throw new Error('there is no other form');
  const wire = spelled(forms);
  const request: Heard = {
    method: 'PUT',
    url: new URL('https://shelf.example/things/SHOP-PR-12?name=SHOP-PR-12'),
    body: { type: 'application/json', text: '{"name":"SHOP-PR-12","other":"shop"}' },
  };
  expect(wire.hear?.(request)).toMatchObject({
    url: { href: 'https://shelf.example/things/shop-pr-12?name=shop-pr-12' },
    body: { text: '{"name":"shop-pr-12","other":"shop"}' },
  });
  const provider = shelf({});
  provider.world.add({ url: 'shop-pr-12' });
  const tapped = tap(provider, wire);
  const headers = { authorization: `Bearer ${provider.tokens.full}` };
  const answer = await provider.handle(new Request('https://shelf.example/things', { headers }));
  expect([await answer.json(), tapped.times]).toMatchObject([{ things: [{ url: 'SHOP-PR-12' }] }, 1]);
});
