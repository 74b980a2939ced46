import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../core/errors.ts';
import { Sealed } from '../core/sealed.ts';
import { type GitAnswer, quietGit, runGit } from './git-system.ts';
import { slugOf, stripUserinfo } from './git-url.ts';

/** The checkout that a run stands in. */
export interface RepositoryFacts {
  /** Top folder of this checkout; of the linked worktree or the submodule where it is one. */
  readonly top: string;
  readonly gitDir: string;
  /** Shared by all linked worktrees. */
  readonly commonDir: string;
  /** Without user info: safe to store and to show. */
  readonly remoteUrl: string | null;
  /** The same as configured, for who must sign in with it. */
  readonly remote: Sealed | null;
  /** `null` before the first commit. */
  readonly sha: string | null;
  /** `null` on a detached head. */
  readonly branch: string | null;
  /** History is cut off here: nothing may be concluded from an ancestor that is not found. */
  readonly shallow: boolean;
  /** `owner/repo` of the remote. */
  readonly slug: string | null;
}

/** What git knows of the folder; `null` outside a checkout. The remote is `origin`, else the only one. */
export async function repositoryFacts(cwd: string, env: NodeJS.ProcessEnv): Promise<RepositoryFacts | null> {
  if (!mayBeCheckout(cwd, env)) return null;
  const git = (...args: readonly string[]): Promise<GitAnswer> => runGit(args, { cwd, env: quietGit(env), timeoutMs: 20_000 });
  // Side by side: a run waits for them before it does anything else.
  const [places, sha, branch, remote] = await Promise.all([
    git('rev-parse', '--show-toplevel', '--absolute-git-dir', '--git-common-dir', '--is-shallow-repository'),
    git('rev-parse', '--verify', '--quiet', 'HEAD^{commit}'),
    git('symbolic-ref', '--quiet', '--short', 'HEAD'),
    remoteOf(git),
  ]);
  const [top, gitDir, commonDir, shallow] = places.stdout.trimEnd().split('\n');
  if (places.code !== 0 || !top || !gitDir || !commonDir) {
    refuseUnreadable(places, cwd);
    return null;
  }
  const address = remote !== null && isRelative(remote) ? path.resolve(top, remote) : remote;
  return {
    top: path.resolve(top),
    gitDir: path.resolve(gitDir),
    commonDir: path.resolve(cwd, commonDir),
    remoteUrl: address && stripUserinfo(address),
    remote: address === null ? null : new Sealed(address, 'the git remote'),
    sha: firstLine(sha),
    branch: firstLine(branch),
    shallow: shallow === 'true',
    slug: address && slugOf(address),
  };
}

/** Whether git would look at a repository from here at all: where none stands on the way up, it need not be started to say so. */
function mayBeCheckout(cwd: string, env: NodeJS.ProcessEnv): boolean {
  if (env.GIT_DIR) return true;
  let folder: string;
  try {
    folder = realpathSync(cwd);
  } catch {
    return true;
  }
  for (;;) {
    if (existsSync(path.join(folder, '.git'))) return true;
    const above = path.dirname(folder);
    if (above === folder) return false;
    folder = above;
  }
}

async function remoteOf(git: (...args: readonly string[]) => Promise<GitAnswer>): Promise<string | null> {
  const names = (await git('remote')).stdout.split('\n').filter((name) => name !== '');
  const name = names.includes('origin') ? 'origin' : names.length === 1 ? names[0] : undefined;
  if (name === undefined) return null;
  const [url, pushUrl] = await Promise.all([git('remote', 'get-url', name), git('remote', 'get-url', '--push', name)]);
  const address = firstLine(url);
  if (address === null) return null;
  const forPush = firstLine(pushUrl);
  // Some read over https and push to the same repository over ssh. The ledger is written, so the address that can write is right.
  return forPush !== null && slugOf(forPush) !== null && slugOf(forPush) === slugOf(address) ? forPush : address;
}

/** Git reads such an address from the top folder. */
const isRelative = (address: string): boolean => /^\.\.?(\/|$)/.test(address);

/** Outside a checkout is an answer; a repository that git refuses to read is not. */
function refuseUnreadable(answer: GitAnswer, cwd: string): void {
  if (/dubious ownership/.test(answer.stderr)) {
    throw new Failure('USAGE', {
      detail: `git does not trust the repository at ${cwd}, because it belongs to another user.`,
      fix: `Run \`git config --global --add safe.directory ${cwd}\`.`,
    });
  }
  if (answer.code === 0 || /not a git repository|must be run in a work tree/i.test(answer.stderr)) return;
  throw new Failure('USAGE', {
    detail: `git could not read the repository at ${cwd}: ${answer.timedOut ? 'it did not answer' : answer.stderr.trim()}.`,
    fix: 'Make `git status` work in this folder.',
  });
}

const firstLine = (answer: GitAnswer): string | null => {
  const line = answer.stdout.split('\n')[0];
  return answer.code === 0 && line ? line : null;
};
