import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gitBackend, wholeBody } from './backend.ts';
import { type Pushed, pushedIn } from './pushes.ts';

/** A bare repository in a folder, served over smart http behind Basic credentials. */
export interface Repository {
  readonly user: string;
  readonly password: string;
  /** The branches and their commits, as the pushes so far leave them. */
  heads(): readonly Pushed[];
  serve(request: IncomingMessage, response: ServerResponse, rest: string): Promise<void>;
}

/** All of the configuration. It is written at each start, so nothing that a checkout brought along in the folder decides what git does. */
const configuration = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
\thooksPath = /dev/null
[http]
\treceivepack = true
[gc]
\tauto = 0
[receive]
\tautogc = false
`;

/**
 * Opens the repository of a folder, and makes it where there is none. `null` where this machine has no git. Git runs no hook of it
 * and reads no other configuration than ours. `hear` is told of each push before its answer leaves.
 */
export async function openRepository(folder: string, password: string, hear: () => void): Promise<Repository | null> {
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PROJECT_ROOT: dirname(folder),
    GIT_HTTP_EXPORT_ALL: '1',
  };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'config'), configuration);
  for (const name of ['hooks', 'config.worktree', 'objects/info/alternates', 'commondir']) {
    await rm(join(folder, name), { recursive: true, force: true });
  }
  try {
    await promisify(execFile)('git', ['init', '--quiet', '--bare', '--initial-branch=main', '--template=', folder], { env });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const told = await promisify(execFile)(
    'git',
    ['--git-dir', folder, 'for-each-ref', '--format=%(objectname) %(refname:lstrip=2)', 'refs/heads'],
    { env },
  );
  const heads = new Map(
    told.stdout.split('\n').flatMap((line): [string, string][] => (line === '' ? [] : [[line.slice(41), line.slice(0, 40)]])),
  );
  const user = 'sandbox';
  const allowed = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const name = folder.slice(dirname(folder).length + 1);
  return {
    user,
    password,
    heads: () => [...heads].map(([branch, sha]) => ({ branch, sha })),
    serve: async (request, response, rest) => {
      const body = await wholeBody(request);
      if (request.headers.authorization !== allowed) {
        response.writeHead(401, { 'www-authenticate': 'Basic realm="pilotfish-sandbox"' }).end('Sign in first.\n');
        return;
      }
      const answer = await gitBackend(request, body, env, `/${name}${rest}`);
      if (request.method === 'POST' && rest === '/git-receive-pack' && answer.status === 200) {
        for (const { branch, sha } of pushedIn(body)) {
          if (/^0+$/.test(sha)) heads.delete(branch);
          else heads.set(branch, sha);
        }
        hear();
      }
      response.writeHead(answer.status, answer.headers).end(answer.body);
    },
  };
}
