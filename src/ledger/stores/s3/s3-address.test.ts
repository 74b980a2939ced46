import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { plannedPlace, receiptsPlace } from '../../../core/receipts-place.ts';
import { s3Address, s3Location } from './s3-address.ts';

const secret = 'wJalrXUtnFEMI';

describe('the address of a ledger in S3', () => {
  it('is read with all its members', () => {
    expect(s3Address('s3://acme-ledgers/web/shop/?region=eu-central-1&sse=aws:kms&sse-key=alias/ledger', {})).toEqual({
      bucket: 'acme-ledgers',
      prefix: 'web/shop/',
      region: 'eu-central-1',
      base: 'https://acme-ledgers.s3.eu-central-1.amazonaws.com',
      encryption: { 'x-amz-server-side-encryption': 'aws:kms', 'x-amz-server-side-encryption-aws-kms-key-id': 'alias/ledger' },
      location: 's3://acme-ledgers/web/shop',
    });
  });

  it.each([
    ['s3://acme.ledgers?region=us-east-1', 'https://s3.us-east-1.amazonaws.com/acme.ledgers'],
    ['s3://acme-ledgers?region=cn-north-1', 'https://acme-ledgers.s3.cn-north-1.amazonaws.com.cn'],
    ['s3://acme-ledgers?region=us-east-1&addressing=path', 'https://s3.us-east-1.amazonaws.com/acme-ledgers'],
    ['s3://acme-ledgers?endpoint=https://minio.example.org:9000', 'https://minio.example.org:9000/acme-ledgers'],
    ['s3://acme-ledgers?endpoint=https://store.example.org&addressing=host', 'https://acme-ledgers.store.example.org'],
    ['s3://acme-ledgers?endpoint=http://127.0.0.1:9000', 'http://127.0.0.1:9000/acme-ledgers'],
  ])('leads to the bucket: %s', (text, base) => {
    expect(s3Address(text, {}).base).toBe(base);
  });

  it('takes its region from the variables of AWS where it names none, and a usual one at a store of one’s own', () => {
    expect(s3Address('s3://acme-ledgers', { AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'us-east-2' }).region).toBe('eu-west-1');
    expect(s3Address('s3://acme-ledgers', { AWS_DEFAULT_REGION: 'us-east-2' }).region).toBe('us-east-2');
    expect(s3Address('s3://acme-ledgers?endpoint=https://store.example.org', {}).region).toBe('us-east-1');
    expect(() => s3Address('s3://acme-ledgers', {})).toThrow(expect.objectContaining({ fix: expect.stringContaining('region=') }));
  });

  it('names one place in one way', () => {
    const places = ['s3://acme-ledgers/web', 's3://acme-ledgers/web/?region=eu-west-1', 's3://acme-ledgers//web?sse=AES256'];
    expect(new Set(places.map(s3Location))).toEqual(new Set(['s3://acme-ledgers/web']));
    expect(s3Location('s3://acme-ledgers/web?endpoint=https://store.example.org/&region=auto')).toBe(
      's3://acme-ledgers/web?endpoint=https://store.example.org',
    );
  });

  it.each([
    ['s3://', 'bucket'],
    ['s3:///web', 'bucket'],
    ['s3://Acme/web', 'bucket'],
    ['s3://a..b/web', 'bucket'],
    [`s3://AKIA:${secret}@acme-ledgers/web`, 'AWS_ACCESS_KEY_ID'],
    ['s3://acme-ledgers/a/../b', 'prefix'],
    ['s3://acme-ledgers/a b', 'prefix'],
    [`s3://acme-ledgers/${'a'.repeat(301)}`, 'prefix'],
    ['s3://acme-ledgers/web?regoin=eu-west-1', 'region'],
    ['s3://acme-ledgers/web?region=a1&region=b1', 'region'],
    ['s3://acme-ledgers/web?region=EU Central', 'region'],
    ['s3://acme-ledgers/web?endpoint=store.example.org', 'endpoint'],
    ['s3://acme-ledgers/web?endpoint=ftp://store.example.org', 'endpoint'],
    ['s3://acme-ledgers/web?endpoint=http://store.example.org', 'endpoint'],
    ['s3://acme-ledgers/web?endpoint=http://127.0.0.1.example.org', 'endpoint'],
    ['s3://acme-ledgers/web?endpoint=https://store.example.org/ledgers', 'endpoint'],
    [`s3://acme-ledgers/web?endpoint=https://ci:${secret}@store.example.org`, 'endpoint'],
    ['s3://acme-ledgers/web?region=auto&addressing=virtual', 'addressing'],
    ['s3://acme-ledgers/web?region=auto&sse=aes', 'sse'],
    ['s3://acme-ledgers/web?region=auto&sse-key=alias/ledger', 'sse-key'],
    ['s3://acme-ledgers/web?region=auto&sse=aws:kms&sse-key=a%20b', 'key'],
    [`s3://acme-ledgers/web?secret=${secret}`, 'region'],
  ])('is refused with the member and the fix, and without a word of it: %s', (text, member) => {
    const thrown = attempt(() => s3Address(text, {}));
    expect(thrown).toMatchObject({ code: 'LEDGER_REFUSED' });
    const { detail, fix } = thrown as { detail: string; fix: string };
    expect(`${detail} ${fix}`).toContain(member);
    expect(inspect(thrown, { depth: 5 })).not.toContain(secret);
  });

  it('stands in a plan and in a variable', () => {
    expect(plannedPlace.test('s3://acme-ledgers/web?region=eu-central-1')).toBe(true);
    expect(receiptsPlace('s3://acme-ledgers/web?region=eu-central-1')).toBe('s3://acme-ledgers/web?region=eu-central-1');
    for (const text of [`s3://AKIA:${secret}@acme-ledgers/web`, 's3://a b']) expect(plannedPlace.test(text), text).toBe(false);
  });
});

function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch (thrown) {
    return thrown;
  }
}
