import { expect, it } from 'vitest';
import { says } from './says.ts';

const refused = { code: 422, errors: [{ field: 'uri', message: 'Redirect URI Already exists.' }] };

it('a value stands at its pointer, numbers and their text alike', () => {
  expect(says(refused, { '/code': '422' })).toBe(true);
  expect(says(refused, { '/code': 422, '/errors/0/field': 'url' })).toBe(false);
  expect(says(null, { '/code': 422 })).toBe(false);
});

it('a text may be a part of what stands there, in any case of letters', () => {
  expect(says(refused, { '/errors/0/message': { contains: 'already EXISTS' } })).toBe(true);
  expect(says(refused, { '/errors/0/message': { contains: 'is default' } })).toBe(false);
  expect(says(refused, { '/errors/1/message': { contains: 'exists' } })).toBe(false);
});

it('a text may stand anywhere below its pointer, so that its place in a list does not count', () => {
  expect(says(refused, { '/errors': { contains: 'already exists' } })).toBe(true);
  expect(says('Name has already been taken', { '': { contains: 'already been taken' } })).toBe(true);
  // Names of members are no texts.
  expect(says({ contains: {} }, { '': { contains: 'contains' } })).toBe(false);
});

it('a map with other members asks for itself', () => {
  expect(says({ a: { contains: 'x', more: 1 } }, { '/a': { contains: 'x', more: 1 } })).toBe(true);
  expect(says({ a: 'xyz' }, { '/a': { contains: 'x', more: 1 } })).toBe(false);
});
