import { array, assert, constantFrom, oneof, property, string, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { work } from '../../test/support/work.ts';
import { Redactor } from './redact.ts';
import { Sealed } from './sealed.ts';

const redactorOf = (...secrets: string[]) => {
  const redactor = new Redactor();
  for (const secret of secrets) redactor.add(secret);
  return redactor;
};

/** Secrets as people have them: tokens, and passwords with what URLs, JSON and base64 make special. */
const secret = oneof(
  string({ minLength: 6, maxLength: 40, unit: constantFrom(...('abcXYZ0189_-.~!*()\'"\\/+&=%?#@: €é😀'.match(/./gu) ?? [])) }),
  string({ minLength: 6, maxLength: 60 }),
).filter((s) => s.trim().length >= 6 && s.isWellFormed() && !'***'.includes(s));

const base64s = (text: string) => ['base64', 'base64url'].map((form) => Buffer.from(text).toString(form as BufferEncoding));

/** Each way of writing a secret into a text; what it gives must not show the secret any more once redacted. */
const contexts: readonly ((secret: string) => string)[] = [
  (s) => `before ${s} after`,
  (s) => JSON.stringify({ error: { message: `bad token ${s}` } }),
  (s) => JSON.stringify({ log: JSON.stringify({ token: s }) }),
  (s) => `{"t":"${JSON.stringify(s).slice(1, -1).replaceAll('/', '\\/')}"}`,
  (s) => `https://api.example.com/v1/x?token=${encodeURIComponent(s)}&n=1`,
  (s) => `https://api.example.com/v1/x?${new URLSearchParams({ token: s }).toString()}`,
  (s) => new URL(`https://api.example.com/${encodeURIComponent(s)}/x`).href,
  (s) => encodeURIComponent(s).replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
  ...['', 'u', 'us', 'user:'].flatMap((prefix) => [0, 1].map((form) => (s: string) => `Basic ${base64s(`${prefix}${s}!tail`)[form]}`)),
];

/** The spellings that must be gone, written without the code under test. */
const visible = (s: string) => [
  s,
  JSON.stringify(s).slice(1, -1),
  encodeURIComponent(s),
  new URLSearchParams({ k: s }).toString().slice(2),
  ...base64s(s).map((text) => text.replace(/=+$/, '')),
];

describe('redactor', () => {
  it('shows no secret in any spelling, wherever it is embedded', () => {
    assert(
      property(
        array(secret, { minLength: 1, maxLength: 5 }),
        array(tuple(constantFrom(...contexts), string()), { minLength: 1, maxLength: 4 }),
        (secrets, places) => {
          const redactor = redactorOf(...secrets);
          for (const one of secrets) {
            const text = places.map(([embed, beside]) => beside + embed(one)).join(' ');
            const shown = redactor.text(text);
            expect(shown).toContain('***');
            for (const spelling of visible(one)) expect(shown.includes(spelling), `${spelling} in ${shown}`).toBe(false);
            expect(redactor.has(shown.replaceAll('***', ' '))).toBe(false);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('keeps the text around secrets and masks neighbours one by one', () => {
    const redactor = redactorOf('sk_test_one', 'sk_test_two');
    expect(redactor.text('a sk_test_one, sk_test_two.')).toBe('a ***, ***.');
    expect(redactor.text('nothing to see')).toBe('nothing to see');
  });

  it('masks the longest of secrets that begin alike, and secrets that overlap as one', () => {
    expect(redactorOf('secret', 'secret-longer').text('x secret-longer x secret x')).toBe('x *** x *** x');
    expect(redactorOf('abcdefgh', 'efghijkl').text('-abcdefghijkl-')).toBe('-***-');
  });

  it('masks a secret wherever it stands in a longer base64 text', () => {
    const redactor = redactorOf('correct-horse');
    for (const prefix of ['', 'x', 'xy', 'xyz', 'user:']) {
      const [text = ''] = base64s(`${prefix}correct-horse-and-more`);
      expect(redactor.text(text), prefix).toContain('***');
    }
  });

  it('masks password and generated user of a connection string, raw and decoded', () => {
    const redactor = redactorOf('postgres://app_user_x7f3:p%40ss%2Fword@ep-1.neon.tech/db?sslmode=require');
    expect(redactor.text('password is p@ss/word or p%40ss%2Fword')).toBe('password is *** or ***');
    expect(redactor.text('role app_user_x7f3 exists')).toBe('role *** exists');
    expect(redactor.text('host ep-1.neon.tech')).toBe('host ep-1.neon.tech');
    expect(redactorOf('postgres://postgres:hunter2hunter2@h/d').text('postgres says hunter2hunter2')).toBe('postgres says ***');
    expect(redactorOf('mysql://u1:raw@pass/word@h/d').text('raw@pass/word')).toBe('***');
    expect(redactorOf('Server=tcp:db;User ID=sa;Password=Hidden!42;').text('login Hidden!42 failed')).toBe('login *** failed');
  });

  it('masks each line of a key file, and the secret values of one in JSON', () => {
    const pem = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQEF\n-----END PRIVATE KEY-----\n';
    expect(redactorOf(pem).text('the line kqhkiG9w0BAQEF is bad')).toBe('the line *** is bad');
    const file = JSON.stringify({ type: 'service_account', private_key: pem, client_email: 'bot@acme.example' }, null, 2);
    const redactor = redactorOf(file);
    expect(redactor.text('MIIEvQIBADANBg')).toBe('***');
    expect(redactor.text('bot@acme.example')).toBe('bot@acme.example');
  });

  it('masks a value with surrounding white space also without it', () => {
    expect(redactorOf('token-123\n').text('Bearer token-123')).toBe('Bearer ***');
  });

  it('masks texts, names and numbers of JSON and leaves the rest', () => {
    const redactor = redactorOf('1234567', 'hidden-name');
    const value = { 'hidden-name': 1, list: [1234567, 'x1234567', true, null], deep: { n: 12 } };
    expect(redactor.json(value)).toEqual({ '***': 1, list: ['***', 'x***', true, null], deep: { n: 12 } });
  });

  it('is the data itself where no secret is in it, and else a copy beside it that is whole', () => {
    const redactor = redactorOf('whsec_9F2b');
    const clean = { list: [1, 'a', null, { of: true }] };
    expect(redactor.json(clean)).toBe(clean);
    const value = { whsec_9F2b: [clean, 'whsec_9F2b'] };
    expect(redactor.json(value)).toEqual({ '***': [clean, '***'] });
    expect(value).toEqual({ whsec_9F2b: [clean, 'whsec_9F2b'] });
    // Where a name has the one secret and a value the other, both go.
    redactor.add('shop-token-1');
    expect(redactor.json({ whsec_9F2b: 'shop-token-1' })).toEqual({ '***': '***' });
  });

  it('masks in data from the moment that a secret is known, however often its texts and numbers were seen before', () => {
    const redactor = redactorOf('another-secret');
    const value = { name: 'preview', at: 1234567, '7654321.5': { id: 'preview', n: -7654321.5 } };
    for (let n = 0; n < 3; n += 1) expect(redactor.json(value)).toEqual(value);
    redactor.add('preview');
    expect(redactor.json(value)).toEqual({ ...value, name: '***', '7654321.5': { id: '***', n: -7654321.5 } });
    redactor.add('7654321.5');
    expect(redactor.json(value)).toEqual({ name: '***', at: 1234567, '***': { id: '***', n: '***' } });
  });

  it('refuses a value that is too short, naming where it comes from', () => {
    const redactor = new Redactor();
    expect(() => redactor.add(new Sealed('abc', 'env://PIN'))).toThrow(/SECRET_UNRESOLVED: env:\/\/PIN has fewer than 6 characters/);
    expect(() => redactor.add('')).toThrow('SECRET_UNRESOLVED');
    expect(() => redactor.add('        ')).toThrow('SECRET_UNRESOLVED');
  });

  it('scans a long text with hundreds of secrets quickly', async () => {
    const redactor = new Redactor();
    for (let i = 0; i < 500; i += 1) redactor.add(`secret-${i}-${'x'.repeat(20)}/+ ${i}`);
    const text = `${'The quick brown fox; {"id": "secret-or-not", "n": 12345}. '.repeat(20_000)}secret-7-${'x'.repeat(20)}/+ 7`;
    let shown = '';
    const ms = await work(() => {
      shown = redactor.text(text);
    });
    expect(shown.endsWith('***')).toBe(true);
    expect(ms).toBeLessThan(2_000);
  });
});
