import { Failure } from '../core/errors.ts';
import type { ProgramCall, ProgramEnd } from './program.ts';

export interface GitAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** True where pilotfish ended git because it took too long. */
  readonly timedOut: boolean;
}

export interface GitCall {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input?: string | Buffer;
  readonly timeoutMs?: number;
  /** Bytes of stdout after which git is ended. */
  readonly outLimit?: number;
  /** As in `ProgramCall`. */
  readonly talk?: NonNullable<ProgramCall['talk']>;
  /** Ends git, and rejects with the reason. */
  readonly signal?: AbortSignal;
}

/** Variables by which a hook or a wrapper points git at a repository that we did not name. */
const pointers = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_COMMON_DIR',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
  'GIT_QUARANTINE_PATH',
];

/**
 * Flags of every git that we start. A checkout's configuration names programs that git runs by itself, and the author of the checkout
 * chose them. So these flags forbid hooks and file watchers. They also keep git from taking a folder inside of a checkout for a bare
 * repository: somebody may have committed that folder, with a configuration of its own.
 */
const noPrograms = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'safe.bareRepository=explicit'].flatMap((set) => ['-c', set]);

/** Git asks nobody anything, takes no optional lock, and speaks English, because we read its messages. */
const quiet = {
  GIT_TERMINAL_PROMPT: '0',
  GCM_INTERACTIVE: 'never',
  GIT_ASKPASS: '',
  SSH_ASKPASS: '',
  GIT_OPTIONAL_LOCKS: '0',
  LC_ALL: 'C',
  LANGUAGE: 'C',
};

/**
 * The environment of a git that answers questions about the checkout. This git reaches no remote. Otherwise it would fetch a commit that a
 * partial clone lacks, and the checkout's own configuration may name any program for that.
 */
export function gitInCheckout(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, ...quiet, GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1' };
}

const withoutPointers = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...env,
  ...Object.fromEntries(pointers.map((name) => [name, undefined])),
  ...quiet,
});

/** The environment of a git that works in a repository of our own, named by argument, and reaches no remote. */
export const gitOfOurs = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({ ...withoutPointers(env), GIT_ALLOW_PROTOCOL: 'none' });

/** A git of the person: its environment, and its ssh command where the person configured one. */
export interface PersonsGit {
  readonly env: NodeJS.ProcessEnv;
  readonly sshCommand: string | null;
  /** True where the checkout configures an ssh command too. That one is not used. */
  readonly isOtherSsh: boolean;
}

/**
 * A git that reaches a remote or asks for a credential. It has the configuration of the person and of the machine, with the files that
 * these include for `cwd` alone. It has nothing of the checkout's configuration, where `core.sshCommand`, `credential.helper`,
 * `remote.*.uploadpack` and others name programs. `--git-dir` may name a repository of our own.
 */
export async function gitOfPerson({ cwd, env }: Pick<GitCall, 'cwd' | 'env'>): Promise<PersonsGit> {
  const apart = withoutPointers(env);
  const there = { ...apart, GIT_DIR: '/dev/null', GIT_ALLOW_PROTOCOL: 'file:https:ssh' };
  const all = await entriesOf({ cwd, env: gitInCheckout(env) });
  const here = all.filter(isOfPerson);
  const isSsh = ({ key }: Entry): boolean => key === 'core.sshcommand';
  const ssh = { sshCommand: here.findLast(isSsh)?.value ?? null, isOtherSsh: all.some((entry) => isSsh(entry) && !isOfPerson(entry)) };
  if (!here.some(({ key }) => key.startsWith('includeif.'))) return { env: there, ...ssh };
  // Git reads the person's files by itself, but pilotfish must hand on the files that they include for this folder.
  const known = (await entriesOf({ cwd, env: there })).map(textOf);
  const more = here.filter((entry) => {
    const at = known.indexOf(textOf(entry));
    if (at >= 0) known.splice(at, 1);
    return at < 0 && !entry.key.startsWith('include');
  });
  const first = Number(env.GIT_CONFIG_COUNT) || 0;
  const given = more.flatMap(({ key, value }, i) => [
    [`GIT_CONFIG_KEY_${first + i}`, key],
    [`GIT_CONFIG_VALUE_${first + i}`, value],
  ]);
  return { env: { ...there, ...Object.fromEntries(given), GIT_CONFIG_COUNT: String(first + more.length) }, ...ssh };
}

interface Entry {
  /** `system`, `global`, `local`, `worktree`, or `command` for an entry from the environment. */
  readonly scope: string;
  readonly key: string;
  readonly value: string;
}

const textOf = ({ key, value }: Entry): string => `${key}\n${value}`;

const isOfPerson = ({ scope }: Entry): boolean => ['system', 'global', 'command'].includes(scope);

/** The whole configuration, in its order. Empty for a git before 2.26, which cannot tell the scope of an entry. */
async function entriesOf(call: Pick<GitCall, 'cwd' | 'env'>): Promise<readonly Entry[]> {
  const { stdout } = await runGit(['config', '--list', '--show-scope', '-z'], { ...call, timeoutMs: 10_000 });
  const words = stdout.split('\0');
  return words.flatMap((scope, i) => {
    if (i % 2 === 1 || scope === '') return [];
    // An entry without a value is a switch that is on.
    const [key = '', ...lines] = (words[i + 1] ?? '').split('\n');
    return [{ scope, key, value: lines.length === 0 ? 'true' : lines.join('\n') }];
  });
}

/** Runs the system's git and tells how it ended, with the bytes that it printed. Throws `USAGE` when there is no git. */
export async function endOfGit(args: readonly string[], { timeoutMs = 60_000, ...call }: GitCall): Promise<ProgramEnd> {
  // Only a run that starts a git loads this: outside of a checkout no run does.
  const { runProgram } = await import('./program.ts');
  const end = await runProgram({ ...call, argv: ['git', ...noPrograms, ...args], deadlineMs: timeoutMs });
  if (end.code === null && end.why instanceof Error) throw noGit(end.why);
  return end;
}

/** Runs git and gives its answer as text, whatever the exit code. */
export async function runGit(args: readonly string[], call: GitCall): Promise<GitAnswer> {
  const end = await endOfGit(args, call);
  const isTooMuch = end.code === null && end.why === 'too-much-output';
  return {
    code: end.code ?? -1,
    timedOut: end.code === null && end.why === 'timed-out',
    stdout: end.stdout.toString('utf8'),
    stderr: isTooMuch ? 'its answer is longer than what is read of one' : end.stderr.toString('utf8'),
  };
}

/** Reads `http.<url>.extraheader` from git's configuration and its included files: CI signs its checkouts in by it. `url` without user info. */
export const askExtraHeader = (url: string, { cwd, env }: Pick<GitCall, 'cwd' | 'env'>): Promise<GitAnswer> =>
  runGit(['config', '--get-urlmatch', 'http.extraheader', url], { cwd, env: gitInCheckout(env), timeoutMs: 10_000 });

function noGit(cause: Error): Failure {
  return new Failure('USAGE', {
    detail: `git could not be started (${cause.message}). pilotfish asks it for the repository, its remote and credentials.`,
    fix: 'Install git, put it on the PATH, and run from a folder that exists.',
    cause,
  });
}
