import type { Clock } from '../core/clock.ts';
import type { GitCache } from './git-cache.ts';
import type { Hush } from './git-hush.ts';
import { type Refuser, refusal, saysMoved } from './git-refusal.ts';
import { type GitRemote, RemoteTrouble, seenRef } from './git-remote.ts';
import { type GitAnswer, quietGitElsewhere, runGit } from './git-system.ts';
import { stripUserinfo } from './git-url.ts';

export interface SystemRemoteOptions {
  /** As the user configured it: ssh, a folder, or another transport of git. */
  readonly url: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly cache: () => Promise<GitCache>;
  readonly clock: Clock;
  readonly hush: Hush;
}

/** A remote over ssh or in a folder, by the system's git working on the cache repository. */
export function systemRemote(options: SystemRemoteOptions): GitRemote {
  const { url, cwd, hush } = options;
  const refuser = { location: stripUserinfo(url), hush };
  let environment: Promise<NodeJS.ProcessEnv> | undefined;
  const git = async (...args: readonly string[]): Promise<GitAnswer> => {
    environment ??= withoutQuestions(options);
    const { gitdir } = await options.cache();
    const at = [`--git-dir=${gitdir}`, '-c', 'gc.auto=0', '-c', 'maintenance.auto=false'];
    return runGit([...at, ...args], { cwd, env: await environment, timeoutMs: 120_000 });
  };
  /** Fetches wait for each other: git lets one at a time cut history in a repository. One of another process is soon done. */
  const fetchOne = async (ref: string, depth: number): Promise<string | null> => {
    const target = seenRef(ref);
    for (let attempt = 1; ; attempt += 1) {
      const answer = await git('fetch', '--quiet', '--no-tags', '--no-write-fetch-head', `--depth=${depth}`, url, `+${ref}:${target}`);
      if (answer.code === 0) return (await git('rev-parse', '--verify', target)).stdout.trim();
      if (/couldn't find remote ref/i.test(answer.stderr)) return null;
      const isBusy = /\.lock': File exists|cannot lock ref 'refs\/seen\/|shallow file has changed/.test(answer.stderr);
      if (!isBusy) throw await failed(answer, refuser, false);
      // A lock that stays was left by a git that was killed: then the store takes a new cache.
      if (attempt === 8) throw new Error(answer.stderr);
      await options.clock.sleep(100 * attempt);
    }
  };
  let fetching: Promise<string | null> = Promise.resolve(null);
  const refs = async (prefix: string): Promise<ReadonlyMap<string, string>> => {
    const answer = await git('ls-remote', '--quiet', url, `${prefix}*`);
    if (answer.code !== 0) throw await failed(answer, refuser, false);
    const lines = answer.stdout.split('\n').map((line) => line.split('\t'));
    const found = lines.flatMap(([oid, ref]) => (oid && ref?.startsWith(prefix) ? [[ref, oid] as const] : []));
    return new Map(found);
  };
  return {
    refs,
    headForPush: async (ref) => (await refs(ref)).get(ref) ?? null,

    fetch(ref, depth) {
      fetching = fetching.catch(() => undefined).then(() => fetchOne(ref, depth));
      return fetching;
    },

    async push({ oid, ref, expect, objects }) {
      await (await options.cache()).put(objects);
      const lease = `--force-with-lease=${ref}:${expect ?? ''}`;
      // With a lease git moves a ref only from the expected head; our commit is its child, so this is a fast-forward.
      const answer = await git('push', '--porcelain', '--no-verify', lease, url, `${oid}:${ref}`);
      if (answer.code === 0) return 'landed';
      const line = answer.stdout.split('\n').find((text) => text.startsWith('!')) ?? '';
      const words = `${line.slice(1)} ${answer.stderr}`;
      if (saysMoved(words)) return 'moved';
      throw await failed({ ...answer, stderr: words }, refuser, line === '');
    },

    async remove(ref, expect) {
      const answer = await git('push', '--porcelain', '--no-verify', `--force-with-lease=${ref}:${expect}`, url, `:${ref}`);
      if (answer.code === 0) return 'landed';
      const line = answer.stdout.split('\n').find((text) => text.startsWith('!')) ?? '';
      const words = `${line.slice(1)} ${answer.stderr}`;
      if (!saysMoved(words) && !/remote ref does not exist/i.test(words))
        throw await failed({ ...answer, stderr: words }, refuser, line === '');
      return (await refs(ref)).has(ref) ? 'moved' : 'absent';
    },

    close: async () => undefined,
  };
}

/** A connection that failed may work next time; everything else that git reports will not. */
async function failed(answer: GitAnswer, refuser: Refuser, wasSent: boolean): Promise<Error> {
  const words = answer.stderr.replace(/^(hint|warning): .*$/gm, '').trim();
  const isConnection =
    /could not resolve|connection (refused|reset|timed out|closed)|timed out|network is unreachable|no route to host|hung up|early eof|broken pipe|kex_exchange/i;
  const isRefused = /permission denied|host key verification|does not appear to be a git repository/i;
  // Our cache repository is damaged, or another process has just taken it away: the store makes a new one.
  if (/bad object|loose object .* is corrupt|unable to read (tree|sha1)|not a git repository: /i.test(words)) return new Error(words);
  if (answer.timedOut) return new RemoteTrouble('git did not answer in time', { wasSent });
  if (isConnection.test(words) && !isRefused.test(words)) return new RemoteTrouble(words, { wasSent });
  return await refusal(refuser, words);
}

/** ssh asks nothing either. The user's own ssh command stays as it is. */
async function withoutQuestions({ cwd, env }: SystemRemoteOptions): Promise<NodeJS.ProcessEnv> {
  const own = await runGit(['config', 'core.sshCommand'], { cwd, env: quietGitElsewhere(env), timeoutMs: 10_000 });
  const command = env.GIT_SSH_COMMAND || env.GIT_SSH ? null : own.stdout.trim() || 'ssh -o BatchMode=yes -o ConnectTimeout=15';
  return { ...quietGitElsewhere(env), ...(command !== null && { GIT_SSH_COMMAND: command }) };
}
