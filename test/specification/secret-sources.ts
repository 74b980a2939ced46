import assert from 'node:assert/strict';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Api, ApiOptions } from './api.ts';
import { thing } from './lines.ts';
import { done, type Row, refused, row } from './rows.ts';

const noted = (reference: string): readonly { [member: string]: unknown }[] => [
  thing({ fields: { name: 'one', note: { secret: reference } }, compare: { note: { hidden: 'always' } } }),
];
const note = (api: Api): unknown => [...api.shelf.things.values()][0]?.note;

/** A program of this name on the PATH that answers these arguments, and no others, as the real one would. */
async function program(
  { folder }: Api,
  name: string,
  cases: { readonly [args: string]: { readonly stdout?: string; readonly stderr?: string; readonly code?: number } },
) {
  const bin = path.join(folder, 'bin');
  await mkdir(bin, { recursive: true });
  const text = `#!${process.execPath}
const found = ${JSON.stringify(cases)}[process.argv.slice(2).join(' ')];
if (!found) { process.stderr.write('unexpected arguments: ' + process.argv.slice(2).join(' ')); process.exit(64); }
process.stdout.write(found.stdout ?? '');
process.stderr.write(found.stderr ?? '');
process.exitCode = found.code ?? 0;
`;
  await writeFile(path.join(bin, name), text);
  await chmod(path.join(bin, name), 0o755);
  return { PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` };
}

const vaultEnv = { VAULT_ADDR: 'https://vault.example:8200', VAULT_TOKEN: 'token-of-vault-1', VAULT_NAMESPACE: 'team-a' };
const vault =
  (reply: { readonly status?: number; readonly body: unknown }): NonNullable<ApiOptions['answer']> =>
  ({ host }) =>
    host.startsWith('vault.') ? reply : null;
const vaultData = (data: unknown, metadata: object = {}) => ({
  body: { data: { data, metadata: { version: 3, deletion_time: '', destroyed: false, ...metadata } } },
});

const connectEnv = { OP_CONNECT_HOST: 'https://connect.example', OP_CONNECT_TOKEN: 'token-of-connect-1' };
const ids = { vault: 'ftz4pm2xxwmwrsd7rjqn7grzfz', item: '2fcbqwe9ndg175zg2dzwftvkpa' };
const connect: NonNullable<ApiOptions['answer']> = ({ host, path: at, headers }) => {
  if (host !== 'connect.example') return null;
  if (headers.get('authorization') !== 'Bearer token-of-connect-1') return { status: 401, body: { status: 401, message: 'no' } };
  const url = new URL(at, 'https://connect.example');
  if (url.pathname === '/v1/vaults')
    return { body: url.searchParams.get('filter') === 'name eq "Preview"' ? [{ id: ids.vault, name: 'Preview' }] : [] };
  if (url.pathname === `/v1/vaults/${ids.vault}/items`) return { body: [{ id: ids.item, title: 'Shop', vault: { id: ids.vault } }] };
  return {
    body: {
      id: ids.item,
      title: 'Shop',
      vault: { id: ids.vault },
      category: 'API_CREDENTIAL',
      fields: [{ id: 'credential', type: 'CONCEALED', label: 'credential', value: 'value-from-connect' }],
    },
  };
};

const uuid = 'be8e0ad8-d545-4017-a55a-b02f014d4158';
const infisical = 'secrets get DB_KEY --projectId proj-1 --env dev --path /web/api --output json';

export const rows: readonly Row[] = [
  row('environment: `env://<NAME>`.', { lines: noted('env://DB_KEY'), env: { DB_KEY: 'value-from-env' } }, async (api) => {
    done(await api.apply());
    assert.equal(note(api), 'value-from-env');
  }),
  row(
    'key-value server, v2: GET `<mount>/data/<path>` with a token header and an optional namespace header; reads `data.data[key]`; the mount is the first segment.',
    { lines: noted('vault://secret/web/db#password'), env: vaultEnv, answer: vault(vaultData({ password: 'value-from-vault' })) },
    async (api) => {
      done(await api.apply());
      assert.equal(note(api), 'value-from-vault');
      const asked = api.seen.find(({ host }) => host.startsWith('vault.'));
      assert.deepEqual(
        [asked?.method, asked?.path, asked?.headers.get('x-vault-token'), asked?.headers.get('x-vault-namespace')],
        ['GET', '/v1/secret/data/web/db', 'token-of-vault-1', 'team-a'],
      );
    },
  ),
  row(
    'A 404 of it may mean absent or not permitted.',
    { lines: noted('vault://secret/web/db#password'), env: vaultEnv, answer: vault({ status: 404, body: { errors: [] } }) },
    async ({ plan }) => {
      refused(await plan(), 'SECRET_UNRESOLVED', 'vault://secret/web/db#password');
    },
  ),
  row(
    'A soft-deleted latest version is refused.',
    {
      lines: noted('vault://secret/web/db#password'),
      env: vaultEnv,
      answer: vault({ status: 404, body: vaultData(null, { deletion_time: '2026-01-01T00:00:00Z' }).body }),
    },
    async ({ plan }) => {
      refused(await plan(), 'SECRET_UNRESOLVED', 'deleted');
    },
  ),
  row(
    'CLI secret manager: `secrets get <NAME>` with project, environment and path flags and JSON output.',
    { lines: noted('infisical://proj-1/dev/web/api/DB_KEY') },
    async (api) => {
      const env = await program(api, 'infisical', {
        [infisical]: { stdout: JSON.stringify([{ secretKey: 'DB_KEY', secretValue: 'value-from-infisical' }]) },
      });
      done(await api.apply({ env }));
      assert.equal(note(api), 'value-from-infisical');
    },
  ),
  row(
    'A missing name prints `*not found*` as a value, which is refused.',
    { lines: noted('infisical://proj-1/dev/web/api/DB_KEY') },
    async (api) => {
      const env = await program(api, 'infisical', {
        [infisical]: { stdout: JSON.stringify([{ secretKey: 'DB_KEY', secretValue: '*not found*' }]) },
      });
      refused(await api.plan({ env }), 'SECRET_UNRESOLVED', 'DB_KEY');
    },
  ),
  row(
    'cloud key vault CLI: `secret show` with vault name, secret name and optional version.',
    { lines: noted('azure-kv://shop-vault/db-key/4387e9f3d6e14c459867679a90fd0f79') },
    async (api) => {
      const args =
        'keyvault secret show --vault-name shop-vault --name db-key --version 4387e9f3d6e14c459867679a90fd0f79 --only-show-errors --output json';
      const env = await program(api, 'az', { [args]: { stdout: JSON.stringify({ name: 'db-key', value: 'value-from-azure' }) } });
      done(await api.apply({ env }));
      assert.equal(note(api), 'value-from-azure');
    },
  ),
  ...['azure-kv://ab/db-key', 'azure-kv://shop--vault/db-key', 'azure-kv://shop-vault/db_key', 'azure-kv://shop-vault/db-key/123'].map(
    (reference) =>
      row(
        `Vault names have 3 to 24 characters without \`--\`, secret names letters, digits and \`-\`, versions 32: \`${reference}\` is refused before anything runs.`,
        { lines: noted(reference) },
        async ({ plan, sent }) => {
          refused(await plan(), 'SECRET_UNRESOLVED', reference);
          assert.deepEqual(sent(), []);
        },
      ),
  ),
  row(
    'item server: GET `/v1/vaults/{vault}/items/{item}` with a bearer token; a 26-character segment is an id.',
    { lines: noted(`op-connect://${ids.vault}/${ids.item}/credential`), env: connectEnv, answer: connect },
    async (api) => {
      done(await api.apply());
      assert.equal(note(api), 'value-from-connect');
      assert.deepEqual(
        api.seen.filter(({ host }) => host === 'connect.example').map((one) => one.path),
        [`/v1/vaults/${ids.vault}/items/${ids.item}`],
      );
    },
  ),
  row(
    'Anything else is a name, compared exactly.',
    { lines: noted('op-connect://Preview/Shop/credential'), env: connectEnv, answer: connect },
    async (api) => {
      done(await api.apply());
      assert.equal(note(api), 'value-from-connect');
      await api.write(noted('op-connect://preview/Shop/credential'));
      refused(await api.plan(), 'SECRET_UNRESOLVED', 'preview');
    },
  ),
  row(
    'secrets-manager CLI: `secret get <uuid>` with JSON output and no colour.',
    { lines: noted(`bws://${uuid}`), env: { BWS_ACCESS_TOKEN: 'token-of-bws-1' } },
    async (api) => {
      const env = await program(api, 'bws', {
        [`secret get ${uuid} --output json --color no`]: { stdout: `${JSON.stringify({ id: uuid, value: 'value-from-bws' }, null, 2)}\n` },
      });
      done(await api.apply({ env }));
      assert.equal(note(api), 'value-from-bws');
    },
  ),
  row(
    'Any failure is `SECRET_UNRESOLVED`, and no part of a value is in it.',
    { lines: noted(`bws://${uuid}`), env: { BWS_ACCESS_TOKEN: 'token-of-bws-1' } },
    async (api) => {
      const env = await program(api, 'bws', {
        [`secret get ${uuid} --output json --color no`]: {
          stdout: '{"value":"half-a-val',
          stderr: 'Received error message from server: [404 Not Found] token-of-bws-1',
          code: 1,
        },
      });
      const outcome = await api.plan({ env });
      refused(outcome, 'SECRET_UNRESOLVED', uuid);
      assert.doesNotMatch(JSON.stringify(outcome), /half-a-val|token-of-bws/);
    },
  ),
  row(
    'It is a failure of the lines that need it, and of no other.',
    {
      lines: [
        ...noted('vault://secret/web/db#password'),
        thing({ id: 'other', find: { path: '/things', list_path: '/items', match: { name: 'two' } }, fields: { name: 'two' } }),
      ],
      env: vaultEnv,
      answer: vault({ status: 403, body: { errors: ['permission denied'] } }),
    },
    async ({ apply }) => {
      const { doc } = await apply();
      assert.deepEqual(
        doc?.lines.map(({ id, error }) => [id, error?.code ?? null]),
        [
          ['thing', 'SECRET_UNRESOLVED'],
          ['other', null],
        ],
      );
    },
  ),
  row(
    'A segment of a reference that starts with `-` is refused before anything runs.',
    { lines: noted('infisical://proj-1/dev/--token') },
    async ({ plan, sent }) => {
      refused(await plan(), 'SECRET_UNRESOLVED', '-');
      assert.deepEqual(sent(), []);
    },
  ),
];
