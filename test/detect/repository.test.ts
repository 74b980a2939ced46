import { describe, expect, it } from 'vitest';
import type { Survey } from '../../src/onboard/detect/survey.ts';
import { work } from '../support/work.ts';
import type { Files } from './lay-files.ts';
import { surveyOf } from './survey-of.ts';

/** A survey for a service that asks for hosts alone. */
const read = async (files: Files, hosts: readonly string[] = []): Promise<Survey> => await surveyOf(files, { shop: { uses: { hosts } } });

const foldersOf = ({ units }: Survey): readonly string[] => units.map(({ folder }) => folder);
const packagesOf = ({ units }: Survey, folder: string): readonly string[] =>
  units.find((unit) => unit.folder === folder)?.manifests.flatMap(({ packages }) => packages.map(({ name }) => name)) ?? [];

describe('the folders that count in a repository', () => {
  it('are the root alone where nothing else has a manifest', async () => {
    const { units, problems, isCut } = await read({ 'data.json': '{}', 'src/index.ts': '' });
    expect(units).toEqual([{ folder: '', manifests: [], role: 'package', reaches: [] }]);
    expect({ problems, isCut }).toEqual({ problems: [], isCut: false });
  });

  it('are the root alone in an empty folder', async () => {
    expect(foldersOf(await read({}))).toEqual(['']);
  });

  it.each([
    ['npm', { 'package.json': '{ "workspaces": ["apps/*"] }' }],
    ['yarn', { 'package.json': '{ "workspaces": { "packages": ["apps/*"] } }' }],
    ['pnpm', { 'package.json': '{}', 'pnpm-workspace.yaml': 'packages: [apps/*]' }],
    ['turbo and bun', { 'package.json': '{ "workspaces": ["apps/*"] }', 'turbo.json': '{}', 'bun.lock': '{}' }],
    ['nx', { 'package.json': '{}', 'nx.json': '{}' }],
    ['lerna', { 'package.json': '{}', 'lerna.json': '{}' }],
    ['no tool at all', {}],
  ])('are found as %s lays them out', async (_, root) => {
    const repository = await read({
      ...root,
      'apps/web/package.json': '{ "dependencies": { "next": "15" } }',
      'apps/web/vercel.json': '{}',
      'apps/api/package.json': '{ "dependencies": { "stripe": "1" } }',
    });
    expect(foldersOf(repository)).toEqual(['', 'apps/api', 'apps/web']);
    expect(repository.units[2]?.manifests.map(({ file }) => file)).toEqual(['apps/web/package.json']);
    expect(packagesOf(repository, 'apps/web')).toEqual(['next']);
  });

  it.each([
    [
      'pnpm',
      { 'pnpm-workspace.yaml': "packages:\n  - packages/*\n  - '!packages/archive'\n" },
      ['', 'packages/archived', 'packages/shop', 'packages/shop/test/app'],
    ],
    [
      'pnpm, anywhere',
      { 'pnpm-workspace.yaml': 'packages: ["packages/*", "!**/test/**"]' },
      ['', 'packages/archive', 'packages/archived', 'packages/shop'],
    ],
    [
      'npm',
      { 'package.json': '{ "workspaces": ["packages/*", "!./packages/*chive/"] }' },
      ['', 'packages/archived', 'packages/shop', 'packages/shop/test/app'],
    ],
    ['yarn', { 'package.json': '{ "workspaces": { "packages": ["!packages/a*"] } }' }, ['', 'packages/shop', 'packages/shop/test/app']],
    [
      'nobody',
      { 'package.json': '{ "workspaces": "!packages/*", "x!": 1 }' },
      ['', 'packages/archive', 'packages/archived', 'packages/shop', 'packages/shop/test/app'],
    ],
  ])('are not those that %s is told to leave out', async (_, root, folders) => {
    const packages = ['archive', 'archived', 'shop', 'shop/test/app'].map((name) => [`packages/${name}/package.json`, '{}'] as const);
    const repository = await read({ ...root, ...Object.fromEntries(packages), 'packages/archive/.env': 'OLD=1' });
    expect(foldersOf(repository)).toEqual(folders);
    expect(repository.variables.length).toBe(folders.includes('packages/archive') ? 1 : 0);
  });

  it('are left out in no time, whatever a pattern is', async () => {
    const patterns = ['*a'.repeat(100), '**/'.repeat(100), '**/a/'.repeat(50), '', '/', '[', '**'.repeat(100)].map(
      (pattern) => `!${pattern}b`,
    );
    const folder = `${'a'.repeat(200)}/${'a/'.repeat(12)}`;
    const files = { 'package.json': JSON.stringify({ workspaces: patterns }), [`${folder}package.json`]: '{}' };
    expect(await work(() => read(files))).toBeLessThan(5_000);
  });

  it('may have manifests of several languages', async () => {
    const { units } = await read({
      'requirements.txt': 'stripe\n',
      'package.json': '{ "dependencies": { "next": "15" } }',
      'api/pyproject.toml': '[project]\ndependencies = ["psycopg"]',
    });
    const listed = units.map(({ manifests }) => manifests.map(({ file, packages }) => [file, packages.map(({ name }) => name)]));
    expect(listed).toEqual([
      [
        ['package.json', ['next']],
        ['requirements.txt', ['stripe']],
      ],
      [['api/pyproject.toml', ['psycopg']]],
    ]);
  });

  it('do not come from what tools installed, built or keep as samples', async () => {
    const skipped = [
      'node_modules/a',
      'apps/web/node_modules/a',
      'dist',
      'build',
      '.next/x',
      'target',
      'vendor/a',
      '.venv/lib',
      'test/fixtures/a',
      '.git',
    ];
    const repository = await read(
      Object.fromEntries(
        skipped.flatMap((folder) => [
          [`${folder}/package.json`, '{'],
          [`${folder}/.env`, 'A=1'],
        ]),
      ),
    );
    expect(foldersOf(repository)).toEqual(['']);
    expect(repository.variables).toEqual([]);
    expect(repository.problems).toEqual([]);
  });

  it('have the settings that lie in folders with a dot, without what lies below', async () => {
    const host = { uses: { files: ['.host/project.json', '.host/output/deep.json', 'output/deep.json'] } };
    const { claims } = await surveyOf({ '.host/project.json': '{}', '.host/output/deep.json': '{' }, { host });
    expect(claims.map(({ evidence }) => evidence)).toEqual([[{ file: '.host/project.json', what: '' }]]);
  });
});

describe('a package.json that is broken', () => {
  it('is a problem with its place, and the rest of the repository is read', async () => {
    const taken = await read({ 'package.json': '{ "dependencies": { "next": "15", } }', '.env': 'A=1' });
    const { problems, variables } = taken;
    expect(problems).toEqual([{ file: 'package.json', why: 'is not valid JSON (line 1, column 35: the name of a property is missing)' }]);
    expect(variables.map(({ name }) => name)).toEqual(['A']);
    expect(packagesOf(taken, '')).toEqual(['next']);
  });

  it('is read with a byte order mark, in UTF-16 and with bytes that are no text', async () => {
    const text = '{ "dependencies": { "next": "15" } }';
    for (const bytes of [`\ufeff${text}`, Buffer.from(`\ufeff${text}`, 'utf16le')]) {
      const taken = await read({ 'package.json': bytes });
      expect(packagesOf(taken, '')).toEqual(['next']);
      expect(taken.problems).toEqual([]);
    }
    expect((await read({ 'package.json': Buffer.from([0x7b, 0xff, 0xfe, 0x00]) })).problems).toHaveLength(1);
  });
});

describe('variables of .env files', () => {
  it('are named with every file that has them, and with the ends of hosts that were asked for', async () => {
    const { variables } = await read(
      {
        '.env': '\ufeffDATABASE_URL=postgres://u:p@ep-a.neon.tech/db\r\n',
        '.env.example': 'DATABASE_URL=\nNEON_API_KEY=',
        'apps/web/.env.local': 'DATABASE_URL=postgres://u:p@localhost/db',
        '.envrc': 'export A=1',
        'env.example': 'B=1',
        'environment.txt': 'C=1',
      },
      ['.neon.tech', '.psdb.cloud'],
    );
    expect(variables.map(({ name, file, line, hosts }) => [name, `${file}:${line}`, hosts])).toEqual([
      ['DATABASE_URL', '.env:1', ['.neon.tech']],
      ['DATABASE_URL', '.env.example:1', []],
      ['NEON_API_KEY', '.env.example:2', []],
      ['A', '.envrc:1', []],
      ['B', 'env.example:1', []],
      ['DATABASE_URL', 'apps/web/.env.local:1', []],
    ]);
  });
});

describe('the address of the database', () => {
  it('has the names under which configs and schemas read it', async () => {
    const { variables } = await read({
      'packages/db/prisma/schema/base.prisma': 'datasource db {\n  url = env("SHOP_DB")\n}',
      'packages/db/prisma/schema/user.prisma': 'model User { id Int @id }',
      'drizzle.config.ts': 'export default { dbCredentials: { url: process.env.DATABASE_URL } };',
    });
    const opening = variables.filter(({ opens }) => opens !== undefined);
    expect(opening.map(({ name, file, opens }) => [name, file, opens?.by])).toEqual([
      ['SHOP_DB', 'packages/db/prisma/schema/base.prisma', 'prisma'],
      ['DATABASE_URL', 'drizzle.config.ts', 'drizzle-kit'],
    ]);
  });
});
