import { execFile } from 'node:child_process';
import { chmod, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Reader } from '../../src/onboard/detect/reader.ts';
import { survey } from '../../src/onboard/detect/take-survey.ts';
import { walk } from '../../src/onboard/detect/walk.ts';
import { asNobody } from '../support/as-nobody.ts';
import { type Files, layFiles, layFilesForAll } from './lay-files.ts';
import { servicesOf } from './survey-of.ts';

const makePipe = (path: string): Promise<unknown> => promisify(execFile)('mkfifo', [path]);

describe('a repository that is not what it seems', () => {
  it('may have links that lead around in circles, out of it and nowhere', async () => {
    const outside = await layFiles({ 'package.json': '{ "dependencies": { "stripe": "1" } }', '.env': 'OUTSIDE=1' });
    const folder = await layFiles({ 'a/package.json': '{}' });
    await symlink('..', join(folder, 'a/up'));
    await symlink(folder, join(folder, 'self'));
    await symlink(outside, join(folder, 'b'));
    await symlink(join(outside, '.env'), join(folder, '.env'));
    await symlink('nowhere', join(folder, 'package.json'));
    const repository = await survey(folder, []);
    expect(repository.units.map(({ folder }) => folder)).toEqual(['', 'a']);
    expect(repository).toMatchObject({ variables: [], problems: [], isCut: false });
  });

  it('may itself be reached over a link', async () => {
    const folder = await layFiles({ 'real/package.json': '{}' });
    await symlink('real', join(folder, 'link'));
    const repository = await survey(join(folder, 'link'), []);
    expect(repository.root).toBe(join(folder, 'real'));
    expect(repository.units[0]?.manifests.map(({ file }) => file)).toEqual(['package.json']);
  });

  it('may have a pipe where a file is expected, which nobody waits for', async () => {
    const folder = await layFiles({});
    await makePipe(join(folder, '.env'));
    await makePipe(join(folder, 'package.json'));
    expect(await survey(folder, [])).toMatchObject({ variables: [], problems: [] });
    expect(new Reader(folder).read('.env')).toBeNull();
  });

  it('may lose a file and a folder while it is read', async () => {
    const folder = await layFiles({ '.env': 'A=1' });
    const reader = new Reader(folder);
    await rm(join(folder, '.env'));
    expect(reader.read('.env')).toBeNull();
    expect(reader.read('.env/x')).toBeNull();
    expect(walk(join(folder, 'gone'))).toEqual({ files: [], unreadable: [], isCut: false });
  });

  it('may have names with line breaks and escapes, which are left out', async () => {
    const folder = await layFiles({
      'a\nb/package.json': '{}',
      'c\u001b[31m/package.json': '{}',
      '.env.\r': 'A=1',
      'd e/package.json': '{}',
    });
    const repository = await survey(folder, []);
    expect(repository.units.map(({ folder }) => folder)).toEqual(['', 'd e']);
    expect(repository.variables).toEqual([]);
  });

  it('may have settings of many megabytes, which are told and not read', async () => {
    const big = Buffer.alloc(5 * 1024 * 1024, 'A=1\n');
    const folder = await layFiles({ '.env': big, 'package.json': Buffer.concat([big, big]), 'data.json': big });
    const { problems, variables } = await survey(folder, []);
    expect(problems).toEqual(['.env', 'package.json'].map((file) => ({ file, why: 'is larger than 1 MB, so it was not read' })));
    expect(variables).toEqual([]);
  });

  it('may have folders and files that may not be read, which are told', async () => {
    const folder = await layFilesForAll({ 'data/x': '', '.env': 'A=1', '.env.local': 'B=1' });
    await chmod(join(folder, 'data'), 0);
    await chmod(join(folder, '.env'), 0);
    const repository = await asNobody(() => survey(folder, []));
    expect(repository.problems).toEqual([
      { file: '.env', why: 'could not be read (EACCES)' },
      { file: 'data', why: 'is a folder that cannot be listed' },
    ]);
    expect(repository.variables.map(({ name }) => name)).toEqual(['B']);
  });

  it('may go deeper and wider than anybody looks, which is told', async () => {
    const folder = await layFiles({ 'a/b/c/package.json': '{}', 'a/package.json': '{}', 'z/1': '', 'z/2': '', 'z/3': '' });
    const limits = { entries: 100, entriesOfFolder: 10, depth: 10 };
    expect(walk(folder, limits)).toMatchObject({ isCut: false, files: expect.arrayContaining(['a/b/c/package.json', 'z/3']) });
    expect(walk(folder, { ...limits, depth: 2 })).toMatchObject({ isCut: true, files: ['a/package.json', 'z/1', 'z/2', 'z/3'] });
    expect(walk(folder, { ...limits, entries: 4 })).toMatchObject({ isCut: true, files: ['a/package.json'] });
    expect(walk(folder, { ...limits, entriesOfFolder: 2 }).files.filter((file) => file.startsWith('z/'))).toHaveLength(2);
  });

  it('is cut where its settings are more than anybody writes', async () => {
    const text = Buffer.alloc(1024 * 1024, '#');
    const folder = await layFiles(Object.fromEntries(Array.from({ length: 66 }, (_, i) => [`.env.${i}`, text])));
    const { isCut, problems } = await survey(folder, []);
    expect(isCut).toBe(true);
    expect(problems).toHaveLength(2);
  });
});

describe('a repository with more code than anybody opens', () => {
  const many = (ending: string): Files => Object.fromEntries(Array.from({ length: 2_001 }, (_, i) => [`lib/part-${i}.${ending}`, '']));
  const usual = { 'package.json': '{"name":"shop","dependencies":{"next":"15"}}' };

  it.each<[string, Files, readonly string[]]>([
    [
      'of TypeScript',
      {
        ...many('ts'),
        'apps/web/app/(ee)/api/stripe/webhook/route.ts': 'export function POST() { return process.env.HOOK_KEY; }',
        'apps/web/src/deep/er/env/server.ts': 'process.env.ENV_KEY',
        'apps/web/src/deep/er/db/index.ts': 'process.env.DB_KEY',
        'apps/web/src/deep/er/cart/total.ts': 'process.env.LATE_KEY',
      },
      ['HOOK_KEY', 'ENV_KEY', 'DB_KEY'],
    ],
    [
      'of Python',
      {
        ...many('py'),
        'server/shop/a/b/hooks/stripe.py': "import os\nos.environ['HOOK_KEY']\n",
        'server/shop/a/b/routes/pay.py': "import os\nos.environ['ROUTE_KEY']\n",
        'server/shop/a/b/cart/total.py': "import os\nos.environ['LATE_KEY']\n",
      },
      ['HOOK_KEY', 'ROUTE_KEY'],
    ],
    [
      'of components',
      {
        ...Object.fromEntries(Array.from({ length: 2_001 }, (_, i) => [`hooks/use-part-${i}.ts`, ''])),
        'apps/web/src/deep/er/api/pay.ts': 'process.env.ROUTE_KEY',
        'apps/web/src/deep/er/cart/total.ts': 'process.env.LATE_KEY',
      },
      ['ROUTE_KEY'],
    ],
  ])('%s has its webhooks, settings and routes read, and tells that it is cut', async (_, files, names) => {
    const found = await survey(await layFiles({ ...usual, ...files }), []);
    expect(found.variables.map(({ name }) => name)).toEqual(names);
    expect(found.isCut).toBe(true);
    expect(found.problems).toEqual([{ file: '.', why: expect.stringContaining('more than 2000 files of code') }]);
  });

  it('is not cut where all code could be opened', async () => {
    const { isCut, problems } = await survey(await layFiles({ ...usual, 'lib/a.ts': '', 'lib/b.ts': '' }), []);
    expect({ isCut, problems }).toEqual({ isCut: false, problems: [] });
  });
});

describe('secrets that a repository holds', () => {
  const secret = 'S3CRETplanted0';
  const services = servicesOf({
    shop: {
      uses: {
        files: ['shop.json', 'shop.toml', 'shop.yaml', '.shoprc'],
        packages: { npm: ['shop'] },
        variables: ['SHOP_KEY', 'DATABASE_URL'],
        hosts: ['.shop.example'],
      },
      ids: ['shop.json', 'shop.toml', 'shop.yaml', '.shoprc'].map((file) => ({ param: 'project', file, at: '/project' })),
    },
  });

  it('are in nothing that is returned', async () => {
    const url = `postgres://${secret}:${secret}@db.shop.example/${secret}`;
    const folder = await layFiles({
      '.env': `SHOP_KEY=${secret}\nDATABASE_URL="${url}"\nKEY="-----BEGIN\n${secret}=\n"\nP='${secret}`,
      '.env.local': `export A=${secret} # ${secret}\n${secret}\n${secret}=1\n`,
      'package.json': `{ "dependencies": { "shop": "${secret}" }, "token": "${secret}" ${secret}`,
      'pyproject.toml': `token = "${secret}"\n${secret} ${secret}`,
      'drizzle.config.ts': `url: process.env.DATABASE_URL ?? "${url}"`,
      'shop.json': `{ "project": "${url}" }`,
      'shop.toml': `project = "sk_live_${secret}"`,
      'shop.yaml': `project: "${url}"\n  ${secret}: [`,
      '.shoprc': `{ "project": "${secret} ${secret}" ${secret}`,
      '.git/config': `url = https://x:${secret}@host/repo.git`,
    });
    const taken = await survey(folder, services);
    expect(taken.claims[0]?.evidence.map(({ what }) => what)).toEqual(expect.arrayContaining(['host *.shop.example', 'variable SHOP_KEY']));
    expect(everythingIn(taken)).not.toContain(secret);
  });

  it('are in no error', async () => {
    const folder = await layFiles({ file: secret });
    const thrown = await survey(join(folder, 'file'), []).catch(String);
    expect(everythingIn(thrown)).not.toContain(secret);
    await writeFile(join(folder, 'package.json'), `{ "a": ${secret}`);
    expect(everythingIn(await survey(folder, []))).not.toContain(secret);
  });
});

/** JSON has no word for maps and sets. */
const everythingIn = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) => (item instanceof Map || item instanceof Set ? [...item] : item));
