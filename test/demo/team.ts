import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createWorld, type World } from '../simulate/all.ts';
import { serve } from '../simulate/kit/index.ts';
import { cleanGitEnv, startGitRemote } from '../support/git-remote.ts';

const run = promisify(execFile);

/** A team's accounts, its git host and its checkout, all of them on this machine and for one run of the demo. */
export interface Team {
  readonly world: World;
  /** The checkout, with the plan of `examples/preview` committed on the branch `feature/checkout`. */
  readonly checkout: string;
  readonly branch: string;
  readonly sha: string;
  /** What a person or a job has in its environment: credentials, addresses of the providers, a home of its own. */
  readonly env: Readonly<Record<string, string>>;
  readonly remote: Awaited<ReturnType<typeof startGitRemote>>;
  /** A new empty clone without the plan file. */
  emptyClone(): Promise<string>;
  stop(): Promise<void>;
}

/** Starts the providers and the git host on loopback, and pushes a branch as its author would. */
export async function startTeam(): Promise<Team> {
  const root = await mkdtemp(join(tmpdir(), 'pilotfish-demo-'));
  const world = createWorld();
  const providers = await serve(world.simulations);
  const remote = await startGitRemote({ user: 'demo', password: 'demo-remote-password', repo: 'acme/shop.git' });
  // The token's audience follows the tenant's address, which is a loopback one here.
  world.auth0.world.state.audiences.push(`${providers.base('auth0')}/`);

  const home = join(root, 'home');
  await mkdir(home);
  const env: Record<string, string> = {};
  const all = { ...cleanGitEnv(home), ...providers.env, ...world.credentials, PREVIEW_WEBHOOK_SECRET: 'whsec-preview-4f1d9a' };
  for (const [name, value] of Object.entries(all)) if (value !== undefined) env[name] = value;

  const branch = 'feature/checkout';
  const checkout = join(root, 'shop');
  const git = async (cwd: string, ...args: readonly string[]): Promise<string> => (await run('git', args, { cwd, env })).stdout.trim();
  await git(root, 'init', '--quiet', '--initial-branch=main', checkout);
  await cp(join(import.meta.dirname, '../../examples/preview/release.plan.yaml'), join(checkout, 'release.plan.yaml'));
  await git(checkout, 'remote', 'add', 'origin', remote.urlWithAuth);
  await git(checkout, 'checkout', '--quiet', '-b', branch);
  await git(checkout, 'add', '.');
  await git(checkout, 'commit', '--quiet', '-m', 'A new checkout');
  await git(checkout, 'push', '--quiet', 'origin', branch);
  const sha = await git(checkout, 'rev-parse', 'HEAD');
  // The host's git integration builds at once, with the variables of that moment.
  world.vercel.world.push(branch, sha);

  return {
    world,
    checkout,
    branch,
    sha,
    env,
    remote,
    emptyClone: async () => {
      const folder = join(root, 'elsewhere');
      await git(root, 'init', '--quiet', folder);
      await git(folder, 'remote', 'add', 'origin', remote.urlWithAuth);
      return folder;
    },
    stop: async () => {
      await providers.stop();
      await remote.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}
