import { describe, expect, it } from 'vitest';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import { needsOf } from '../../src/onboard/setup/needs.ts';
import { unsealedIn } from '../../src/onboard/setup/sealing-needs.ts';

const object =
  'id: own, adapter: http, op: resource, api: g, read: { path: /a }, create: { path: /a }, delete: { path: /a }, fields: { /x: 1 }';
const seals = '{ id: other, adapter: neon, op: branch, project_id: quiet-river-12345678, name: a }';
const planOf = (auth: object, line: string): string =>
  `providers: ${JSON.stringify({ http: { g: { base_url: 'https://g.example', auth } } })}\nchanges:\n  - ${seals}\n  - { ${line} }\n`;
const token = { bearer_env: 'G_TOKEN' };
const own = `${object}, credential: { secret: env://OWN_KEY }`;
const jwt = `e30.${Buffer.from('{"iat":1,"exp":900}').toString('base64url')}.c2ln`;

async function unsealed(text: string, env: NodeJS.ProcessEnv = {}): Promise<readonly string[]> {
  const registry = await openRegistry({ env: {}, cwd: import.meta.dirname });
  const { sealing } = await needsOf(text, { path: '/r/p.yaml', display: 'p.yaml', registry, env });
  return unsealedIn(sealing, { env, isRoleSession: false }).map(({ of }) => of);
}

describe('what of a plan no credential seals', () => {
  it.each([
    ['a token', planOf(token, object), { G_TOKEN: 'a-token-of-g-0123456789' }, []],
    ['a token that is not set yet', planOf(token, object), {}, []],
    ['a token that says that it ends soon', planOf(token, object), { G_TOKEN: jwt }, ['g']],
    ['a token that GitHub makes for one job', planOf(token, object), { G_TOKEN: 'ghs_0123456789abcdef' }, ['g']],
    ['the token of a job, by its name', planOf({ bearer_env: 'CI_JOB_TOKEN' }, object), {}, ['g']],
    [
      'a password that is a name',
      planOf({ basic: { user_env: 'G_USER', password_env: 'G_PASSWORD' } }, object),
      { G_USER: 'shop', G_PASSWORD: 'shop' },
      ['g'],
    ],
    ['what a command prints', planOf({ command: ['gcloud', 'auth', 'print-access-token'] }, object), {}, ['g']],
    [
      'the command of a provider',
      `changes:\n  - { id: files, recipe: google_cloud_storage.bucket_cors, bucket: a, origin: https://a.example, methods: [GET] }\n`,
      {},
      ['google_cloud_storage'],
    ],
    ['no credential', planOf(token, 'id: own, adapter: http, op: action, url: https://a.example, trigger: 1'), {}, ['own']],
    ['an output', planOf(token, `${object}, credential: { from: other.connection_uri }`), {}, ['own']],
    ['a secret of the line', planOf(token, own), { OWN_KEY: 'a-key-of-the-line-0123' }, []],
    ['a secret of the line that ends soon', planOf(token, own), { OWN_KEY: jwt }, ['own']],
    ['a branch name as the secret of a line', planOf(token, own.replace('OWN_KEY', 'GITHUB_HEAD_REF')), {}, ['own']],
    ['a secret of the line that another place holds', planOf(token, own.replace('env://OWN_KEY', 'vault://a/b#c')), {}, []],
  ] as const)('%s', async (_, text, env, expected) => {
    expect(await unsealed(text, env)).toEqual(expected);
  });
});
