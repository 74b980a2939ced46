import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { defaultBranchOf } from './default-branch.ts';

/** A repository with one commit, and with these refs at it. */
async function checkout(refs: readonly string[], head?: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pilotfish-branch-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const git = (...args: readonly string[]): void => void execFileSync('git', args, { cwd: folder, env, stdio: 'ignore' });
  git('init', '--quiet', '--initial-branch=feature');
  git('commit', '--quiet', '--allow-empty', '-m', 'A commit');
  for (const ref of refs) git('update-ref', ref, 'HEAD');
  if (head !== undefined) git('symbolic-ref', 'refs/remotes/origin/HEAD', head);
  return folder;
}

const person = {
  GIT_AUTHOR_NAME: 'ann',
  GIT_AUTHOR_EMAIL: 'ann@localhost',
  GIT_COMMITTER_NAME: 'ann',
  GIT_COMMITTER_EMAIL: 'ann@localhost',
};
const env = { PATH: process.env.PATH, HOME: tmpdir(), GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', ...person };

it.each<readonly [what: string, refs: readonly string[], head: string | undefined, branch: string]>([
  ['what a clone remembers', ['refs/remotes/origin/main', 'refs/remotes/origin/next'], 'refs/remotes/origin/next', 'next'],
  ['a branch of a usual name at the remote', ['refs/remotes/origin/master', 'refs/heads/main'], undefined, 'master'],
  ['a local branch of a usual name', ['refs/heads/trunk'], undefined, 'trunk'],
  ['main, where nothing tells', [], undefined, 'main'],
])('the default branch is %s', async (_, refs, head, branch) => {
  expect(await defaultBranchOf(await checkout(refs, head), env)).toBe(branch);
});
