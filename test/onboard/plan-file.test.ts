import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { cloneOf, pilotfish } from './command.ts';

const file = 'release.plan.yaml';
const plan = 'version: 1\n\nchanges:\n  - id: site\n    adapter: vercel\n    op: deploy\n    project: shop\n';

/** Everything in the folder but git's own, with what it holds. */
async function contentOf(cwd: string): Promise<readonly string[]> {
  const names = await readdir(cwd, { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile() && !one.parentPath.includes('.git')).map((one) => join(one.parentPath, one.name));
  return await Promise.all(files.sort().map(async (path) => `${path}\n${await readFile(path, 'latin1')}`));
}

describe('a plan of nearly the right name', () => {
  it.each([
    ['release.plan.yml', plan],
    ['release-plan.yaml', `\ufeff${plan}`],
    ['release.plan.yml', plan.replaceAll('\n', '\r\n')],
    ['release.plan.yml', 'changes: [\n'],
    ['release.plan.yml', '"changes": []\n'],
  ])('%s is named with its rename, and nothing is written', async (name, text) => {
    const cwd = await cloneOf('nextjs-vercel');
    await writeFile(join(cwd, name), text);
    const before = await contentOf(cwd);
    for (const flags of [[], ['--json'], ['--yes'], ['--add', 'sign-in'], ['--setup', '--yes']]) {
      const { code, stdout, stderr } = await pilotfish(['init', ...flags], { cwd });
      expect(code).toBe(2);
      expect(stdout + stderr).toContain(`${name} is a plan with the wrong name`);
      expect(stdout + stderr).toContain(`git mv ${name} ${file}`);
    }
    expect(await contentOf(cwd)).toEqual(before);
  });

  it('in a folder above is named from here', async () => {
    const cwd = await cloneOf('nextjs-vercel');
    await writeFile(join(cwd, 'release.plan.yml'), plan);
    await mkdir(join(cwd, 'apps/web'), { recursive: true });
    const { code, stderr } = await pilotfish(['init'], { cwd: join(cwd, 'apps/web') });
    expect(code).toBe(2);
    expect(stderr).toContain(`git mv ../../release.plan.yml ../../${file}`);
  });

  it('is renamed without git where there is no repository', async () => {
    const cwd = await cloneOf('nextjs-vercel');
    await rm(join(cwd, '.git'), { recursive: true });
    await writeFile(join(cwd, 'release.plan.yml'), plan);
    expect((await pilotfish(['init'], { cwd })).stderr).toContain(`\`mv release.plan.yml ${file}\``);
  });

  it('is of no matter beside a plan of the right one', async () => {
    const cwd = await cloneOf('nextjs-vercel');
    await writeFile(join(cwd, 'release.plan.yml'), plan);
    await writeFile(join(cwd, file), plan);
    expect(await pilotfish(['init'], { cwd })).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    ['another tool has written', (path: string) => writeFile(path, 'stages:\n  changes: 3\n')],
    ['is a folder', (path: string) => mkdir(path)],
    ['is a pipe', (path: string) => promisify(execFile)('mkfifo', [path])],
  ])('that %s is no plan: one is written beside it', async (_, make) => {
    const cwd = await cloneOf('nextjs-vercel');
    await make(join(cwd, 'release-plan.yaml'));
    expect(await pilotfish(['init'], { cwd })).toMatchObject({ code: 0, stderr: '' });
    expect(await readFile(join(cwd, file), 'utf8')).toContain('adapter: vercel');
  });
});

describe('what stands in the place of the plan', () => {
  it.each([
    ['a folder', (path: string) => mkdir(path)],
    ['a pipe', (path: string) => promisify(execFile)('mkfifo', [path])],
  ])('%s is refused, and nothing is written', async (_, make) => {
    const cwd = await cloneOf('nextjs-vercel');
    await make(join(cwd, file));
    const before = await contentOf(cwd);
    const { code, stderr } = await pilotfish(['init'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('(it is not a file)');
    expect(await contentOf(cwd)).toEqual(before);
  });
});

describe('a plan that gets a line', () => {
  it('may be read by whom it was, and leaves nothing beside it', async () => {
    const cwd = await cloneOf('nextjs-vercel');
    await writeFile(join(cwd, file), plan);
    await chmod(join(cwd, file), 0o666);
    const before = await readdir(cwd);
    expect(await pilotfish(['init', '--add', 'sign-in'], { cwd })).toMatchObject({ code: 0, stderr: '' });
    expect((await stat(join(cwd, file))).mode & 0o777).toBe(0o666);
    expect(await readFile(join(cwd, file), 'utf8')).toContain('adapter: clerk');
    expect((await readdir(cwd)).filter((name) => !before.includes(name) && name !== '.gitignore')).toEqual([]);
  });

  it('.gitignore keeps its bytes, whatever they are', async () => {
    const cwd = await cloneOf('nextjs-vercel');
    const bytes = Buffer.from('# f\xfcr uns\nnode_modules', 'latin1');
    await writeFile(join(cwd, '.gitignore'), bytes);
    expect(await pilotfish(['init'], { cwd })).toMatchObject({ code: 0, stderr: '' });
    expect(await readFile(join(cwd, '.gitignore'), 'latin1')).toBe(`${bytes.toString('latin1')}\n.pilotfish/\n`);
  });

  it('is refused where its bytes are no UTF-8, which could not be kept', async () => {
    const cwd = await cloneOf('nextjs-vercel');
    const bytes = Buffer.from(`# f\xfcr uns\n${plan}`, 'latin1');
    await writeFile(join(cwd, file), bytes);
    const { code, stderr } = await pilotfish(['init', '--add', 'sign-in'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain(`${file} is not valid UTF-8`);
    expect((await readFile(join(cwd, file))).equals(bytes)).toBe(true);
  });
});
