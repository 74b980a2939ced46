import { describe, expect, it } from 'vitest';
import { Printer, saltFor } from './fingerprint.ts';
import { slowHash } from './slow-hash.ts';

const [a, b] = ['aaaa', 'bbbb'].map((id) => ({ id: id.repeat(4), bytes: Buffer.from(id.repeat(8)) })) as [never, never];
const printer = (...keys: readonly never[]): Printer => new Printer('github.com/acme/shop', keys);
const from = 'env://STRIPE_WEBHOOK_SECRET';
const long = 'Zx81kQ0pLm29vTr6sWy3uHn5bGc7dEf4';

describe('the fingerprint of a secret', () => {
  it('is equal for equal values, differs for others, and holds nothing of them', async () => {
    const print = await printer(a).print('whsec_one', from);
    expect(print).toMatch(/^hmac:aaaaaaaaaaaaaaaa:[0-9a-f]{32}:[0-9a-f]{18}$/);
    expect(await printer(a).print('whsec_one', from)).toBe(print);
    expect(await printer(a).print('whsec_two', from)).not.toBe(print);
    expect(await printer(a).matches(print, 'whsec_one')).toBe(true);
    expect(await printer(a).matches(print, 'whsec_two')).toBe(false);
    expect(print).not.toContain('whsec');
  });

  it('says nothing to another key, which adds its own beside it', async () => {
    const first = await printer(a).print('whsec_one', from);
    expect(await printer(b).matches(first, 'whsec_one')).toBe(false);
    const both = await printer(b).print('whsec_one', from, first);
    expect(both.split(' ')).toHaveLength(2);
    expect([await printer(a).matches(both, 'whsec_one'), await printer(b).matches(both, 'whsec_one')]).toEqual([true, true]);
    // The first key sees another value, so the print of the second key is just as old.
    expect((await printer(a).print('whsec_two', from, both)).split(' ')).toHaveLength(1);
  });

  it('is kept of four keys at most', async () => {
    let prints: string | undefined;
    for (const id of ['1', '2', '3', '4', '5', '6']) {
      prints = await printer({ id: id.repeat(16), bytes: Buffer.from(id) } as never).print('x', from, prints);
    }
    expect(prints?.split(' ')).toHaveLength(4);
    expect(prints).toMatch(/^hmac:6{16}:/);
  });

  it.each(['postgres', '493017', 'correct horse battery staple', 'postgres://user:postgres@db.example.com:5432/shop', 'a'.repeat(40)])(
    'is none without a key, where the value could be guessed: %s',
    async (value) => {
      const print = await printer().print(value, from);
      expect(print).toBe('written');
      expect(await printer().matches(print, value)).toBe(false);
    },
  );

  it('is a slow one without a key, for a long random value', async () => {
    const print = await printer().print(long, from);
    expect(print).toMatch(/^scrypt:[0-9a-f]{32}:[0-9a-f]{12}$/);
    expect(await printer().matches(print, long)).toBe(true);
    expect(await printer().matches(print, `${long}x`)).toBe(false);
  });

  it('that an older version made is still matched', async () => {
    expect(await printer(a).matches('scrypt:00ff:0e568913b565', 'whsec_one')).toBe(true);
    expect(await printer(a).matches('sha256:abc', 'whsec_one')).toBe(false);
    expect(await printer(a).matches('', '')).toBe(false);
  });

  it('has another salt for another repository or reference', () => {
    const salt = saltFor('github.com/acme/shop', from);
    expect(saltFor('github.com/acme/shop', 'env://OTHER')).not.toBe(salt);
    expect(saltFor('github.com/acme/other', from)).not.toBe(salt);
    expect(saltFor('a', 'b c')).not.toBe(saltFor('a b', 'c'));
  });
});

it('a slow hash is derived once for one text and salt', () => {
  expect(slowHash('whsec_three', '00ff', 6)).toBe(slowHash('whsec_three', '00ff', 6));
});
