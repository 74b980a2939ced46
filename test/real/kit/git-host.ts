import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cleanGitEnv } from '../../support/git-remote.ts';
import { startLighttpd } from './lighttpd.ts';
import type { Program } from './program.ts';

const run = promisify(execFile);

export interface GitHostOptions {
  readonly program: Program;
  readonly user: string;
  readonly password: string;
  /** Further lines of lighttpd's configuration. */
  readonly config?: string;
}

/** A git host as administrators build it: `git http-backend` as CGI under lighttpd, with Basic credentials in a file. */
export async function startGitHost({ program, user, password, config = '' }: GitHostOptions) {
  const root = await mkdtemp(join(tmpdir(), 'pilotfish-host-'));
  const projects = join(root, 'projects');
  const env = { ...cleanGitEnv(root), GIT_PROJECT_ROOT: projects, GIT_HTTP_EXPORT_ALL: '1' };
  const { stdout } = await run('git', ['--exec-path'], { env });
  const backend = join(stdout.trim(), 'git-http-backend');
  await mkdir(projects);
  await writeFile(join(root, 'users'), `${user}:${password}\n`);
  const server = await startLighttpd({
    program,
    folder: root,
    env,
    modules: ['mod_alias', 'mod_auth', 'mod_authn_file', 'mod_cgi', 'mod_setenv'],
    config: `
alias.url = ( "/git" => "${backend}" )
cgi.assign = ( "" => "" )
setenv.set-environment = ( "GIT_PROJECT_ROOT" => "${projects}", "GIT_HTTP_EXPORT_ALL" => "1", "HOME" => "${root}", "PATH" => "${process.env.PATH}" )
auth.backend = "plain"
auth.backend.plain.userfile = "${join(root, 'users')}"
auth.require = ( "/git/" => ( "method" => "basic", "realm" => "git", "require" => "valid-user" ) )
${config}`,
  });
  let repositories = 0;
  return {
    root,
    host: `127.0.0.1:${server.port}`,
    output: server.output,
    /** A new empty repository. */
    repository: async (objectFormat: 'sha1' | 'sha256' = 'sha1') => {
      repositories += 1;
      const dir = join(projects, `web-${repositories}.git`);
      const git = async (...args: readonly string[]): Promise<string> =>
        (await run('git', ['--git-dir', dir, ...args], { env, maxBuffer: 64 << 20 })).stdout.trim();
      await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', `--object-format=${objectFormat}`, dir], { env });
      await git('config', 'http.receivepack', 'true');
      const path = `/git/web-${repositories}.git`;
      return {
        dir,
        git,
        url: `${server.base}${path}`,
        urlWithAuth: `http://${user}:${password}@127.0.0.1:${server.port}${path}`,
        hook: async (name: string, script: string): Promise<void> => {
          await writeFile(join(dir, 'hooks', name), script);
          await chmod(join(dir, 'hooks', name), 0o755);
        },
      };
    },
    /** An environment of a machine of its own. */
    machine: async (): Promise<NodeJS.ProcessEnv> => cleanGitEnv(await mkdtemp(join(root, 'machine-'))),
    stop: async (): Promise<void> => {
      await server.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}

export type GitHost = Awaited<ReturnType<typeof startGitHost>>;
export type Repository = Awaited<ReturnType<GitHost['repository']>>;
