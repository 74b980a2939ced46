import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { findRoot, repositoryName } from '../../src/onboard/repository.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** The repository `acme/shop` in a folder of another name, and a way to run git there. */
async function shop() {
  const folder = await tempFolder('names');
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1', GIT_ALLOW_PROTOCOL: 'file' };
  const git = async (cwd: string, ...args: readonly string[]): Promise<void> => {
    await promisify(execFile)('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@acme.example', ...args], { cwd, env });
  };
  const checkout = join(folder, 'checkout');
  await git(folder, 'init', '--quiet', checkout);
  await git(checkout, 'commit', '--quiet', '--allow-empty', '--message', 'The shop');
  await git(checkout, 'remote', 'add', 'origin', 'https://github.com/acme/Shop.git');
  return { folder, checkout, git };
}

const nameIn = async (cwd: string): Promise<string> =>
  await repositoryName(await findRoot(cwd), { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' });

it('a linked worktree has the name of its repository, not of its folder', async () => {
  const { folder, checkout, git } = await shop();
  await git(checkout, 'worktree', 'add', '--quiet', '-b', 'fix', join(folder, 'fix-of-today'));
  expect(await nameIn(checkout)).toBe('shop');
  expect(await nameIn(join(folder, 'fix-of-today'))).toBe('shop');
});

it('a submodule has the name of its own repository', async () => {
  const { folder, checkout, git } = await shop();
  const whole = join(folder, 'whole');
  await git(folder, 'init', '--quiet', whole);
  await git(whole, 'submodule', '--quiet', 'add', checkout, 'parts/first');
  await git(join(whole, 'parts/first'), 'remote', 'set-url', 'origin', 'https://github.com/acme/Shop.git');
  await git(whole, 'remote', 'add', 'origin', 'https://github.com/acme/whole.git');
  expect(await nameIn(join(whole, 'parts/first'))).toBe('shop');
  expect(await nameIn(whole)).toBe('whole');
});

it('a repository without a remote has the name of its folder', async () => {
  const { checkout, git } = await shop();
  await git(checkout, 'remote', 'remove', 'origin');
  expect(await nameIn(checkout)).toBe('checkout');
});
