import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { pilotfish } from './command.ts';
import { openCompany } from './company.ts';
import { fillIn } from './fill-in.ts';
import { readReport } from './report.ts';
import { filesOf, write } from './repositories.ts';

/** A fresh clone of a remote that has the fixture, on a branch that somebody just began. */
async function freshClone(name: string) {
  const folder = await tempFolder('first-user');
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
  const git = async (cwd: string, ...args: readonly string[]): Promise<void> => {
    await promisify(execFile)('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@acme.example', ...args], { cwd, env });
  };
  const [remote, author, clone] = [join(folder, `acme/${name}.git`), join(folder, 'author'), join(folder, 'clone')];
  await git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  await git(folder, 'init', '--quiet', '--initial-branch=main', author);
  await write(author, await filesOf(name));
  await git(author, 'add', '--all', '--force');
  await git(author, 'commit', '--quiet', '--message', 'The shop as it is');
  await git(author, 'push', '--quiet', remote, 'main');
  await git(folder, 'clone', '--quiet', remote, clone);
  await git(clone, 'checkout', '--quiet', '-b', 'feature');
  return { cwd: clone, env };
}

it.each(['nextjs-vercel', 'netlify', 'pnpm-turbo'])(
  'somebody who knows only what init prints comes to a first plan in %s',
  async (name) => {
    const { cwd, env } = await freshClone(name);
    const path = join(cwd, 'release.plan.yaml');
    const first = await pilotfish(['init'], { cwd, env });
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const { toFill, missing } = readReport(first.stdout);
    expect(missing.length).toBeGreaterThan(0);

    const company = openCompany(await readFile(path, 'utf8'));
    for (const { file } of toFill) expect(join(cwd, file)).toBe(path);
    await writeFile(path, fillIn(await readFile(path, 'utf8'), toFill, company.knowledge));
    const filled = { ...env, ...Object.fromEntries(missing.map((variable) => [variable, company.credentials[variable]])) };

    const second = await pilotfish(['init'], { cwd, env: filled });
    const next = (readReport(second.stdout).sections.get('Next') ?? []).join(' ');
    const [, command = ''] = /`pilotfish ([^`]+)`/.exec(next) ?? [];
    expect(command).toMatch(/^plan\b/);
    const told = await pilotfish(command.split(' '), { cwd, env: filled, world: company.world });
    expect(told.stderr).toBe('');
    expect(told.code).toBe(0);
    expect(told.stdout).toMatch(/^Plan for preview\/pr-1\b/);
    expect(told.stdout).toMatch(/^ +\+ +create +database\b/m);
    expect(company.writes()).toEqual([]);
  },
);
