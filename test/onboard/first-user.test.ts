import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { pilotfish } from './command.ts';
import { type Company, openCompany } from './company.ts';
import { fillIn, withComments } from './fill-in.ts';
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

/**
 * Does what the report of `init` says, and nothing else, until it names a command that is no other `init`; gives that command and the
 * environment as it is by then.
 */
async function follow(cwd: string, env: NodeJS.ProcessEnv, company: (plan: string) => Company) {
  const path = join(cwd, 'release.plan.yaml');
  const now: NodeJS.ProcessEnv = { ...env };
  for (let round = 0; round < 5; round += 1) {
    const told = await pilotfish(['init'], { cwd, env: now });
    expect(told).toMatchObject({ code: 0, stderr: '' });
    const { sections, toFill, missing } = readReport(told.stdout);
    const next = (sections.get('Next') ?? []).join(' ');
    const plan = await readFile(path, 'utf8');
    const { knowledge, credentials } = company(withComments(plan));
    for (const { file } of toFill) expect(join(cwd, file)).toBe(path);
    if (next.includes('Remove the # before')) await writeFile(path, withComments(plan));
    else if (next.startsWith('Fill in')) await writeFile(path, fillIn(plan, toFill, knowledge));
    else if (next.startsWith('pilotfish init --setup')) for (const variable of missing) now[variable] = credentials[variable];
    else return { command: /`pilotfish ([^`]+)`/.exec(next)?.[1]?.split(' ') ?? [], env: now };
  }
  throw new Error('following what init prints leads nowhere');
}

it.each([
  ['nextjs-vercel', 'database'],
  ['netlify', 'database'],
  ['pnpm-turbo', 'database'],
  // Every line of its plan is a comment first.
  ['heroku', 'payments'],
])('somebody who knows only what init prints comes to a first plan in %s', async (name, line) => {
  const { cwd, env } = await freshClone(name);
  let company: Company | undefined;
  const end = await follow(cwd, env, (plan) => {
    company ??= openCompany(plan);
    return company;
  });
  expect(end.command[0]).toBe('plan');
  const told = await pilotfish(end.command, { cwd, env: end.env, world: company?.world ?? {} });
  expect(told.stderr).toBe('');
  expect(told.code, told.stdout).toBe(0);
  expect(told.stdout).toMatch(/^Plan for preview\/pr-1\b/);
  expect(told.stdout).toMatch(new RegExp(`^ +\\+ +create +${line}\\b`, 'm'));
  expect(company?.writes()).toEqual([]);
});
