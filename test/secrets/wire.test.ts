import { type Served, serve } from 'pilotfish-sandbox/kit/index';
import { onepasswordConnect } from 'pilotfish-sandbox/onepassword-connect';
import { vault } from 'pilotfish-sandbox/vault';
import { afterEach, expect, it } from 'vitest';
import { type OpenedAccess, openAccess } from './open-access.ts';

let served: Served | null = null;
let open: OpenedAccess | null = null;
afterEach(async () => {
  await open?.close();
  await served?.stop();
});

it('Vault is asked on a port of this machine, below the path of its address, without TLS', async () => {
  const server = vault();
  server.world.mount('team/kv');
  server.world.put('team/kv', 'a b/shop', { key: 'over-the-wire-1' });
  served = await serve([server]);
  const env = { VAULT_ADDR: `${served.base('vault')}/`, VAULT_TOKEN: server.tokens.full };
  open = await openAccess(server, env, { isWired: true });
  expect(open.check('vault://team%2Fkv/a%20b/shop#key')).toBeNull();
  expect(await open.read('vault://team%2Fkv/a%20b/shop#key')).toBe('over-the-wire-1');
});

it('1Password Connect likewise', async () => {
  const server = onepasswordConnect();
  server.world.addItem(server.world.addVault('Pre views'), 'A & B', [{ label: 'key', value: 'over-the-wire-2' }]);
  served = await serve([server]);
  const base = served.base('onepassword-connect').replace(/\/v1$/, '');
  open = await openAccess(server, { OP_CONNECT_HOST: base, OP_CONNECT_TOKEN: server.tokens.full }, { isWired: true });
  expect(await open.read('op-connect://Pre%20views/A%20&%20B/key')).toBe('over-the-wire-2');
});

it('a port where nobody listens is told with the variable that names it', async () => {
  const server = vault();
  served = await serve([server]);
  const address = new URL(served.base('vault')).origin;
  await served.stop();
  served = null;
  open = await openAccess(server, { VAULT_ADDR: address, VAULT_TOKEN: server.tokens.full }, { isWired: true });
  const { code, detail, fix } = await open.failure('vault://secret/shop#key');
  expect([code, detail.includes('the connection was refused'), fix.includes('VAULT_ADDR')]).toEqual(['SECRET_UNRESOLVED', true, true]);
});
