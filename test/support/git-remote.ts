import { execFile } from 'node:child_process';
import { appendFile, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gitBackend, wholeBody } from 'pilotfish-sandbox/git/backend';

const run = promisify(execFile);

export interface GitRemoteOptions {
  readonly user: string;
  /** `sha1` by default. */
  readonly objectFormat?: 'sha1' | 'sha256';
  readonly password: string;
  /** Another password of the same user, which may fetch and not push. */
  readonly readOnlyPassword?: string;
  /** Path of the repository in its address; `shop/web.git` by default. */
  readonly repo?: string;
  /** Added to every answer. */
  readonly delayMs?: number;
  /** Hooks of the repository: name → shell script. */
  readonly hooks?: { readonly [name: string]: string };
}

export interface GitRemoteServer {
  /** Without credentials. */
  readonly url: string;
  readonly urlWithAuth: string;
  /** The bare repository. */
  readonly dir: string;
  /** `wants`: those of the fetches that asked for objects, and not only for heads. */
  readonly count: { requests: number; fetches: number; wants: number; pushes: number; refused: number; bytesReceived: number };
  stop(): Promise<void>;
  /** The next push takes effect and its connection breaks before the answer; `afterwards` runs in between. */
  cutNextPushAnswer(afterwards?: () => Promise<void>): void;
  /** Told when the next push arrived and has no effect yet; what it throws keeps the push from having one. Resolves when that push is over. */
  atNextPush(listener: () => Promise<void>): Promise<void>;
  /** The next push is answered with a status and has no effect. */
  answerNextPush(status: number, headers?: { readonly [name: string]: string }): void;
  /** Refuses every push with these words, as a branch rule does; `null` ends that. */
  rejectPushes(text: string | null): Promise<void>;
  /** The system's git in the bare repository. */
  git(...args: readonly string[]): Promise<string>;
}

/** A git host on the loopback: git's own http-backend behind Basic credentials, over a bare repository in a temporary folder. */
export async function startGitRemote(options: GitRemoteOptions): Promise<GitRemoteServer> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'pilotfish-remote-'));
  const repo = options.repo ?? 'shop/web.git';
  const dir = path.join(root, repo);
  const env = { ...cleanGitEnv(root), GIT_PROJECT_ROOT: root, GIT_HTTP_EXPORT_ALL: '1' };
  const git = async (...args: readonly string[]): Promise<string> => (await run('git', ['--git-dir', dir, ...args], { env })).stdout.trim();
  await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', `--object-format=${options.objectFormat ?? 'sha1'}`, dir], {
    env,
  });
  // A repository of one test is neither tidied up nor kept. Written at once: starting a program four times takes longer than all else.
  const config = '[http]\n\treceivepack = true\n[gc]\n\tauto = 0\n[receive]\n\tautogc = false\n[core]\n\tfsync = none\n';
  await appendFile(path.join(dir, 'config'), config);
  for (const [name, script] of Object.entries(options.hooks ?? {})) await writeHook(dir, name, script);

  const count = { requests: 0, fetches: 0, wants: 0, pushes: 0, refused: 0, bytesReceived: 0 };
  const basic = (password: string): string => `basic ${Buffer.from(`${options.user}:${password}`).toString('base64')}`;
  const allowed = basic(options.password);
  const reader = options.readOnlyPassword === undefined ? null : basic(options.readOnlyPassword);
  const nextPush: {
    at: { readonly arrived: () => Promise<void>; readonly over: () => void } | null;
    cut: (() => Promise<void>) | null;
    status: number | null;
    headers: { readonly [name: string]: string };
  } = {
    at: null,
    cut: null,
    status: null,
    headers: {},
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    count.requests += 1;
    const body = await wholeBody(request);
    count.bytesReceived += body.length;
    if (options.delayMs) await new Promise((resolve) => setTimeout(resolve, options.delayMs));
    const given = request.headers.authorization?.replace(/^basic/i, 'basic');
    if (given !== allowed && (given === undefined || given !== reader)) {
      count.refused += 1;
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end('Sign in first.');
      return;
    }
    if (given === reader && request.url?.includes('git-receive-pack')) {
      count.refused += 1;
      response.writeHead(403, { 'content-type': 'text/plain' }).end('Write access to repository not granted.');
      return;
    }
    const isPush = request.method === 'POST' && request.url?.endsWith('/git-receive-pack') === true;
    if (isPush) count.pushes += 1;
    if (!isPush && body.includes('want ')) count.wants += 1;
    if (request.method === 'POST' && request.url?.endsWith('/git-upload-pack')) count.fetches += 1;
    if (isPush && nextPush.status !== null) {
      response.writeHead(nextPush.status, nextPush.headers).end();
      nextPush.status = null;
      return;
    }
    const at = isPush ? nextPush.at : null;
    if (isPush) nextPush.at = null;
    await at?.arrived();
    const answer = await gitBackend(request, body, env).finally(() => at?.over());
    if (isPush && nextPush.cut !== null) {
      const afterwards = nextPush.cut;
      nextPush.cut = null;
      await afterwards();
      request.socket.destroy();
      return;
    }
    response.writeHead(answer.status, answer.headers).end(answer.body);
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((thrown: unknown) => response.writeHead(500).end(String(thrown)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const host = `127.0.0.1:${address.port}`;
  return {
    url: `http://${host}/${repo}`,
    urlWithAuth: `http://${encodeURIComponent(options.user)}:${encodeURIComponent(options.password)}@${host}/${repo}`,
    dir,
    count,
    git,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(root, { recursive: true, force: true });
    },
    cutNextPushAnswer(afterwards = async () => undefined) {
      nextPush.cut = afterwards;
    },
    atNextPush: (listener) =>
      new Promise((resolve) => {
        const arrived = (): Promise<void> =>
          listener().catch((thrown: unknown) => {
            resolve();
            throw thrown;
          });
        nextPush.at = { arrived, over: resolve };
      }),
    answerNextPush(status, headers = {}) {
      nextPush.status = status;
      nextPush.headers = headers;
    },
    async rejectPushes(text) {
      if (text === null) await rm(path.join(dir, 'hooks', 'pre-receive'), { force: true });
      else await writeHook(dir, 'pre-receive', `#!/bin/sh\ncat >&2 <<'END'\n${text}\nEND\nexit 1\n`);
    },
  };
}

/** The compiled program, for all tests of this machine. */
export const compiled: string = path.join(os.tmpdir(), 'pilotfish-tests-compiled');

/** An environment in which git reads no configuration of this machine's user. */
export function cleanGitEnv(home: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, '.config'),
    XDG_CACHE_HOME: path.join(home, '.cache'),
    // A home of its own would have every process compile the program anew.
    NODE_COMPILE_CACHE: compiled,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'Tester',
    GIT_AUTHOR_EMAIL: 'tester@localhost',
    GIT_COMMITTER_NAME: 'Tester',
    GIT_COMMITTER_EMAIL: 'tester@localhost',
  };
}

async function writeHook(dir: string, name: string, script: string): Promise<void> {
  const file = path.join(dir, 'hooks', name);
  await writeFile(file, script);
  await chmod(file, 0o755);
}
