import { describe, expect, it } from 'vitest';
import { expandPath, fillId, namesOf } from './template.ts';

describe('expandPath', () => {
  it('encodes {name} whole and keeps / and : under {+name}', () => {
    const value = 'a/b:c d?é{id}';
    expect(expandPath('/x/{v}/y', { v: value })).toBe('/x/a%2Fb%3Ac%20d%3F%C3%A9%7Bid%7D/y');
    expect(expandPath('/x/{+v}/y', { v: value })).toBe('/x/a/b:c%20d?%C3%A9%7Bid%7D/y');
  });

  it('leaves {id} for the object that is found later', () => {
    expect(expandPath('/x/{v}/{id}/{+id}', { v: '1' })).toBe('/x/1/{id}/{+id}');
    expect(expandPath('/x/{id}', { id: 'a/b' })).toBe('/x/a%2Fb');
  });

  it.each(['/x/{other}', '/x/{}', '/x/{a b}', '/x/{?v}', '/x/{v*}'])('refuses %s, and names the allowed names', (template) => {
    expect(() => expandPath(template, { v: '1' })).toThrow(
      expect.objectContaining({ code: 'PARAM_INVALID', detail: expect.stringContaining('{v}') }),
    );
  });

  it('reaches no name that was not given', () => {
    expect(() => expandPath('/x/{constructor}', {})).toThrow(expect.objectContaining({ code: 'PARAM_INVALID' }));
  });
});

it('tells the names a path uses', () => expect(namesOf('/{a}/{+b}/{id}')).toEqual(['a', 'b']));

it('fills the id into query and body as it is', () => {
  const request = {
    method: 'POST',
    path: '/x/{+id}',
    query: { id: '{id}', all: ['{id}', 'y'] },
    body: { deep: [{ id: '{id}' }, 1, null] },
  } as const;
  expect(fillId(request, 'a/b')).toEqual({
    method: 'POST',
    path: '/x/a/b',
    query: { id: 'a/b', all: ['a/b', 'y'] },
    body: { deep: [{ id: 'a/b' }, 1, null] },
  });
});
