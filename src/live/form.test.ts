import { describe, expect, it } from 'vitest';
import { formOf, patternOf } from './form.ts';
import { spellingOf } from './spelt.ts';

const names = new Map([
  ['quiet-river-12345678', 'project_id'],
  ['shop-pilotfish-live-abcdef', 'name'],
  ['pilotfish-live-abcdef', 'name'],
]);

describe('the form of a request', () => {
  it.each([
    ['/api/v2/projects/quiet-river-12345678/branches', '/api/v2/projects/{project_id}/branches'],
    ['/v1/things/br_8f1Kd02mXq', '/v1/things/{…}'],
    ['/flags/shop-pilotfish-live-abcdef.json', '/flags/{name}.json'],
    ['/people/ann%40acme.example', '/people/{…}'],
  ])('has names in place of values: %s', (path, pattern) => {
    expect(patternOf(path, names)).toBe(pattern);
  });

  it('holds kinds and no value, of forms and XML too', () => {
    const form = (type: string, body: string) =>
      formOf(
        {
          method: 'POST',
          url: new URL('https://api.acme.example/v1/hooks?token=abc'),
          headers: { 'content-type': type },
          body,
          answer: { status: 201, headers: {}, bytes: Buffer.alloc(0) },
          isLost: false,
        },
        names,
      );
    expect(form('application/json', '{"a":{"b":[1]},"secret":"swordfish"}')).toEqual({
      method: 'POST',
      path: '/v1/hooks',
      query: ['token'],
      body: { a: { b: ['number'] }, secret: 'text' },
      status: 201,
    });
    expect(form('application/x-www-form-urlencoded', 'url=https%3A%2F%2Fa.example&events[]=paid').body).toEqual({
      url: 'text',
      'events[]': 'text',
    });
    expect(form('application/xml', '<A><B>1</B></A>').body).toEqual({ A: { B: 'text' } });
    expect(form('text/plain', 'swordfish').body).toBe('text');
  });
});

describe('how a service spells what it was sent', () => {
  const shown = (value: unknown) => value as string;

  it('compares with the object in the answer that is most like it', () => {
    const answered = {
      items: [
        { id: 1, url: 'https://b.example' },
        { id: 2, url: 'https://a.example/', events: ['paid'] },
      ],
    };
    expect(spellingOf({ hook: { url: 'https://a.example', events: ['paid'], secret: 'x' } }, answered, shown)).toEqual({
      spelt: [{ field: '/url', sent: 'https://a.example', read: 'https://a.example/' }],
      unread: ['/secret'],
      added: ['/id'],
    });
  });

  it('says nothing of an answer without such an object', () => {
    expect(spellingOf({ url: 'a' }, 'ok', shown)).toEqual({ spelt: [], unread: [], added: [] });
  });
});
