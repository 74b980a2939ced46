import { spawn } from 'node:child_process';
import { Failure } from '../core/errors.ts';

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

/**
 * Runs the system's git and gives its answer, whatever its exit code. Throws `USAGE` when there is no git.
 *
 * It runs in a session of its own: then ssh finds no terminal to ask on, and Ctrl-C in ours does not cut a push short.
 */
export async function runGit(args: readonly string[], call: GitCall): Promise<GitAnswer> {
  return await new Promise((resolve, reject) => {
    const child = spawn('git', args, { cwd: call.cwd, env: call.env, detached: process.platform !== 'win32', windowsHide: true });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    const answer = (code: number, timedOut: boolean): void => {
      clearTimeout(timer);
      resolve({ code, timedOut, stdout: Buffer.concat(out).toString('utf8'), stderr: Buffer.concat(err).toString('utf8') });
    };
    const timer = setTimeout(() => {
      endGroup(child.pid);
      // A helper that git started may keep the pipes open: we stop listening and do not wait for it.
      child.stdout.destroy();
      child.stderr.destroy();
      answer(-1, true);
    }, call.timeoutMs ?? 60_000);
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', (thrown) => {
      clearTimeout(timer);
      reject(noGit(thrown));
    });
    child.on('close', (code) => answer(code ?? -1, false));
    // A git that ends early closes its input; its exit code says why.
    child.stdin.on('error', () => undefined);
    child.stdin.end(call.input ?? '');
  });
}

/** Asks git's configuration for `http.<url>.extraheader`, by which CI signs its checkouts in, also in files that it includes. `url` without user info. */
export const askExtraHeader = (url: string, { cwd, env }: Pick<GitCall, 'cwd' | 'env'>): Promise<GitAnswer> =>
  runGit(['config', '--get-urlmatch', 'http.extraheader', url], { cwd, env: quietGit(env), timeoutMs: 10_000 });

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has just ended by itself.
  }
}

function noGit(cause: Error): Failure {
  return new Failure('USAGE', {
    detail: `git could not be started (${cause.message}). pilotfish asks it for the repository, its remote and credentials.`,
    fix: 'Install git, put it on the PATH, and run from a folder that exists.',
    cause,
  });
}
