import { describe, expect, it } from 'vitest';
import { idOf } from './ids.ts';

describe('a value of a file that may be an id', () => {
  it.each([
    'prj_a1B2c3D4',
    'shop',
    'api-gateway',
    'sdk-docs',
    'secret-santa',
    '9d0c4e6a-1c5e-4a7e-9d0f-0b5a2c1e3f4d',
    'your-shop',
    'example-shop',
    'my-site-2',
  ])('is taken: %s', (text) => expect(idOf(text)).toBe(text));

  it('may be a number or have space around it', () => {
    expect([idOf(42), idOf(' shop\n')]).toEqual(['42', 'shop']);
  });

  it.each([
    '',
    ' ',
    '<project>',
    '${PROJECT}',
    '$PROJECT',
    '{{ project }}',
    'your-project-id',
    'YOUR_PROJECT',
    'my-app',
    'xxxx',
    'TODO',
    'changeme',
    'replace-me',
    '...',
    '00000000-0000-0000',
    'example',
  ])('is a placeholder: %j', (text) => expect(idOf(text)).toBeNull());

  it.each([
    'sk_live_abcdef123456',
    'ghp_abcdefgh12345678',
    'postgres://user:password@host/db',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x',
    'napi_abcdefghijklmnop',
    'sdk-9d0c4e6a-1c5e-4a7e-9d0f-0b5a2c1e3f4d',
    'sk-proj-abcdefghijklmnop',
  ])('is never a credential: %s', (text) => expect(idOf(text)).toBeNull());

  it.each([null, undefined, true, {}, ['shop'], 1.5, Number.NaN, 2 ** 60, 'two words', 'a\u001b[31m', 'x'.repeat(201)])(
    'is no id: %s',
    (value) => expect(idOf(value)).toBeNull(),
  );
});
