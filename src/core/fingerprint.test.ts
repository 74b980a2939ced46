import { describe, expect, it } from 'vitest';
import { fingerprint, matchesFingerprint, saltFor } from './fingerprint.ts';
import { slowHash } from './slow-hash.ts';

const salt = saltFor('github.com/acme/shop', 'env://STRIPE_WEBHOOK_SECRET');

describe('fingerprint of a secret', () => {
  it('is equal for equal values and differs for others', async () => {
    const print = await fingerprint('whsec_one', salt);
    expect(print).toMatch(/^scrypt:[0-9a-f]{32}:[0-9a-f]{12}$/);
    expect(await fingerprint('whsec_one', salt)).toBe(print);
    expect(await fingerprint('whsec_two', salt)).not.toBe(print);
    expect(print).not.toContain('whsec');
  });

  it('is the same on another machine', async () => {
    expect(await fingerprint('whsec_one', '00ff')).toBe('scrypt:00ff:0e568913b565');
  });

  it('has another salt for another repository or reference', () => {
    expect(saltFor('github.com/acme/shop', 'env://OTHER')).not.toBe(salt);
    expect(saltFor('github.com/acme/other', 'env://STRIPE_WEBHOOK_SECRET')).not.toBe(salt);
    expect(saltFor('a', 'b c')).not.toBe(saltFor('a b', 'c'));
  });

  it('is matched with its own salt', async () => {
    const print = await fingerprint('whsec_one', salt);
    expect(await matchesFingerprint(print, 'whsec_one')).toBe(true);
    expect(await matchesFingerprint(print, 'whsec_two')).toBe(false);
    expect(await matchesFingerprint('sha256:abc', 'whsec_one')).toBe(false);
    expect(await matchesFingerprint('', '')).toBe(false);
  });

  it('is derived once for one value and salt', () => {
    expect(slowHash('whsec_three', salt, 6)).toBe(slowHash('whsec_three', salt, 6));
  });
});
