import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import { init as initIn } from '../../src/onboard/init.ts';
import { readPlan } from '../../src/plan/load.ts';
import { cleanGitEnv } from '../support/git-remote.ts';
import { pilotfish } from './program.ts';

let folder = '';
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'pilotfish-init-')));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const init = (where: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }) => initIn({ ...where, openRegistry });
const read = (name: string) => readFile(join(folder, name), 'utf8');
const context = { environment: 'preview', scope: 'pr-1', git: { sha: 'c', branch: 'b' }, pr: { number: 1 } };

/** An app on Vercel that reads the address of a database at Neon. */
async function anApp(): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{ "name": "shop", "dependencies": { "next": "16", "@neondatabase/serverless": "1" } }');
  await writeFile(join(folder, 'vercel.json'), '{}');
  await writeFile(join(folder, '.env.example'), 'DATABASE_URL=\n');
}

it('init in an empty folder writes a plan without a line, and says what is missing and what to do', async () => {
  const { code, stdout, stderr } = await pilotfish(['init'], { cwd: folder });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('Detected:\n  no known service\n');
  expect(stdout).toMatch(/Next:\n {2}The plan has no line: no package, variable, address or configuration file names a service/);
  expect((await readPlan({ path: join(folder, 'release.plan.yaml'), display: 'p', context })).plan.lines).toEqual([]);
  const { detected, next } = await init({ cwd: folder, env: {} });
  expect(detected).toMatchObject({ found: [], unsupported: [], engines: [], deployables: [], assumed: false });
  expect(next.command).toBeNull();
});

describe('init in a folder with an app', () => {
  it('writes the plan and .gitignore, and says what is left to do with relative paths', async () => {
    await anApp();
    const { code, stdout, stderr } = await pilotfish(['init'], { cwd: folder });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('release.plan.yaml was written.\n.gitignore now ignores .pilotfish/.');
    const [, detected, todo, next] = /Detected:\n([\s\S]*?)\nTo fill in:\n([\s\S]*?)\nNext:\n([\s\S]*)/.exec(stdout) ?? [];
    expect(detected).toMatch(/^ {2}Neon +package\.json/m);
    expect(todo).toMatch(/^ {2}release\.plan\.yaml:\d+ +changes\[0\]\.project_id +\S/m);
    expect(todo).toMatch(/NEON_API_KEY +missing/);
    expect(next).toContain('# TODO');
    expect(stdout).not.toContain(folder);
    expect(await read('.gitignore')).toBe('.pilotfish/\n');
  });

  it('gives one JSON document with absolute paths', async () => {
    await anApp();
    const { code, stdout } = await pilotfish(['init', '--json', '--yes'], { cwd: folder, env: { NEON_API_KEY: 'neon-secret-value' } });
    expect(code).toBe(0);
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({
      schema: 1,
      ok: true,
      command: 'init',
      plan: { path: join(folder, 'release.plan.yaml'), written: true },
      detected: {
        found: [{ name: 'neon' }, { name: 'vercel' }],
        unsupported: [],
        deployables: [{ folder: '', name: 'shop', kind: 'web', framework: 'next', host: 'vercel', builds: 'host', why: null }],
        wired: [{ variable: 'DATABASE_URL', deployable: '', from: 'database.pooled_connection_uri', where: 'host' }],
        library: null,
        template: null,
        assumed: false,
      },
      credentials: [
        { variable: 'NEON_API_KEY', provider: 'neon', status: 'set' },
        { variable: 'VERCEL_TOKEN', provider: 'vercel', status: 'missing' },
      ],
      next: { command: null, why: expect.stringContaining('# TODO') },
    });
    expect(document.detected.todo.map((todo: { path: string }) => todo.path)).toEqual([
      'changes[0].project_id',
      // Once: the other line names the same value.
      'changes[1].project',
    ]);
    for (const todo of document.detected.todo) expect([todo.file, todo.hint === '']).toEqual([join(folder, 'release.plan.yaml'), false]);
    expect(stdout).not.toContain('neon-secret-value');
  });

  it('the plan has no mistakes but its placeholders, and plan refuses it with exit code 2 for these', async () => {
    await anApp();
    await init({ cwd: folder, env: {} });
    const { problems, plan } = await readPlan({ path: join(folder, 'release.plan.yaml'), display: 'release.plan.yaml', context });
    expect(problems.map((problem) => problem.code)).toEqual(['PLAN_TODO', 'PLAN_TODO']);
    expect(plan.lines.map((line) => line.id)).toEqual(['database', 'database-url', 'preview']);
    const { code, stdout } = await pilotfish(['plan', '--json', '--scope', 'pr-1'], { cwd: folder });
    expect(code).toBe(2);
    expect(stdout).toContain('PLAN_TODO');
  });

  it('once the placeholders are filled in the next step is plan, when the credentials are there', async () => {
    await anApp();
    await init({ cwd: folder, env: {} });
    const path = join(folder, 'release.plan.yaml');
    await writeFile(path, (await read('release.plan.yaml')).replace(/ # TODO.*/g, ''));
    expect((await init({ cwd: folder, env: {} })).next.command).toBe('pilotfish init --setup');
    expect((await init({ cwd: folder, env: { NEON_API_KEY: 'a', VERCEL_TOKEN: 'b' } })).next.command).toBe('pilotfish plan');
    const { problems } = await readPlan({ path, display: 'p', context });
    expect(problems).toEqual([]);
  });
});

describe('init in a repository', () => {
  it('in a subfolder writes at the root, and shows paths from here', async () => {
    await mkdir(join(folder, '.git'));
    await mkdir(join(folder, 'apps/web'), { recursive: true });
    const { stdout } = await pilotfish(['init'], { cwd: join(folder, 'apps/web') });
    expect(stdout).toContain('../../release.plan.yaml was written.');
    await stat(join(folder, 'release.plan.yaml'));
    expect(await read('.gitignore')).toBe('.pilotfish/\n');
  });

  it.each([
    ['git@github.com:acme/My_Shop.git', 'my-shop'],
    ['https://user:pass@example.com/acme/shop', 'shop'],
    ['https://example.com/acme/shop.git/', 'shop'],
  ])('puts the name of the repository %s into the names of what is made', async (url, name) => {
    const env = cleanGitEnv(folder);
    execFileSync('git', ['init', '--quiet'], { cwd: folder, env });
    execFileSync('git', ['remote', 'add', 'origin', url], { cwd: folder, env });
    await anApp();
    await init({ cwd: folder, env });
    expect(await read('release.plan.yaml')).toContain(`name: ${name}-\${ctx.scope}`);
  });

  it('never overwrites a plan, says so, and exits 0', async () => {
    await mkdir(join(folder, '.git'));
    await mkdir(join(folder, 'sub'));
    await writeFile(join(folder, 'release.plan.yaml'), 'changes: []\n');
    const { code, stdout } = await pilotfish(['init', '--yes'], { cwd: join(folder, 'sub') });
    expect(code).toBe(0);
    expect(stdout).toContain('../release.plan.yaml exists and was not changed.');
    expect(await read('release.plan.yaml')).toBe('changes: []\n');
    await expect(stat(join(folder, 'sub/release.plan.yaml'))).rejects.toThrow('ENOENT');
  });

  it('leaves a plan that does not parse for plan to judge', async () => {
    await writeFile(join(folder, 'release.plan.yaml'), 'changes: [\n');
    const document = await init({ cwd: folder, env: {} });
    expect(document).toMatchObject({ plan: { written: false }, detected: { todo: [] }, next: { command: 'pilotfish plan' } });
  });

  it('brings the editor schema along, which a clone gets again', async () => {
    await pilotfish(['init'], { cwd: folder });
    const [first = ''] = (await read('release.plan.yaml')).split('\n');
    expect(first).toBe('# yaml-language-server: $schema=./.pilotfish/release.plan.schema.json');
    const schema = JSON.parse(await read('.pilotfish/release.plan.schema.json'));
    expect(schema.properties).toHaveProperty('changes');
    expect(JSON.parse(await read('.pilotfish/recipe-family.schema.json')).properties).toHaveProperty('ops');
    await rm(join(folder, '.pilotfish'), { recursive: true });
    await pilotfish(['init'], { cwd: folder });
    expect(JSON.parse(await read('.pilotfish/release.plan.schema.json'))).toEqual(schema);
  });

  it('names the editor schema of an installed pilotfish', async () => {
    const schema = 'node_modules/pilotfish/schema/release.plan.schema.json';
    await mkdir(join(folder, 'node_modules/pilotfish/schema'), { recursive: true });
    await writeFile(join(folder, schema), '{}');
    await init({ cwd: folder, env: {} });
    expect((await read('release.plan.yaml')).split('\n')[0]).toBe(`# yaml-language-server: $schema=./${schema}`);
  });
});

describe('.gitignore', () => {
  it.each([
    ['node_modules', 'node_modules\n.pilotfish/\n'],
    ['node_modules\n', 'node_modules\n.pilotfish/\n'],
    ['a\r\nb\r\n', 'a\r\nb\r\n.pilotfish/\r\n'],
    ['a\r\nb', 'a\r\nb\r\n.pilotfish/\r\n'],
    ['.pilotfish/\n', '.pilotfish/\n'],
    ['/.pilotfish\r\nx', '/.pilotfish\r\nx'],
    ['# .pilotfish/\n', '# .pilotfish/\n.pilotfish/\n'],
  ])('%j becomes %j, and stays that the second time', async (before, after) => {
    await writeFile(join(folder, '.gitignore'), before);
    expect((await init({ cwd: folder, env: {} })).gitignore.changed).toBe(before !== after);
    expect(await read('.gitignore')).toBe(after);
    expect((await init({ cwd: folder, env: {} })).gitignore.changed).toBe(false);
    expect(await read('.gitignore')).toBe(after);
  });

  it('a folder in its place is told in one sentence', async () => {
    await mkdir(join(folder, '.gitignore'));
    const { code, stderr } = await pilotfish(['init'], { cwd: folder });
    expect(code).toBe(2);
    expect(stderr).toContain('could not write');
  });
});
