import { Failure } from '../core/errors.ts';
import type { ProgramEnd } from './program.ts';

export interface GitAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Ended by us, because it took longer than allowed. */
  readonly timedOut: boolean;
}

export interface GitCall {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input?: string;
  readonly timeoutMs?: number;
  /** Bytes of stdout after which it is ended. */
  readonly outLimit?: number;
  /** Ends it, and rejects with the reason. */
  readonly signal?: AbortSignal;
}

/** Variables by which a hook or a wrapper points git at another repository than the one we name. */
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

/** The environment of every git that we start: it asks nobody anything and speaks English, because we read its messages. */
export function quietGit(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, GIT_TERMINAL_PROMPT: '0', GCM_INTERACTIVE: 'never', GIT_ASKPASS: '', SSH_ASKPASS: '', LC_ALL: 'C', LANGUAGE: 'C' };
}

/** The same, for a repository that is named by argument. */
export function quietGitElsewhere(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...quietGit(env), ...Object.fromEntries(pointers.map((name) => [name, undefined])) };
}

/** Runs the system's git and tells how it ended, with the bytes that it printed. Throws `USAGE` when there is no git. */
export async function endOfGit(args: readonly string[], { timeoutMs = 60_000, ...call }: GitCall): Promise<ProgramEnd> {
  // Loaded by a run that starts a git: outside of a checkout none does.
  const { runProgram } = await import('./program.ts');
  const end = await runProgram({ ...call, argv: ['git', ...args], deadlineMs: timeoutMs });
  if (end.code === null && end.why instanceof Error) throw noGit(end.why);
  return end;
}

/** The same as an answer in text, whatever the exit code. */
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

/** Asks git's configuration for `http.<url>.extraheader`, by which CI signs its checkouts in, also in files that it includes. `url` without user info. */
export const askExtraHeader = (url: string, { cwd, env }: Pick<GitCall, 'cwd' | 'env'>): Promise<GitAnswer> =>
  runGit(['config', '--get-urlmatch', 'http.extraheader', url], { cwd, env: quietGit(env), timeoutMs: 10_000 });

function noGit(cause: Error): Failure {
  return new Failure('USAGE', {
    detail: `git could not be started (${cause.message}). pilotfish asks it for the repository, its remote and credentials.`,
    fix: 'Install git, put it on the PATH, and run from a folder that exists.',
    cause,
  });
}
