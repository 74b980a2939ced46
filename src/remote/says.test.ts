import { expect, it } from 'vitest';
import { says } from './says.ts';

const refused = { code: 422, errors: [{ field: 'uri', message: 'Redirect URI Already exists.' }] };

it('a value stands at its pointer, numbers and their text alike', () => {
  expect(says(refused, { '/code': '422' })).toBe(true);
  expect(says(refused, { '/code': 422, '/errors/0/field': 'url' })).toBe(false);
  expect(says(null, { '/code': 422 })).toBe(false);
});

it('a text may be part of the text there, in any case of letters', () => {
  expect(says(refused, { '/errors/0/message': { contains: 'already EXISTS' } })).toBe(true);
  expect(says(refused, { '/errors/0/message': { contains: 'is default' } })).toBe(false);
  expect(says(refused, { '/errors/1/message': { contains: 'exists' } })).toBe(false);
});

it('a text may stand anywhere below its pointer, so its place in a list does not count', () => {
  expect(says(refused, { '/errors': { contains: 'already exists' } })).toBe(true);
  expect(says('Name has already been taken', { '': { contains: 'already been taken' } })).toBe(true);
  // Names of members are no texts.
  expect(says({ contains: {} }, { '': { contains: 'contains' } })).toBe(false);
});

it('a map with other members is compared as it is', () => {
  expect(says({ a: { contains: 'x', more: 1 } }, { '/a': { contains: 'x', more: 1 } })).toBe(true);
  expect(says({ a: 'xyz' }, { '/a': { contains: 'x', more: 1 } })).toBe(false);
});

it('one of several values suffices', () => {
  expect(says(refused, { '/code': { one_of: [409, 422] } })).toBe(true);
  expect(says(refused, { '/code': { one_of: [409, 412] } })).toBe(false);
  expect(says(refused, { '/errors/0/message': { one_of: [{ contains: 'is default' }, { contains: 'already exists' }] } })).toBe(true);
  expect(says({ a: { one_of: ['x'], more: 1 } }, { '/a': { one_of: ['x'], more: 1 } })).toBe(true);
});

it('a member may have to be missing, and one that is null is not', () => {
  const shown = { secrets: { API_URL: { raw: null }, OLD: null } };
  expect(says(shown, { '/secrets': {}, '/secrets/DATABASE_URL': { absent: true } })).toBe(true);
  expect(says(shown, { '/secrets/OLD': { absent: true } })).toBe(false);
  expect(says(shown, { '/secrets/API_URL': { absent: true } })).toBe(false);
  expect(says({ a: { absent: true, more: 1 } }, { '/a': { absent: true, more: 1 } })).toBe(true);
});

it('a star stands for any entry of a list, and for nothing where there is no list', () => {
  const many = { errors: [{ code: 1004 }, { code: 81058 }, 'text'] };
  expect(says(many, { '/errors/*/code': { one_of: [81053, 81058] } })).toBe(true);
  expect(says(many, { '/errors/*/code': 81053 })).toBe(false);
  expect(says({ errors: [] }, { '/errors/*/code': 81053 })).toBe(false);
  expect(says({ errors: { code: 81053 } }, { '/errors/*/code': 81053 })).toBe(false);
});
