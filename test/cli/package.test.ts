import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../mcp/connect.ts';
import { installedStart, skillCommands } from '../mcp/set-up-page.ts';
import { execute, root } from './program.ts';

let folder = '';
let tarball = '';
let files: readonly string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pilotfish-package-'));
  const env = { ...process.env, npm_config_cache: join(folder, 'cache') };
  const pack = await execute('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], { cwd: root, env });
  const [packed] = JSON.parse(pack.stdout);
  tarball = join(folder, packed.filename);
  files = packed.files.map((file: { path: string }) => file.path);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('the package', () => {
  it('holds the program, the library with its types, the recipes, the schemas and the licences', () => {
    for (const file of [
      'package.json',
      'LICENSE',
      'skills/pilotfish/SKILL.md',
      'dist/pilotfish.js',
      'dist/pilotfish-mcp.js',
      'dist/index.js',
      'dist/types/index.d.ts',
      'dist/families/index.json',
      'dist/families/families.json.br',
      'dist/catalogue/index.json.br',
      'dist/THIRD-PARTY-NOTICES.txt',
      'man/pilotfish.1',
      'schema/release.plan.schema.json',
      'schema/recipe-family.schema.json',
    ]) {
      expect(files).toContain(file);
    }
  });

  it('holds nothing else: no sources, no tests, no local state', () => {
    const allowed =
      /^(package\.json|LICENSE|README\.md|skills\/pilotfish\/SKILL\.md|CHANGELOG\.md|man\/pilotfish\.1|schema\/(release\.plan|recipe-family)\.schema\.json|dist\/[\w.-]+\.(js|cjs|txt)|dist\/families\/(index\.json|families\.json\.br)|dist\/catalogue\/index\.json\.br|dist\/trace-page\/page\.json\.br|dist\/types\/index\.d\.ts)$/;
    expect(files.filter((file) => !allowed.test(file))).toEqual([]);
  });

  it('is at most 1,160 KiB', async () => {
    expect((await stat(tarball)).size).toBeLessThanOrEqual(1160 * 1024);
  });

  it('has every type that its library speaks of in one file', async () => {
    const text = await readFile(join(root, 'dist/types/index.d.ts'), 'utf8');
    expect([...text.matchAll(/(?:from |import\()"([^"]+)"/g)].map(([, from]) => from)).toEqual(['node:util', 'zod']);
  });

  it('names the licence of every package in the bundle', async () => {
    const notices = await readFile(join(root, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
    for (const name of ['cac', 'yaml', 'zod']) expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'));
  });

  it('installed alone in an empty folder, without a registry, has its commands, its recipes and its library', async () => {
    const cwd = join(folder, 'empty');
    await mkdir(cwd);
    await writeFile(join(cwd, 'package.json'), '{ "private": true, "type": "module" }');
    const env = { PATH: process.env.PATH ?? '', HOME: folder, npm_config_cache: join(folder, 'cache') };
    const install = await execute('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd, env });
    expect(install.code, install.stderr).toBe(0);
    const program = join(cwd, 'node_modules/.bin/pilotfish');

    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    expect(await execute(join(cwd, 'node_modules/.bin/pilotfish-mcp'), ['--version'], { cwd, env })).toMatchObject({
      stdout: `${version}\n`,
    });

    // A client of the registry starts the first program of a package, with the arguments of server.json.
    const agent = await connect({ cwd, env, words: [installedStart.command, ...installedStart.args] });
    expect((await agent.client.listTools()).tools.map(({ name }) => name)).toContain('plan');
    await agent.close();
    expect(agent.noise).toEqual([]);
    const skill = await execute('sh', ['-ec', skillCommands], { cwd, env });
    expect(skill.code, skill.stderr).toBe(0);
    const copies = await Promise.all(['.claude', '.agents'].map((name) => readFile(join(cwd, name, 'skills/pilotfish/SKILL.md'), 'utf8')));
    expect(copies).toEqual(copies.map(() => readFileSync(join(root, 'skills/pilotfish/SKILL.md'), 'utf8')));

    expect(JSON.parse((await execute(program, ['init', '--json'], { cwd, env })).stdout).plan.written).toBe(true);
    expect((await readFile(join(cwd, 'release.plan.yaml'), 'utf8')).split('\n')[0]).toContain('yaml-language-server');

    await writeFile(join(cwd, 'release.plan.yaml'), 'changes:\n  - id: x\n    recipe: auth0.callback_ulr\n');
    const plan = await execute(program, ['plan', '--scope', 'pr-1'], { cwd, env });
    expect(plan.code).toBe(2);
    expect(plan.stderr).toContain('callback_url');

    await writeFile(
      join(cwd, 'plugin.js'),
      "import { Failure, Sealed } from 'pilotfish';\nconsole.log(typeof Failure, String(new Sealed('a', 'b')));\n",
    );
    expect((await execute(process.execPath, ['plugin.js'], { cwd, env })).stdout).toBe('function [sealed]\n');
  });
});
