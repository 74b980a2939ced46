import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seed } from 'pilotfish-sandbox/all';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, root } from '../cli/program.ts';
import { type Company, openCompany, recordPlan } from './company.ts';

let company: Company;
beforeAll(async () => {
  company = await openCompany();
});
afterAll(() => company.close());

it('the packed package, installed alone in an empty folder, takes a recipe from init to destroy', async () => {
  const [packed, cwd] = [await company.folder('packed'), await company.folder('empty')];
  const env = { ...company.env, npm_config_cache: join(packed, 'cache'), npm_config_update_notifier: 'false' };
  const pack = await execute('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', packed], { cwd: root, env });
  expect(pack.code, pack.stderr).toBe(0);
  const tarball = join(packed, JSON.parse(pack.stdout)[0].filename);
  await writeFile(join(cwd, 'package.json'), '{ "private": true }');
  const install = await execute('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd, env });
  expect(install.code, install.stderr).toBe(0);
  expect((await readdir(join(cwd, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual(['pilotfish']);

  const run = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await execute(join(cwd, 'node_modules/.bin/pilotfish'), [...args, '--json'], { cwd, env });
    expect(code, stdout + stderr).toBe(0);
    return JSON.parse(stdout);
  };
  expect((await run('init')).plan).toEqual({ path: join(cwd, 'release.plan.yaml'), written: true, added: [] });
  expect(await readFile(join(cwd, '.gitignore'), 'utf8')).toContain('.pilotfish/');
  await writeFile(join(cwd, 'release.plan.yaml'), recordPlan);

  expect(await run('plan', '--scope', 'packed')).toMatchObject({ lines: [{ id: 'dns', verdict: 'create' }] });
  expect(company.writes()).toBe(0);
  expect(await run('apply', '--scope', 'packed')).toMatchObject({ status: 'complete', stats: { writes: 1 } });
  expect(company.records()).toEqual([`packed.${seed.zone.name}`]);
  expect(await run('apply', '--scope', 'packed')).toMatchObject({ status: 'complete', stats: { writes: 0 } });
  expect(await run('apply', '--destroy', '--scope', 'packed')).toMatchObject({ status: 'complete', stats: { writes: 1 } });
  expect(company.records()).toEqual([]);
  company.verify();
});
