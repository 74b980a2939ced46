import { vault } from 'pilotfish-sandbox/vault';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';
import { type OpenedAccess, openAccess } from './open-access.ts';

let server = vault();
let open: OpenedAccess;
const env = () => ({ VAULT_ADDR: server.origin, VAULT_TOKEN: server.tokens.full });

beforeEach(async () => {
  server = vault();
  server.world.put('secret', 'apps/shop', { api_key: 'first-value-1', old: 'x' });
  server.world.put('secret', 'apps/shop', {
    api_key: 'second-value-2',
    port: 5432,
    secure: true,
    list: ['one'],
    map: {},
    none: null,
    empty: '',
  });
  open = await openAccess(server, env());
});
afterEach(async () => {
  await open.close();
  expectContracts([server]);
});

/** Opens the same server anew with other variables. */
const withEnv = async (change: Readonly<Record<string, string>>): Promise<OpenedAccess> => {
  await open.close();
  open = await openAccess(server, { ...env(), ...change });
  return open;
};

describe('what is read', () => {
  it('the key after the # of the latest version', async () => {
    expect(await open.read('vault://secret/apps/shop#api_key')).toBe('second-value-2');
    expect(open.seen()).toEqual(['GET /v1/secret/data/apps/shop']);
  });

  it('a version that is asked for', async () => {
    expect(await open.read('vault://secret/apps/shop?version=1#api_key')).toBe('first-value-1');
    expect(open.seen()).toEqual(['GET /v1/secret/data/apps/shop?version=1']);
  });

  it('keys of one secret with one request', async () => {
    server.world.put('secret', 'pair', { user: 'shop-user', password: 'pass-word-1' });
    const both = await Promise.all([open.read('vault://secret/pair#user'), open.read('vault://secret/pair#password')]);
    expect(both).toEqual(['shop-user', 'pass-word-1']);
    expect(open.seen()).toEqual(['GET /v1/secret/data/pair']);
  });

  it('a number or boolean as its text', async () => {
    server.world.put('secret', 'numbers', { pin: 12_345_678, long: 0.123456 });
    expect(await open.read('vault://secret/numbers#pin')).toBe('12345678');
    expect(await open.read('vault://secret/numbers#long')).toBe('0.123456');
  });

  it('a mount with slashes, and names that an address must encode', async () => {
    server.world.mount('team/kv');
    server.world.put('team/kv', 'a b/ü?#', { 'the key': 'team-value-1' });
    expect(await open.read('vault://team%2Fkv/a%20b/%C3%BC%3F%23#the%20key')).toBe('team-value-1');
    expect(open.seen()).toEqual(['GET /v1/team/kv/data/a%20b/%C3%BC%3F%23']);
  });

  it('within the namespace of VAULT_NAMESPACE', async () => {
    server.world.mount('secret', 'acme/web');
    server.world.put('secret', 'shop', { key: 'namespaced-1' }, { namespace: 'acme/web' });
    await withEnv({ VAULT_NAMESPACE: 'acme/web' });
    expect(await open.read('vault://secret/shop#key')).toBe('namespaced-1');
  });

  it('below the path of an address that has one', async () => {
    await withEnv({ VAULT_ADDR: `${server.origin}/` });
    expect(await open.read('vault://secret/apps/shop#api_key')).toBe('second-value-2');
  });

  it('a version whose time of deletion lies ahead', async () => {
    server.world.put('secret', 'soon', { key: 'still-there-1' }, { deleted: Date.UTC(2030, 0, 1) });
    expect(await open.read('vault://secret/soon#key')).toBe('still-there-1');
  });

  it('again after an outage that passes', async () => {
    server.faults.times(2, 'GET /v1/{+path}', 502);
    expect(await open.read('vault://secret/apps/shop#api_key')).toBe('second-value-2');
    expect(open.requests.map(({ status }) => status)).toEqual([502, 502, 200]);
  });
});

describe('what is refused, with a reason that helps', () => {
  it.each([
    ['vault://secret/apps/none#key', 'there is no secret at secret/apps/none, or this token may not see it', 'Correct the path'],
    ['vault://secret/apps/shop?version=9#api_key', 'there is no version 9 at secret/apps/shop', 'Correct the path'],
    [
      'vault://secret/apps/shop#nope',
      'no key "nope". It has "api_key", "empty", "list", "map", "none", "port", "secure".',
      'after the `#`',
    ],
    ['vault://secret/apps/shop#constructor', 'no key "constructor"', 'after the `#`'],
    ['vault://secret/apps/shop#list', 'is a list, not text', 'as text'],
    ['vault://secret/apps/shop#map', 'is a map, not text', 'as text'],
    ['vault://secret/apps/shop#none', 'is null, not text', 'as text'],
    ['vault://secret/apps/shop#empty', 'is empty', ''],
    ['vault://team/kv/x#key', 'no secret engine at team/', '%2F'],
    // Masking `true` or `5432` would hit ordinary text.
    ['vault://secret/apps/shop#secure', 'fewer than 6 characters', 'longer'],
  ])('%s', async (reference, detail, fix) => {
    const failure = await open.failure(reference);
    expect(failure.code).toBe('SECRET_UNRESOLVED');
    expect(failure.detail).toContain(reference);
    expect(failure.detail).toContain(detail);
    expect(failure.fix).toContain(fix);
  });

  it('a latest version that was deleted is told from one that never was', async () => {
    server.world.remove('secret', 'apps/shop');
    expect((await open.failure('vault://secret/apps/shop#api_key')).detail).toContain('version 2 was deleted');
    expect(await open.read('vault://secret/apps/shop?version=1#api_key')).toBe('first-value-1');
  });

  it('a destroyed version', async () => {
    server.world.destroy('secret', 'apps/shop', 2);
    expect((await open.failure('vault://secret/apps/shop#api_key')).detail).toContain('version 2 was destroyed');
  });

  it('a secret of a token that may see nothing', async () => {
    await withEnv({ VAULT_TOKEN: server.tokens.blind });
    const { detail, fix } = await open.failure('vault://secret/apps/shop#api_key');
    expect(detail).toContain('permission denied');
    expect(fix).toBe('Check VAULT_TOKEN, and that its policy permits `read` on secret/data/apps/shop.');
  });

  it('a server that stays sealed, after its retries', async () => {
    server.world.seal(true);
    const { detail } = await open.failure('vault://secret/apps/shop#api_key');
    expect(detail).toContain('Vault is sealed. The server is sealed or in maintenance.');
    expect(open.requests).toHaveLength(5);
  });

  it('an engine of version 1, whose answer has no metadata', async () => {
    server.faults.once('GET /v1/{+path}', 200, { request_id: 'x', data: { key: 'first-version-1' }, warnings: null });
    const { detail } = await open.failure('vault://legacy/shop#key');
    expect(detail).toContain('legacy/ is a KV engine of version 1');
    expect(detail).not.toContain('first-version-1');
  });

  it('an engine that warns of the path', async () => {
    server.faults.once('GET /v1/{+path}', 404, { errors: [], warnings: ['Invalid path for a versioned K/V secrets engine.'] });
    expect((await open.failure('vault://secret/apps/shop#api_key')).detail).toContain('version 1, but pilotfish reads only version 2');
  });

  it('a redirect, which would carry the token to another server', async () => {
    server.faults.once('GET /v1/{+path}', 307, {}, { location: 'https://elsewhere.example/v1/secret/data/apps/shop' });
    const { detail } = await open.failure('vault://secret/apps/shop#api_key');
    expect(detail).toContain('redirect (307) to https://elsewhere.example');
    expect(open.seen()).toHaveLength(1);
  });

  it('an answer that is not the server’s', async () => {
    server.faults.once('GET /v1/{+path}', 200, 'not json', { 'content-type': 'application/json' });
    expect((await open.failure('vault://secret/apps/shop#api_key')).detail).toContain('claims to be JSON and is not');
  });
});

describe('what shows before any request', () => {
  const set = { VAULT_ADDR: 'https://vault.acme.example', VAULT_TOKEN: 'hvs.0123456789' };

  it.each([
    'vault://secret',
    'vault://secret#key',
    'vault://secret/path',
    'vault://secret/path#',
    'vault:///path#key',
    'vault://secret/a//b#key',
    'vault://secret/../sys/mounts#key',
    'vault://secret/a%2F..%2F..#key',
    'vault://secret/path?version=0#key',
    'vault://secret/path?version=1.5#key',
    'vault://secret/path?other=1#key',
    'vault://secret/%zz#key',
  ])('%s is no reference', (reference) => {
    expect(open.check(reference, set)?.detail).toBe(`The reference ${reference} names no key of a secret.`);
  });

  it.each([
    [{}, 'VAULT_ADDR and VAULT_TOKEN are not set.'],
    [{ ...set, VAULT_TOKEN: '' }, 'VAULT_TOKEN is not set.'],
    [{ ...set, VAULT_TOKEN: 'two\nlines-of-it' }, 'VAULT_TOKEN holds a space, a line break'],
    [{ ...set, VAULT_ADDR: 'vault.acme.example' }, 'VAULT_ADDR does not hold the address'],
    [{ ...set, VAULT_ADDR: 'ftp://vault.acme.example' }, 'VAULT_ADDR does not hold the address'],
    [{ ...set, VAULT_ADDR: 'https://me:secret-1@vault.acme.example' }, 'VAULT_ADDR does not hold the address'],
    [{ ...set, VAULT_ADDR: 'http://vault.acme.example' }, 'names vault.acme.example without TLS'],
    [{ ...set, VAULT_ADDR: 'http://127.0.0.1.acme.example' }, 'without TLS'],
  ])('%j', (given, detail) => {
    const failure = open.check('vault://secret/path#key', given);
    expect(failure?.detail).toContain(detail);
    expect(failure?.detail).not.toContain('secret-1@');
  });

  it.each(['http://127.0.0.1:8200', 'http://localhost:8200', 'http://[::1]:8200', 'https://vault.acme.example/prefix'])(
    '%s may be asked',
    (address) => {
      expect(open.check('vault://secret/path#key', { ...set, VAULT_ADDR: address })).toBeNull();
    },
  );
});
