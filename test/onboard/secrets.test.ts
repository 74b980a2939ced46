import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesUnder, leaks, type Places } from '../leaks/places.ts';
import { cloneOf, pilotfish } from './command.ts';
import { repositories, write } from './repositories.ts';

/** Values with everything that an encoding changes, one for each place that it stands in. */
const planted = {
  file: 'env-file "4f1d9a" \\ päss/wörd+100% & <one>',
  password: 'db-pw-7c1e55a09d',
  /** A line of a key looks like a variable with an odd value. */
  pem: 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC',
  host: 'ep-hidden-7c1e55a09d.eu-central-1.aws.neon.tech',
  remote: 'ghp_9b2f4c6d8e0a1b3c5d7e9f1a3b5c7d9e1f3a',
  header: 'QWxhZGRpbjpvcGVuIHNlc2FtZSA5YjJmNGM2ZA==',
  environment: 'neon-api-key-0d4e8f2a6b1c5d9e',
} as const;
const secrets = Object.values(planted);

/** Puts a secret behind every name of every `.env*` file, into the git configuration and into a file of variables that is not an example. */
async function plant(cwd: string): Promise<void> {
  const names = (await readdir(cwd, { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile() && entry.name.startsWith('.env'),
  );
  const values = [
    `A_SECRET=${planted.file}`,
    `export QUOTED='${planted.file}'`,
    `MANY="first line\n${planted.file}\n"`,
    `DATABASE_URL=postgres://shop:${planted.password}@${planted.host}/shop?sslmode=require`,
    `SIGNING_KEY="-----BEGIN PRIVATE KEY-----\n${planted.pem}==\n-----END PRIVATE KEY-----"`,
    `NEON_API_KEY=${planted.environment}`,
    `${planted.password}`,
    `# was ${planted.password} until May`,
    '',
  ].join('\n');
  for (const entry of names) await appendFile(join(entry.parentPath, entry.name), values);
  await write(
    cwd,
    new Map([
      ['.env.test', values],
      ['.env.production.local', values],
      ['apps/web/.env', values],
      [
        '.git/config',
        `[remote "origin"]\n\turl = https://deploy:${planted.remote}@github.com/acme/shop.git\n[http "https://github.com/"]\n\textraheader = AUTHORIZATION: basic ${planted.header}\n`,
      ],
    ]),
  );
}

const env = {
  NEON_API_KEY: planted.environment,
  VERCEL_TOKEN: planted.environment,
  DATABASE_URL: `postgres://a:${planted.password}@${planted.host}/a`,
};

describe.each(repositories)('a secret in %s', (name) => {
  it('is in no output and no file that init writes, once and again', async () => {
    const cwd = await cloneOf(name);
    await plant(cwd);
    const before = await filesUnder(cwd);
    const places: Places = new Map();
    for (const flags of [[], ['--json', '--yes']]) {
      const { code, stdout, stderr } = await pilotfish(['init', ...flags], { cwd, env });
      expect(code).toBe(0);
      places.set(`stdout ${flags}`, latin1(stdout)).set(`stderr ${flags}`, latin1(stderr));
    }
    for (const [file, bytes] of await filesUnder(cwd)) if (before.get(file) !== bytes) places.set(file, bytes);
    expect([...places.keys()]).toContain(join(cwd, 'release.plan.yaml'));
    expect(leaks(places, secrets)).toEqual([]);
  });
});

/** Files that init opens for a name or an id, with secrets where people should not have put them. */
const configs = (end: string): ReadonlyMap<string, string> => {
  const url = `postgres://shop:${planted.password}@${planted.host}/shop`;
  return new Map([
    [
      'package.json',
      `{ "name": "shop", "config": { "url": "${url}" }, "dependencies": { "stripe": "^17.6.0", "git": "git+https://x:${planted.remote}@github.com/a/b" }${end ? '' : '}'}`,
    ],
    ['prisma/schema.prisma', `datasource db {\n  provider = "postgresql"\n  url = "${url}"\n}\n`],
    ['drizzle.config.ts', `export default { dialect: 'postgresql', dbCredentials: { url: process.env.DATABASE_URL ?? '${url}' } };\n`],
    ['knexfile.js', `module.exports = { client: 'pg', connection: '${url}' };\n`],
    ['ormconfig.json', `{ "type": "postgres", "url": "${url}", "password": "${planted.password}"${end ? '' : ' }'}\n`],
    ['wrangler.toml', `name = "shop"\npages_build_output_dir = "dist"\n[vars]\nAPI_TOKEN = "${planted.remote}${end ? '' : '"'}\n`],
    ['netlify.toml', `[build.environment]\nNETLIFY_AUTH_TOKEN = "${planted.remote}${end ? '' : '"'}\n`],
    ['fly.toml', `app = "shop"\n[env]\nTOKEN = "${planted.remote}${end ? '' : '"'}\n`],
    ['vercel.json', `{ "env": { "TOKEN": "${planted.remote}" }${end ? '' : ' }'}\n`],
    ['.vercel/project.json', `{ "projectId": "${planted.remote}", "orgId": "${planted.header}"${end ? '' : ' }'}\n`],
    ['app.json', `{ "env": { "TOKEN": { "value": "${planted.remote}" } }${end ? '' : ' }'}\n`],
    ['render.yaml', `services:\n  - type: web\n    envVars:\n      - key: TOKEN\n        value: ${end}${planted.remote}\n`],
    ['.do/app.yaml', `name: shop\nenvs:\n  - { key: TOKEN, value: ${end}${planted.remote} }\n`],
    ['.sentryclirc', `[auth]\ntoken=${planted.remote}\n`],
    ['.npmrc', `//registry.example/:_authToken=${planted.remote}\n`],
    ['.neon', `{ "projectId": "quiet-river-12345678", "token": "${planted.remote}"${end ? '' : ' }'}\n`],
  ]);
};

it.each([
  ['whole', ''],
  ['broken', '"'],
])('a secret in configuration that is %s is in no output and no file that init writes', async (_, end) => {
  const cwd = await cloneOf('empty');
  await write(cwd, configs(end));
  await plant(cwd);
  const places: Places = new Map();
  for (const flags of [[], ['--json']]) {
    const { code, stdout, stderr } = await pilotfish(['init', ...flags], { cwd, env });
    expect(code).toBe(0);
    places.set(`output ${flags}`, latin1(`${stdout}${stderr}`));
  }
  places.set('plan', await readFile(join(cwd, 'release.plan.yaml'), 'latin1'));
  expect(places.get('output ')).toMatch(/^ {2}(Stripe|Neon) /m);
  expect(leaks(places, secrets)).toEqual([]);
});

it('a secret is in no error either: broken files, and a file that cannot be written', async () => {
  const cwd = await cloneOf('nextjs-vercel');
  await plant(cwd);
  await writeFile(join(cwd, 'package.json'), `{ "name": "shop", "token": "${planted.password}", }} "${planted.password}"`);
  await writeFile(join(cwd, 'vercel.json'), `{ "env": { "TOKEN": "${planted.password}" `);
  await rm(join(cwd, '.gitignore'));
  await mkdir(join(cwd, '.gitignore'));
  for (const flags of [[], ['--json']]) {
    const { code, stdout, stderr } = await pilotfish(['init', ...flags], { cwd, env });
    expect(code).toBe(2);
    expect(`${stdout}${stderr}`).toContain('could not write');
    expect(leaks(new Map([['output', latin1(`${stdout}${stderr}`)]]), secrets)).toEqual([]);
  }
});

const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
