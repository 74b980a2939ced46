import { realpathSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../core/errors.ts';
import { Sealed } from '../core/sealed.ts';
import { checkoutTop, isBelow } from './checkout-top.ts';
import { type GitAnswer, gitInCheckout, runGit } from './git-system.ts';
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
  /** The remote as configured, for code that must sign in with it. */
  readonly remote: Sealed | null;
  /** `null` before the first commit. */
  readonly sha: string | null;
  /** `null` on a detached head. */
  readonly branch: string | null;
  /** The history is cut off here, so a missing ancestor proves nothing. */
  readonly shallow: boolean;
  /** The hash that names the objects of this checkout. Its remote has the same. */
  readonly objectFormat: 'sha1' | 'sha256';
  /** `owner/repo` of the remote. */
  readonly slug: string | null;
}

/** The facts that git knows of the folder; `null` outside a checkout. The remote is `origin`, else the only one. */
export async function repositoryFacts(cwd: string, env: NodeJS.ProcessEnv): Promise<RepositoryFacts | null> {
  if (!mayBeCheckout(cwd, env)) return null;
  const git = (...args: readonly string[]): Promise<GitAnswer> => runGit(args, { cwd, env: gitInCheckout(env), timeoutMs: 20_000 });
  // Two questions, side by side: a run waits for both before it does anything else, and each costs a process.
  const [here, remotes] = await Promise.all([git('rev-parse', ...questions), git('remote', '--verbose')]);
  const [top, gitDir, commonDir, shallow, format, sha, ref] = here.stdout.trimEnd().split('\n');
  const hasPlaces = top && gitDir && commonDir && (shallow === 'true' || shallow === 'false');
  if (!hasPlaces) {
    refuseUnreadable(here, cwd);
    return null;
  }
  refuseElsewhere(top, cwd);
  // Git leaves out the last two before the first commit, and where a tag is called HEAD.
  const head = here.code === 0 && sha && ref ? { sha, branch: branchOf(ref) } : await unusualHead(git);
  const remote = remoteOf(remotes.stdout);
  const address = remote !== null && isRelative(remote) ? path.resolve(top, remote) : remote;
  return {
    top: path.resolve(top),
    gitDir: path.resolve(gitDir),
    commonDir: path.resolve(cwd, commonDir),
    remoteUrl: address && stripUserinfo(address),
    remote: address === null ? null : new Sealed(address, 'the git remote'),
    ...head,
    shallow: shallow === 'true',
    objectFormat: format === 'sha256' ? 'sha256' : 'sha1',
    slug: address && slugOf(address),
  };
}

/** Whether git could find a repository from here. Where no folder above holds one, git need not be started to say so. */
function mayBeCheckout(cwd: string, env: NodeJS.ProcessEnv): boolean {
  if (env.GIT_DIR) return true;
  try {
    return checkoutTop(cwd) !== null;
  } catch {
    return true;
  }
}

/** The repository's places and format, its commit, and its current ref: one to a line. A git before 2.25 gives back the question for the format. */
const questions = [
  '--show-toplevel',
  '--absolute-git-dir',
  '--git-common-dir',
  '--is-shallow-repository',
  '--show-object-format',
  'HEAD^{commit}',
  '--symbolic-full-name',
  'HEAD',
];

/** `null` on a detached head, which git names `HEAD`. */
const branchOf = (ref: string): string | null => (ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : null);

async function unusualHead(git: (...args: readonly string[]) => Promise<GitAnswer>): Promise<Pick<RepositoryFacts, 'sha' | 'branch'>> {
  const [sha, ref] = await Promise.all([git('rev-parse', '--verify', '--quiet', 'HEAD^{commit}'), git('symbolic-ref', '--quiet', 'HEAD')]);
  const name = firstLine(ref);
  return { sha: firstLine(sha), branch: name && branchOf(name) };
}

/** The address of `origin`, else of the only remote, of lines such as `origin<tab>https://example.org/o/r.git (fetch)`. */
function remoteOf(told: string): string | null {
  const remotes = new Map<string, { fetch?: string; push?: string }>();
  for (const line of told.split('\n')) {
    const [name, rest = ''] = line.split('\t');
    if (!name) continue;
    const known = remotes.get(name) ?? {};
    remotes.set(name, known);
    const { address, use } = /^(?<address>.+) \((?<use>fetch|push)\)(?: \[[^\]]*\])?$/.exec(rest)?.groups ?? {};
    if (address !== undefined && use === 'fetch') known.fetch ??= address;
    if (address !== undefined && use === 'push') known.push ??= address;
  }
  const { fetch, push } = remotes.get('origin') ?? (remotes.size === 1 ? [...remotes.values()][0] : undefined) ?? {};
  if (fetch === undefined) return null;
  // Some people read over https and push to the same repository over ssh. The ledger is written, so it needs the address that can write.
  return push !== undefined && slugOf(push) !== null && slugOf(push) === slugOf(fetch) ? push : fetch;
}

/** Git reads such an address from the top folder. */
const isRelative = (address: string): boolean => /^\.\.?(\/|$)/.test(address);

/** A checkout's own configuration can name any folder as `core.worktree`, and a run writes its files to the top of the checkout. */
function refuseElsewhere(top: string, cwd: string): void {
  if (isBelow(realpathSync(cwd), realpathSync(top))) return;
  throw new Failure('USAGE', {
    detail: `git says that the checkout of ${cwd} is ${top}, which does not hold that folder.`,
    fix: 'Run in that folder, or remove `core.worktree` from the configuration of the repository and GIT_WORK_TREE from the environment.',
  });
}

/** "Outside a checkout" is an answer. A repository that git refuses to read is an error. */
function refuseUnreadable(answer: GitAnswer, cwd: string): void {
  if (/dubious ownership/.test(answer.stderr)) {
    throw new Failure('USAGE', {
      detail: `git does not trust the repository at ${cwd}, because it belongs to another user.`,
      fix: `Add ${cwd} to the setting \`safe.directory\` of git.`,
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
