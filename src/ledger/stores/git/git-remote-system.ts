import { bounds, inMb } from '../../../core/bounds.ts';
import type { Clock } from '../../../core/clock.ts';
import { Failure } from '../../../core/errors.ts';
import { once } from '../../../core/once.ts';
import { type GitAnswer, type GitCall, gitOfPerson, type PersonsGit, runGit } from '../../../platform/git-system.ts';
import { stripUserinfo } from '../../../platform/git-url.ts';
import { RemoteTrouble } from '../patience.ts';
import { tooLarge } from '../too-large.ts';
import type { GitCache } from './git-cache.ts';
import type { GitCredentials } from './git-credentials.ts';
import { formatOf, type ObjectFormat, OtherFormat } from './git-format.ts';
import { frugal, frugally } from './git-frugal.ts';
import type { Hush } from './git-hush.ts';
import { keptPacked, withinPack } from './git-incoming.ts';
import type { Head } from './git-many-trees.ts';
import { type Refuser, refusal } from './git-refusal.ts';
import { type GitRemote, type Push, type PushOutcome, type Refused, seenRef } from './git-remote.ts';
import { packOf } from './git-stream.ts';
import { mayPassLater, signedIn, statusIn } from './git-web-words.ts';

export interface SystemRemoteOptions {
  /** As the user configured it: ssh or a folder, or http without user info. */
  readonly url: string;
  /** Of the cache, and so of the remote. */
  readonly format: ObjectFormat;
  /** Of a remote over http; `null` for the others, where git itself signs in. */
  readonly credentials: GitCredentials | null;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly cache: () => Promise<GitCache>;
  readonly clock: Clock;
  readonly hush: Hush;
}

/** Git starts no tidying in a cache of ours. */
const alone = ['-c', 'gc.auto=0', '-c', 'maintenance.auto=false', ...frugally];

/** Heads by ref, or the error that kept a ref away. A ref that the remote lacks has no entry. */
type Brought = ReadonlyMap<string, string | Error>;

/** Prefixes of refs, and the answer: the parts of each line. */
interface Question {
  readonly prefixes: Set<string>;
  readonly lines: Promise<readonly (readonly string[])[]>;
}

/** A remote over ssh or in a folder, or one with SHA-256 over http, by the system's git working on the cache repository. */
export class SystemRemote implements GitRemote {
  readonly #o: SystemRemoteOptions;
  readonly #refuser: Refuser;
  readonly #person: () => Promise<PersonsGit>;
  /** Fetches that have not begun, by depth. */
  readonly #waiting = new Map<number, { readonly wanted: Set<string>; readonly brought: Promise<Brought> }>();
  #fetching: Promise<unknown> = Promise.resolve();
  /** A question for heads that was not sent yet. */
  #asking: Question | null = null;

  constructor(options: SystemRemoteOptions) {
    this.#o = options;
    this.#refuser = { location: stripUserinfo(options.url), hush: options.hush };
    this.#person = once(() => withoutQuestions(options));
  }

  /** Questions of the same moment share one connection. */
  async heads(prefix: string): Promise<ReadonlyMap<string, string>> {
    this.#asking ??= this.#nextQuestion();
    const { prefixes, lines } = this.#asking;
    prefixes.add(prefix);
    const told = await lines;
    const [oid = ''] = told[0] ?? [];
    if (oid !== '' && formatOf(oid) !== this.#o.format) throw new OtherFormat(formatOf(oid));
    return new Map(told.flatMap(([head, ref]) => (head && ref?.startsWith(prefix) ? [[ref, head] as const] : [])));
  }

  #nextQuestion(): Question {
    const prefixes = new Set<string>();
    const lines = new Promise<void>((resolve) => setImmediate(resolve)).then(async () => {
      this.#asking = null;
      const answer = await this.#reach(['ls-remote', '--quiet', '--', this.#o.url, ...[...prefixes].map((prefix) => `${prefix}*`)]);
      if (answer.code !== 0) throw await this.#failed(answer);
      return answer.stdout.split('\n').map((line) => line.split('\t'));
    });
    return { prefixes, lines };
  }

  /** Git lets only one fetch at a time cut history in a repository. So refs that are asked for meanwhile share one fetch and one connection. */
  async fetch(ref: string, depth: number): Promise<string | null> {
    const { wanted, brought } = this.#waiting.get(depth) ?? this.#nextFetch(depth);
    wanted.add(ref);
    const head = (await brought).get(ref) ?? null;
    if (head instanceof Error) throw head;
    return head;
  }

  async bring(oid: string): Promise<boolean> {
    if (formatOf(oid) !== this.#o.format) {
      // The refs of a remote tell its format, and a greeting over http does. Another remote without refs may have either.
      const { size } = await this.heads('');
      if (size === 0 && this.#o.credentials === null) throw new OtherFormat(formatOf(oid));
      return false;
    }
    const brought = this.#fetching.then(() =>
      this.#reach(['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--depth=1', '--', this.#o.url, oid]),
    );
    this.#fetching = brought.catch(() => undefined);
    return (await brought).code === 0;
  }

  /** Git reads the names of the refs from its stdin and writes none of them: a ref is a file, and thousands of files cost seconds. */
  async bringAll(heads: readonly Head[], into: GitCache): Promise<boolean> {
    const input = heads.map(({ ref }) => `+${ref}\n`).join('');
    const fetch = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--depth=1', '--stdin', '--', this.#o.url];
    const work = (signal: AbortSignal): Promise<GitAnswer> =>
      this.#signingIn((env) =>
        runGit([`--git-dir=${into.gitdir}`, ...alone, ...keptPacked, ...fetch], {
          ...{ signal, input, cwd: this.#o.cwd, env: frugal(env, 64), timeoutMs: 120_000 },
        }),
      );
    const answer = await withinPack(into, work, packOf(heads.length));
    if (answer.code !== 0) throw await this.#failed(answer);
    return true;
  }

  async held(oid: string): Promise<string | null> {
    if (!(await this.bring(oid))) return null;
    const answer = await this.#git(['cat-file', 'commit', oid]);
    return answer.code === 0 ? answer.stdout : null;
  }

  async push({ ref, expect, to }: Push): Promise<PushOutcome | Refused> {
    if (to) await (await this.#o.cache()).put(to.objects);
    const lease = `--force-with-lease=${ref}:${expect ?? ''}`;
    // With a lease git moves a ref only from the expected head; our commit is its child, so this is a fast-forward.
    const answer = await this.#reach(['push', '--porcelain', '--no-verify', lease, '--', this.#o.url, `${to?.oid ?? ''}:${ref}`]);
    return answer.code === 0 ? 'landed' : await this.#refused(answer);
  }

  #nextFetch(depth: number): { readonly wanted: Set<string>; readonly brought: Promise<Brought> } {
    const wanted = new Set<string>();
    const brought = this.#fetching.then(() => {
      this.#waiting.delete(depth);
      return this.#bring([...wanted], depth);
    });
    this.#fetching = brought.catch(() => undefined);
    const next = { wanted, brought };
    this.#waiting.set(depth, next);
    return next;
  }

  async #bring(wanted: readonly string[], depth: number): Promise<Brought> {
    const answer = await this.#fetchAll(wanted, depth).catch((thrown: unknown) => {
      if (thrown instanceof Failure) return thrown;
      throw thrown;
    });
    if (answer.code === 0) {
      const heads = (await this.#git(['rev-parse', ...wanted.map(seenRef)])).stdout.trim().split('\n');
      return new Map(wanted.map((ref, i) => [ref, heads[i] ?? '']));
    }
    const failure = answer instanceof Failure ? answer : isMissing(answer) ? null : await this.#failed(answer);
    if (failure instanceof RemoteTrouble || failure instanceof OtherFormat) throw failure;
    const [ref] = wanted;
    if (wanted.length === 1 && ref !== undefined) return new Map(failure === null ? [] : [[ref, failure]]);
    // Git fetches all or none: a damaged ref must not keep the others away.
    const each = new Map<string, string | Error>();
    for (const one of wanted) for (const [name, head] of await this.#bring([one], depth)) each.set(name, head);
    return each;
  }

  async #fetchAll(wanted: readonly string[], depth: number): Promise<GitAnswer> {
    const specs = wanted.map((ref) => `+${ref}:${seenRef(ref)}`);
    for (let attempt = 1; ; attempt += 1) {
      const cache = await this.#o.cache();
      const fetch = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', `--depth=${depth}`, '--', this.#o.url, ...specs];
      const answer = await withinPack(cache, (signal) => this.#reach([...keptPacked, ...fetch], { signal }));
      if (/attempting to allocate/.test(answer.stderr))
        throw tooLarge('a part of its newest commits takes more memory', `${inMb(bounds.file)} for a file`);
      const isBusy = /\.lock': File exists|cannot lock ref 'refs\/seen\/|shallow file has changed/.test(answer.stderr);
      if (answer.code === 0 || !isBusy) return answer;
      // A killed git left a lock that stays, so the store takes a new cache.
      if (attempt === 8) throw new Error(answer.stderr);
      await this.#o.clock.sleep(100 * attempt);
    }
  }

  async #failed(answer: GitAnswer): Promise<Error> {
    const error = await this.#troubleOf(answer, false);
    const isAboutSsh = error instanceof Failure && /permission denied|host key verification/i.test(answer.stderr);
    if (!isAboutSsh || !(await this.#person()).isOtherSsh) return error;
    return new Failure(error.code, {
      detail: `${error.detail} pilotfish did not use the \`core.sshCommand\` of this checkout, because the author of the checkout chose that program.`,
      fix: 'If the command is yours, set GIT_SSH_COMMAND to it, or put it into your own git configuration.',
      cause: error,
    });
  }

  /** Takes the remote's words about the one pushed ref from git's answer. Throws when the remote said nothing of it. */
  async #refused(answer: GitAnswer): Promise<Refused> {
    const line = answer.stdout.split('\n').find((text) => text.startsWith('!')) ?? '';
    const words = `${line.slice(1).replace(/^\s*\S+\s+/, '')} ${answer.stderr}`;
    // `[rejected]`: git itself has seen another head. `[remote failure]` is no answer: the remote went away after it had everything.
    if (/\[(remote )?rejected\]/.test(line) && !isOurDamage(answer.stderr)) return { refused: plain(words) };
    throw await this.#troubleOf({ ...answer, stderr: words }, !/\[(remote )?rejected\]/.test(line));
  }

  /** A connection that failed may work next time, and so may a host that is busy. All else that git reports will not. */
  async #troubleOf(answer: GitAnswer, wasSent: boolean): Promise<Error> {
    const words = plain(answer.stderr);
    // The store takes a new cache after this error.
    if (isOurDamage(answer.stderr)) return new Error(words);
    if (isOtherFormat.test(words)) return new OtherFormat(this.#o.format === 'sha1' ? 'sha256' : 'sha1');
    if (answer.timedOut) return new RemoteTrouble('git did not answer in time', { wasSent });
    const status = this.#o.credentials === null ? null : statusIn(words);
    if (status !== null && mayPassLater(status))
      return new RemoteTrouble(`it answered ${status}`, {
        wasSent: wasSent && status !== 429,
        retryAfterMs: status === 429 ? 1_000 : null,
      });
    if (status === null && isConnection.test(words) && !isRefused.test(words)) return new RemoteTrouble(words, { wasSent });
    return await refusal(this.#refuser, words, status);
  }

  /** Runs a git that asks the remote, in the cache repository. */
  #reach(args: readonly string[], call: Pick<GitCall, 'signal'> = {}): Promise<GitAnswer> {
    return this.#signingIn((env) => this.#git(args, { ...call, env }));
  }

  /** Over http git runs with each credential until the remote takes one. */
  async #signingIn(run: (env: NodeJS.ProcessEnv) => Promise<GitAnswer>): Promise<GitAnswer> {
    const { url, credentials } = this.#o;
    const { env } = await this.#person();
    if (credentials === null) return await run(env);
    for (;;) {
      const signIn = await credentials.current();
      const answer = await run(signedIn(env, url, signIn));
      const status = answer.code === 0 ? null : statusIn(answer.stderr);
      const isAboutAccess = status !== null && [401, 403, 404].includes(status);
      if (!isAboutAccess || !(await credentials.refused(status, signIn))) return answer;
    }
  }

  async #git(args: readonly string[], call: Partial<Pick<GitCall, 'signal' | 'env'>> = {}): Promise<GitAnswer> {
    const { env } = await this.#person();
    const { gitdir } = await this.#o.cache();
    return runGit([`--git-dir=${gitdir}`, ...alone, ...args], {
      env,
      ...call,
      cwd: this.#o.cwd,
      timeoutMs: 120_000,
      outLimit: bounds.pack,
    });
  }
}

const isMissing = ({ stderr }: GitAnswer): boolean => /couldn't find remote ref/i.test(stderr);

const plain = (words: string): string =>
  words
    .replace(/^(hint|warning): .*$/gm, '')
    .replace(/^error: failed to push some refs to .*$/gm, '')
    .trim();

/** The cache repository is damaged, or another process has just removed it. Words of the remote about its own repository begin with `remote:`. */
const isOurDamage = (words: string): boolean =>
  /^(?!remote: ).*(bad object|loose object .* is corrupt|unable to read (tree|sha1)|not a git repository: )/im.test(words);

const isConnection =
  /could not resolve|failed to connect|connection (refused|reset|timed out|closed)|timed out|network is unreachable|no route to host|hung up|early eof|broken pipe|kex_exchange|remote failure/i;
const isRefused = /permission denied|host key verification|does not appear to be a git repository/i;

/** Git tells of the other format at a fetch, at a push, and at a push to an empty repository. */
const isOtherFormat = /mismatched algorithms: |does not support this repository's hash algorithm|protocol error: unexpected capabilities\^/;

/** Keeps ssh from asking, too. The person's own ssh command stays as it is. */
async function withoutQuestions(options: SystemRemoteOptions): Promise<PersonsGit> {
  const { env, sshCommand, isOtherSsh } = await gitOfPerson(options);
  const command = env.GIT_SSH_COMMAND || env.GIT_SSH ? null : (sshCommand ?? 'ssh -o BatchMode=yes -o ConnectTimeout=15');
  return { env: { ...frugal(env), ...(command !== null && { GIT_SSH_COMMAND: command }) }, sshCommand, isOtherSsh };
}
