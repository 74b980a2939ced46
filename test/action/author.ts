import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { TestContext } from 'vitest';
import { cleanGitEnv, type GitRemoteServer } from '../support/git-remote.ts';

const run = promisify(execFile);

/** Somebody who pushes to the repository, and what the host makes of a pull request by itself. */
export interface Author {
  /** The commit at the head of the main branch. */
  readonly main: string;
  /**
   * Writes the files, commits all to the branch and pushes it, to the ref where one is named; a new branch starts at main. Resolves
   * to the commit.
   */
  commit(branch: string, files: Readonly<Record<string, string>>, ref?: string): Promise<string>;
  /** Pushes the branch to another commit, by force. */
  move(branch: string, to: string): Promise<string>;
  /** The test merge at `refs/pull/<number>/merge`, as the host keeps it for a pull request whose head is this commit. */
  merge(number: number, head: string): Promise<{ readonly base: string; readonly merge: string }>;
}

/** An author at a clone of the remote, whose main branch has one commit with a README. */
export async function openAuthor({ onTestFinished }: Pick<TestContext, 'onTestFinished'>, remote: GitRemoteServer): Promise<Author> {
  const root = await mkdtemp(join(tmpdir(), 'pilotfish-author-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const folder = join(root, 'shop');
  const env = cleanGitEnv(root);
  const git = async (...args: readonly string[]): Promise<string> => (await run('git', ['-C', folder, ...args], { env })).stdout.trim();
  await run('git', ['init', '--quiet', '--initial-branch=main', folder], { env });
  await git('remote', 'add', 'origin', remote.dir);
  await writeFile(join(folder, 'README.md'), '# shop\n');
  await git('add', '--all');
  await git('commit', '--quiet', '-m', 'A shop');
  await git('push', '--quiet', 'origin', 'main');
  let main = await git('rev-parse', 'HEAD');
  let commits = 0;

  return {
    get main() {
      return main;
    },
    commit: async (branch, files, ref = branch) => {
      const isThere = (await git('branch', '--list', branch)) !== '';
      await git('checkout', '--quiet', ...(isThere ? [branch] : ['-b', branch, 'main']));
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await writeFile(join(folder, name), text);
      }
      await git('add', '--all');
      commits += 1;
      await git('commit', '--quiet', '--allow-empty', '-m', `Change ${commits}`);
      await git('push', '--quiet', 'origin', `${branch}:${ref}`);
      const sha = await git('rev-parse', 'HEAD');
      if (branch === 'main') main = sha;
      return sha;
    },
    move: async (branch, to) => {
      await git('checkout', '--quiet', branch);
      await git('reset', '--quiet', '--hard', to);
      await git('push', '--quiet', '--force', 'origin', branch);
      return to;
    },
    merge: async (number, head) => {
      const tree = await git('merge-tree', '--write-tree', main, head);
      const merge = await git('commit-tree', tree, '-p', main, '-p', head, '-m', `Merge ${head} into ${main}`);
      await git('push', '--quiet', '--force', 'origin', `${merge}:refs/pull/${number}/merge`, `${head}:refs/pull/${number}/head`);
      return { base: main, merge };
    },
  };
}
