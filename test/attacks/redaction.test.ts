import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/core/errors.ts';
import { findNormal } from '../../src/core/normal-text.ts';
import { PackedText } from '../../src/core/packed-text.ts';
import { Redactor } from '../../src/core/redact.ts';
import { maskedError } from '../../src/core/redact-error.ts';
import { TextFinder } from '../../src/core/text-finder.ts';
import { spellings } from '../leaks/spellings.ts';

const secrets = [
  'hook "4f1d9a" \\ päss/wörd+100% & <one>',
  'session-key\n-----second line of it 7c1e-----\nthird?line=of&it',
  'sk_live_51HxYz0pLmQ93kfd',
  'Tr0ub4dor&3',
  "it's-a_pa$$w0rd!",
  'whsec_a1b2c3d4e5f6==',
  'ghp_0123456789abcdefABCDEF0123456789abcd',
  'c0rrect-horse-battery-staple',
  '9f86d081884c7d659a2feaa0c55ad015',
];
const places = [
  ['the key ', ' was refused'],
  ['{"message":"', '"}'],
  ['https://api.example.com/v1?key=', '&page=2'],
  ['<b>', '</b>'],
] as const;

const redactorOf = (...known: readonly string[]): Redactor => {
  const redactor = new Redactor();
  for (const secret of known) redactor.add(secret);
  return redactor;
};

it('the table has all that somebody may do to a text', () => expect(Object.keys(spellings).length).toBeGreaterThanOrEqual(36));

describe.each(Object.entries(spellings))('a secret %s', (_, spell) => {
  it.each(secrets)('%j is not shown', (secret) => {
    const redactor = redactorOf(secret);
    const quotation = spell(secret);
    for (const [before, after] of places) {
      const shown = redactor.text(`${before}${quotation}${after}`);
      expect(shown).toContain('***');
      // Around it all stays; of it, at most what pads its last byte.
      expect(shown.startsWith(before.slice(0, -1)), shown).toBe(true);
      expect(shown.endsWith(after.slice(1)), shown).toBe(true);
      const left = shown.replaceAll('***', '').length - before.length - after.length;
      expect(left, shown).toBeLessThanOrEqual(Math.max(8, quotation.length / 10));
    }
  });

  it('is not in an error, a name or a value', () => {
    const [secret = ''] = secrets;
    const redactor = redactorOf(secret);
    const quotation = spell(secret);
    const told = maskedError(new Failure('PROVIDER_RESPONSE', { detail: `It said ${quotation}.`, fix: quotation }), redactor);
    expect(redactor.has(JSON.stringify(redactor.json({ [quotation]: [quotation] })))).toBe(false);
    expect(told).toBeInstanceOf(Failure);
    expect(redactor.has(told instanceof Failure ? `${told.detail} ${told.fix}` : quotation)).toBe(false);
  });
});

describe('a secret cut to its first characters', () => {
  it.each(['sk_live_51HxYz0pLmQ93kfd', 'Tr0ub4dor&3xyz', '9f86d081884c7d659a2feaa0c55ad015'])('%s goes from its twelfth on', (secret) => {
    const redactor = redactorOf(secret);
    for (let length = 12; length <= secret.length; length += 1) {
      expect(redactor.text(`starts with ${secret.slice(0, length)}…`)).toBe('starts with ***…');
    }
  });

  it('is only what tells something of it', () => {
    const redactor = redactorOf('sk_live_51HxYz0pLmQ93kfd', 'https://hooks.example.com/services/T01/B02/xyz', 'password-of-mine-123');
    for (const text of ['a key begins with sk_live_', 'https://hooks.example.com/ is not there', 'the password of a user']) {
      expect(redactor.text(text)).toBe(text);
    }
  });
});

describe('texts that hold no secret', () => {
  const redactor = redactorOf('create', 'swordfish', 'pr-1204', '200000', 'PROVIDER_AUTH', 'preview-shop', ...secrets);

  it.each([
    'Create it, CREATE it; re-\ncreate is masked where it is spelled as it is',
    'a sword, fish and "sword", "fish"',
    'Preview of the shop: PREVIEW SHOP, provider auth',
    'PR 1204 of 200 000, at 2026-11-25T10:00:00.000Z',
    'GET https://api.example.com/v9/projects/shop/env?teamId=team_9&page=20&limit=50 answered 404 (5f0c8a7e-12ab-4c9d-8e11-0a1b2c3d4e5f)',
    '{"id":"env_8f3kd93","target":["preview"],"note":"100% sure\\n \\"yes\\"","path":"C:\\\\temp\\\\new"}',
    '<p>Fehler &amp; mehr, &#39;größer&#39;</p>',
  ])('%j stay as they are, but for the words themselves', (text) => {
    const words = /create|swordfish|pr-1204|200000|PROVIDER_AUTH|preview-shop/g;
    expect(redactor.text(text)).toBe(text.replace(words, '***'));
  });
});

describe('a long text', () => {
  it('is searched to its end, also where a secret stands between two pieces of it', () => {
    const redactor = redactorOf(...secrets);
    const [secret = ''] = secrets;
    const quotation = Object.values(spellings).map((spell) => spell(secret));
    const filling = 'the quick brown fox, ';
    const text = quotation.map((one) => `${filling.repeat(300)}${one}|`).join('');
    const shown = redactor.text(text);
    expect(shown.split(filling).length).toBe(text.split(filling).length);
    expect(shown.replaceAll(filling, '').replaceAll('***', '').length).toBeLessThan(quotation.join('').length / 10);
  });
});

describe('a text twice as long', () => {
  const base64 = Buffer.from('the quick brown fox, sk_live_51Hx, ').toString('base64');
  const parts: { readonly [kind: string]: string } = {
    ...{
      prose: 'the quick brown fox, ',
      'near-misses': 'sk_live_51HxYz0pLmQ93kf ',
      'base64 in one': base64,
      'base64 in many': `${base64} `,
    },
    ...{
      hexadecimal: Buffer.from('the quick ').toString('hex'),
      'no text in base64': '//79+/z8',
      'JSON in JSON': '{\\"a\\":\\"b\\\\n\\"}',
    },
    ...{
      'all percent': '%41%42',
      'percent of percent': '%2525',
      'percent in percent': '%%34%31',
      'all entities': '&#65;',
      'entities without an end': '&#1&#x1',
    },
    ...{
      'colours that do not end': '\u001b[1;1',
      escapes: '\\u0041',
      'escapes that do not end': '\\u{0',
      backslashes: '\\',
      'signs of equality': '=',
    },
  };

  it.each(Object.entries(parts))('of %s is looked at twice as often', (_, part) => {
    const finder = new TextFinder();
    finder.add('sk_live_51HxYz0pLmQ93kfd', 12);
    const looksAt = (length: number): number => {
      let looks = 0;
      const units = Uint16Array.from({ length }, (_unit, i) => part.charCodeAt(i % part.length));
      const watched = new Proxy(units, {
        get: (target, name) => {
          looks += 1;
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
      finder.find(watched);
      findNormal(watched, finder, 24);
      void new PackedText(watched).units;
      return looks;
    };
    const looks = looksAt(1 << 15);
    expect(looks).toBeLessThan((1 << 15) * 100);
    expect(looksAt(1 << 16)).toBeLessThan(2.1 * looks);
  });
});
