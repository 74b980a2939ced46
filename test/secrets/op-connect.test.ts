import { onepasswordConnect } from 'pilotfish-sandbox/onepassword-connect';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';
import { type OpenedAccess, openAccess } from './open-access.ts';

let server = onepasswordConnect();
let open: OpenedAccess;
let vault = '';
let item = '';
const env = () => ({ OP_CONNECT_HOST: server.origin, OP_CONNECT_TOKEN: server.tokens.full });

beforeEach(async () => {
  server = onepasswordConnect();
  vault = server.world.addVault('Previews');
  item = server.world.addItem(vault, 'Stripe', [
    { label: 'username', value: 'ci-user' },
    { label: 'key', value: 'test-key-value', section: 'Test' },
    { label: 'key', value: 'live-key-value', section: 'Live', id: 'the-live-key' },
    { label: 'note' },
  ]);
  open = await openAccess(server, env());
});
afterEach(async () => {
  await open.close();
  expectContracts([server]);
});

const withEnv = async (change: Readonly<Record<string, string>>): Promise<void> => {
  await open.close();
  open = await openAccess(server, { ...env(), ...change });
};

describe('what is read', () => {
  it('a field by the names of its vault and item', async () => {
    expect(await open.read('op-connect://Previews/Stripe/username')).toBe('ci-user');
    expect(open.seen()).toEqual([
      'GET /v1/vaults?filter=name eq "Previews"',
      `GET /v1/vaults/${vault}/items?filter=title eq "Stripe"`,
      `GET /v1/vaults/${vault}/items/${item}`,
    ]);
  });

  it('a field by ids, with one request', async () => {
    expect(await open.read(`op-connect://${vault}/${item}/username`)).toBe('ci-user');
    expect(open.seen()).toEqual([`GET /v1/vaults/${vault}/items/${item}`]);
  });

  it('a field of a section, by the label or id of either', async () => {
    const section = server.world.state.items[0]?.sections[1]?.id ?? '';
    expect(await open.read('op-connect://Previews/Stripe/Live/key')).toBe('live-key-value');
    expect(await open.read('op-connect://Previews/Stripe/Test/key')).toBe('test-key-value');
    expect(await open.read(`op-connect://Previews/Stripe/${section}/key`)).toBe('live-key-value');
    expect(await open.read('op-connect://Previews/Stripe/the-live-key')).toBe('live-key-value');
  });

  it('several fields of an item with no request sent twice', async () => {
    await Promise.all(['Live/key', 'Test/key', 'username'].map((field) => open.read(`op-connect://Previews/Stripe/${field}`)));
    expect(open.seen()).toHaveLength(3);
  });

  it('names that a filter and an address must escape', async () => {
    const odd = server.world.addVault('A "b" \\ & c/d?');
    server.world.addItem(odd, 'ü = 1 + 1', [{ label: 'pass#word', value: 'odd-value-1' }]);
    const reference = `op-connect://${encodeURIComponent('A "b" \\ & c/d?')}/${encodeURIComponent('ü = 1 + 1')}/pass%23word`;
    expect(await open.read(reference)).toBe('odd-value-1');
  });

  it('a name is compared exactly, also where the server is not as strict', async () => {
    const other = { id: 'z'.repeat(26), name: 'previews', type: 'USER_CREATED' };
    server.faults.once('GET /v1/vaults', 200, [other, { id: vault, name: 'Previews', type: 'USER_CREATED' }]);
    expect(await open.read('op-connect://Previews/Stripe/username')).toBe('ci-user');
  });

  it.each(['abcdefghijklmnopqrstuvwxy', 'Abcdefghijklmnopqrstuvwxyz', 'abcdefghijklm-nopqrstuvwxy'])(
    '%s is a name and no id',
    async (name) => {
      const id = server.world.addVault(name);
      server.world.addItem(id, 'x', [{ label: 'y', value: 'by-name-value' }]);
      expect(await open.read(`op-connect://${name}/x/y`)).toBe('by-name-value');
    },
  );
});

describe('what is refused, with a reason that helps', () => {
  it.each([
    ['op-connect://previews/Stripe/key', 'there is no vault "previews"', 'id'],
    ['op-connect://Previews/stripe/key', 'there is no item "stripe"', 'id'],
    ['op-connect://Previews/Stripe/key', '2 fields have the label "key": in "Test", "Live".', 'section before the field'],
    ['op-connect://Previews/Stripe/Other/key', 'the section "Other" of the item has no field "key"', 'Correct'],
    ['op-connect://Previews/Stripe/none', 'no field "none". It has "username", "key", "note".', 'Correct'],
    ['op-connect://Previews/Stripe/note', 'the field is empty', 'value'],
    [`op-connect://${'z'.repeat(26)}/${'y'.repeat(26)}/key`, 'not found. There is no such vault or item', ''],
  ])('%s', async (reference, detail, fix) => {
    const failure = await open.failure(reference);
    expect(failure.code).toBe('SECRET_UNRESOLVED');
    expect(failure.detail).toContain(reference);
    expect(failure.detail).toContain(detail);
    expect(failure.fix).toContain(fix);
  });

  it('two items of one title, and two vaults of one name', async () => {
    server.world.addItem(vault, 'Stripe', []);
    expect((await open.failure('op-connect://Previews/Stripe/username')).detail).toContain('2 items have the name "Stripe"');
    server.world.addVault('Twin');
    server.world.addVault('Twin');
    const { detail, fix } = await open.failure('op-connect://Twin/x/y');
    expect(detail).toContain('2 vaults have the name "Twin"');
    expect(fix).toContain("Write the vault's id");
  });

  it('a wrong token, and one without access to the vault', async () => {
    await withEnv({ OP_CONNECT_TOKEN: 'wrong-token-0123456789' });
    const wrong = await open.failure('op-connect://Previews/Stripe/username');
    expect([wrong.detail.includes('Invalid bearer token'), wrong.fix.includes('OP_CONNECT_TOKEN')]).toEqual([true, true]);
    await withEnv({ OP_CONNECT_TOKEN: server.tokens.blind });
    expect((await open.failure(`op-connect://${vault}/${item}/username`)).fix).toContain('access to this vault');
    expect((await open.failure('op-connect://Previews/Stripe/username')).detail).toContain('no vault "Previews"');
  });

  it('an answer of another server', async () => {
    server.faults.times(2, 'GET /v1/vaults', 200, { hello: 'world' });
    const { detail, fix } = await open.failure('op-connect://Previews/Stripe/username');
    expect([detail.includes('not one of a 1Password Connect server'), fix]).toEqual([true, 'Check OP_CONNECT_HOST.']);
  });
});

describe('what shows before any request', () => {
  const set = { OP_CONNECT_HOST: 'http://localhost:8080', OP_CONNECT_TOKEN: 'token-0123456789' };

  it.each([
    'op-connect://Previews/Stripe',
    'op-connect://Previews//key',
    'op-connect://a/b/c/d/e',
    'op-connect://a/b/c#d',
    'op-connect://a/b/c?d',
    'op-connect://a/b/%zz',
  ])('%s is no reference', (reference) => {
    expect(open.check(reference, set)?.detail).toBe(`The reference ${reference} names no field of an item.`);
  });

  it.each([
    [{}, 'OP_CONNECT_HOST and OP_CONNECT_TOKEN are not set.'],
    [{ ...set, OP_CONNECT_TOKEN: ' ' }, 'OP_CONNECT_TOKEN is not set.'],
    [{ ...set, OP_CONNECT_HOST: 'http://connect:8080' }, 'names connect:8080 without TLS'],
  ])('%j', (given, detail) => {
    expect(open.check('op-connect://a/b/c', given)?.detail).toContain(detail);
  });

  it('a server on this machine may be asked without TLS', () => {
    expect(open.check('op-connect://a/b/c', set)).toBeNull();
  });
});
