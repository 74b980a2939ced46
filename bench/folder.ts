import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cleanGitEnv, type GitRemoteServer, startGitRemote } from '../test/support/git-remote.ts';
import type { Case } from './cases.ts';
import { planOf } from './plans.ts';
import { token, tokens } from './server.ts';

/** A checkout with the plan of a case, and what a person has in its environment there. */
export interface Folder {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
  /** The git host, where the case has its ledger there. */
  readonly remote: GitRemoteServer | null;
  remove(): Promise<void>;
}

/**
 * Lays out a folder in which nothing was ever run, with a git host of its own where the case has one. Node keeps what it
 * compiled of the program in `compiled`; with `null` nowhere, as in CI; without, where the tests keep it.
 */
export async function openFolder(
  one: Pick<Case, 'wanted' | 'ledger' | 'concurrency' | 'credentials'>,
  base: string,
  compiled?: string | null,
): Promise<Folder> {
  const root = await mkdtemp(join(tmpdir(), 'pilotfish-bench-'));
  const path = join(root, 'shop');
  const home = join(root, 'home');
  await Promise.all([mkdir(path), mkdir(home)]);
  const env: Record<string, string> = { ...tokens(one.credentials), VERCEL_TOKEN: token };
  for (const [name, value] of Object.entries(cleanGitEnv(home))) if (value !== undefined) env[name] = value;
  if (compiled === null) env.NODE_DISABLE_COMPILE_CACHE = '1';
  else if (compiled !== undefined) env.NODE_COMPILE_CACHE = compiled;
  await writeFile(join(path, 'release.plan.yaml'), planOf(one, base));
  const remote = one.ledger === 'git' ? await startGitRemote({ user: 'bench', password: 'bench-remote-password' }) : null;
  if (remote) {
    const git = (...args: readonly string[]) => promisify(execFile)('git', args, { cwd: path, env });
    await git('init', '--quiet', '--initial-branch=main');
    await git('remote', 'add', 'origin', remote.urlWithAuth);
    await git('add', '.');
    await git('commit', '--quiet', '-m', 'A plan');
    await git('push', '--quiet', 'origin', 'main');
  }
  return {
    path,
    env,
    remote,
    remove: async () => {
      await remote?.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}
