import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { plannedPlace } from '../../../core/receipts-place.ts';
import { postgresAddress } from './postgres-address.ts';
import { tlsOptions } from './postgres-link.ts';

const secret = 'w0rd-of-ci';

describe('the address of a ledger in PostgreSQL', () => {
  it('is read with all its parts, and told without user info', () => {
    expect(
      postgresAddress(`postgres://ci%40acme:${secret}%2F%40@db.example.org:6543/le%20dger?schema=shop&channel_binding=require`),
    ).toEqual({
      host: 'db.example.org',
      port: 6543,
      database: 'le dger',
      user: 'ci@acme',
      password: `${secret}/@`,
      schema: 'shop',
      tls: { rootCert: null },
      hasChannelBinding: true,
      location: 'postgres://db.example.org:6543/le%20dger?schema=shop',
    });
  });

  it('may lead to a socket', () => {
    const expected = { host: '/run/postgresql', port: 5432, user: null, password: null, tls: null };
    for (const text of ['postgres:///ledger?host=/run/postgresql', 'postgres://%2Frun%2Fpostgresql/ledger']) {
      expect(postgresAddress(text), text).toMatchObject({ ...expected, location: 'postgres://%2Frun%2Fpostgresql/ledger' });
    }
  });

  it.each(['postgres://db.example.org:6543/l', 'postgres://[::1]:6543/l', 'postgres://%2Frun%2Fpostgresql:6543/l?schema=shop'])(
    'is told in a form that can be read again: %s',
    (text) => expect(postgresAddress(text).location).toBe(text),
  );

  it.each(['verify-full', 'verify-ca', 'require'])('verifies the whole of TLS also where it says sslmode=%s', (mode) => {
    expect(postgresAddress(`postgres://db.example.org/l?sslmode=${mode}&sslrootcert=/ca.crt`).tls).toEqual({ rootCert: '/ca.crt' });
    expect(postgresAddress(`postgres://127.0.0.1/l?sslmode=${mode}`).tls).toEqual({ rootCert: null });
  });

  it.each(['localhost', '127.0.0.1', '127.1.2.3', '[::1]'])('asks for no TLS within this machine: %s', (host) => {
    expect(postgresAddress(`postgres://${host}/l`).tls).toBeNull();
    expect(postgresAddress(`postgres://${host}/l?sslmode=disable`).tls).toBeNull();
  });

  it.each([
    ['disable', 'db.example.org'],
    ['disable', 'localhost.example.org'],
    ['disable', '127.0.0.1.example.org'],
    ['disable', '10.0.0.7'],
    ['prefer', 'db.example.org'],
    ['allow', 'db.example.org'],
    ['no-verify', '127.0.0.1'],
    ['require', '%2Frun'],
  ])('is refused with sslmode=%s at %s', (mode, host) => {
    expect(() => postgresAddress(`postgres://ci:${secret}@${host}/l?sslmode=${mode}`)).toThrow(
      expect.objectContaining({ code: 'LEDGER_REFUSED' }),
    );
  });

  it.each([
    `postgres://ci:${secret}@db.example.org`,
    `postgres://ci:${secret}@db.example.org/a/b`,
    `postgres://ci:${secret}@/ledger`,
    `postgres://ci:${secret}@db.example.org:x/ledger`,
    `postgres://ci:${secret}#@db.example.org/ledger`,
    `postgres://ci:1?${secret}@db.example.org/ledger`,
    `postgres://ci:${secret}%@db.example.org/ledger`,
    `postgres://db.example.org/ledger?password=${secret}`,
    `postgres://ci:${secret}@db.example.org/ledger?schema=Shop`,
    `postgres://ci:${secret}@db.example.org/ledger?schema=pg_catalog`,
    `postgres://ci:${secret}@a.example.org,b.example.org/ledger?target_session_attrs=any`,
  ])('is refused without a word of it where it cannot be read: %s', (text) => {
    const thrown = attempt(() => postgresAddress(text));
    expect(thrown).toMatchObject({ code: 'LEDGER_REFUSED' });
    expect(inspect(thrown, { depth: 5 })).not.toContain(secret);
  });

  it.each(['db.example.org', '192.0.2.7'])('names the host whose certificate is verified, an IP address too: %s', (host) => {
    expect(tlsOptions(postgresAddress(`postgres://ci@${host}/ledger`))).toEqual({ host, rejectUnauthorized: true });
    expect(tlsOptions(postgresAddress('postgres://ci@127.0.0.1/ledger'))).toBeNull();
  });

  it('stands in a plan only without a password', () => {
    for (const text of ['postgres://db.example.org/l', 'postgresql://ci@db.example.org:5433/l?schema=shop', 'postgres:///l?host=/run']) {
      expect(plannedPlace.test(text), text).toBe(true);
    }
    for (const text of [`postgres://ci:${secret}@db.example.org/l`, 'postgres://ci:@h/l', 'postgres://a b/l', 'mysql://h/l']) {
      expect(plannedPlace.test(text), text).toBe(false);
    }
  });
});

function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch (thrown) {
    return thrown;
  }
}
