import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { createWorld, type World } from 'pilotfish-sandbox/all';
import { gitlab } from 'pilotfish-sandbox/gitlab';
import { serve, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { binary, type Ended, execute } from '../cli/program.ts';
import { standing, whatOthersMade } from '../demo/standing.ts';
import { ledgerOf, locksLeft } from '../e2e/scene.ts';
import { cleanGitEnv, startGitRemote } from '../support/git-remote.ts';

const run = promisify(execFile);

/** A few objects at as many providers as a shop has, and an entry of a list that previews share. */
const plan = `version: 1
providers:
  http:
    auth0: {}
    unleash: {}
changes:
  - { id: database, adapter: neon, op: branch, project_id: quiet-river-12345678, name: "shop-\${ctx.scope}" }
  - { id: database-url, environments: [preview], adapter: vercel, op: env, project: shop, key: DATABASE_URL, value: { from: database.connection_uri }, git_branch: "\${ctx.git.branch}" }
  - { id: dns, recipe: cloudflare.dns_cname, zone_id: 5f0c1d2e3b4a59687786a5b4c3d2e1f0, name: "\${ctx.scope}.preview.acme.example", target: cname.vercel-dns.com }
  - { id: sign-in, recipe: auth0.callback_url, client_id: shopWebAbCdEfGhIjKlMnOpQrStUvWxY, url: "https://\${ctx.scope}.preview.acme.example/callback" }
  - { id: flag, recipe: unleash.flag_strategy, project: shop, feature: checkout, environment: development, title: "shop \${ctx.scope}", parameters: { commit: "\${ctx.git.sha}" } }
`;

export type Project = Awaited<ReturnType<typeof openProject>>;

/** A team's accounts and its project on GitLab, all on loopback: the API, the repository, and folders for the jobs of its runner. */
export async function openProject(cleanUp: (end: () => Promise<unknown>) => void, o: { readonly pushesWith?: 'project' | 'job' } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'pilotfish-ci-'));
  cleanUp(() => rm(folder, { recursive: true, force: true }));
  const world: World = createWorld();
  const host = gitlab();
  const simulations = [...world.simulations, host];
  const served = await serve(simulations);
  cleanUp(() => served.stop());
  // A project access token, with any user name beside it; or the job's own, where the project allows that.
  const signIn =
    o.pushesWith === 'job'
      ? { user: 'gitlab-ci-token', password: host.world.otherTokens.job }
      : { user: 'oauth2', password: host.tokens.full };
  const remote = await startGitRemote({ ...signIn, repo: 'acme/shop.git' });
  cleanUp(() => remote.stop());
  world.auth0.world.state.audiences.push(`${served.base('auth0')}/`);
  whatOthersMade(world);

  const home = join(folder, 'home');
  const programs = join(folder, 'bin');
  await Promise.all([mkdir(home), mkdir(programs)]);
  // In place of the registry: the package's program as it was built. What stands before its own arguments is for npx.
  await writeFile(
    join(programs, 'npx'),
    `#!/bin/sh\ncase "$1 $2" in "--yes pilotfish@"*) shift 2 ;; *) exit 64 ;; esac\nexec "${process.execPath}" "${binary}" "$@"\n`,
  );
  await chmod(join(programs, 'npx'), 0o755);
  const machineOf = (home: string): NodeJS.ProcessEnv => ({
    ...cleanGitEnv(home),
    PATH: `${programs}${delimiter}${process.env.PATH ?? ''}`,
    TMPDIR: folder,
  });
  // What a project stores as its CI/CD variables, and where the providers are here.
  const { GITHUB_TOKEN: _, ...credentials } = world.credentials;
  const { GITHUB_API_URL: _api, ...addresses } = served.env;
  const stored = { ...addresses, ...credentials, GITLAB_TOKEN: host.tokens.full };

  const author = join(folder, 'author');
  const git = async (cwd: string, ...args: readonly string[]): Promise<string> =>
    (await run('git', args, { cwd, env: machineOf(home) })).stdout.trim();
  await git(folder, 'init', '--quiet', '--initial-branch=main', author);
  await writeFile(join(author, 'release.plan.yaml'), plan);
  await git(author, 'add', '.');
  await git(author, 'commit', '--quiet', '-m', 'The plan');
  await git(author, 'push', '--quiet', remote.urlWithAuth, 'main');

  let folders = 0;
  return {
    world,
    host,
    remote,
    git,
    stored,
    apiUrl: served.base('gitlab'),
    secrets: Object.values(credentials).concat(host.tokens.full),
    standing: () => standing({ world }),
    /** A commit at the head of a branch, made by its author and pushed; `onto` is where it begins, also away from what was there. */
    async push(branch: string, text: string, onto = 'main'): Promise<string> {
      await git(author, 'checkout', '--quiet', '-B', branch, onto);
      await writeFile(join(author, 'shop.txt'), text);
      await git(author, 'add', '.');
      await git(author, 'commit', '--quiet', '-m', text);
      await git(author, 'push', '--quiet', '--force', remote.urlWithAuth, branch);
      const head = await git(author, 'rev-parse', 'HEAD');
      // Its variables can name a branch that the host has seen.
      world.vercel.world.push(branch, head);
      return head;
    },
    /** A checkout as the runner leaves it: on no branch, with the token of the job in the address. `null`: it fetched nothing. */
    async checkout(commit: string | null): Promise<string> {
      const at = join(folder, `job-${++folders}`);
      await mkdir(at);
      if (commit === null) return at;
      await git(at, 'init', '--quiet');
      await git(at, 'remote', 'add', 'origin', remote.url.replace('://', '://gitlab-ci-token:of-the-job@'));
      await git(at, 'fetch', '--quiet', remote.urlWithAuth, '+refs/heads/*:refs/remotes/origin/*');
      await git(at, 'checkout', '--quiet', '--detach', commit);
      return at;
    },
    /** The lines of a script in one shell that ends at the first failure, as the runner gives them to it. */
    shell: async (
      lines: readonly string[],
      o: { readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly shell?: readonly string[] },
    ): Promise<Ended> => {
      const [program = 'bash', ...flags] = o.shell ?? ['bash', '-eo', 'pipefail'];
      // Every job has a machine of its own, which remembers nothing.
      const home = `${o.cwd}-home`;
      await mkdir(home, { recursive: true });
      const machine = machineOf(home);
      return await execute(program, [...flags, '-c', lines.join('\n')], { cwd: o.cwd, env: { ...machine, ...o.env } });
    },
    ledger: async (scope: string, environment = 'preview') => await ledgerOf(remote, `pilotfish-receipts/${environment}/${scope}`),
    locksLeft: async () => await locksLeft(remote),
    /** How many writes went to providers so far; notes are none. */
    writes: () => world.simulations.reduce((sum, one) => sum + one.writes().filter(({ path }) => !path.endsWith('/oauth/token')).length, 0),
    requests: () => world.simulations.reduce((sum, one) => sum + one.log.length, 0),
    /** Nobody asked for what no simulation serves. */
    verify: () => verifyHandled(simulations),
  };
}
