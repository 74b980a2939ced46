import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createWorld, type World } from 'pilotfish-sandbox/all';
import { serve } from 'pilotfish-sandbox/kit/index';
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
  /** Values that only `env` may hold. */
  readonly secrets: readonly string[];
  readonly remote: Awaited<ReturnType<typeof startGitRemote>>;
  /** A new empty clone without the plan file. */
  emptyClone(): Promise<string>;
  stop(): Promise<void>;
}

/** Starts the providers and the git host on loopback, and pushes a branch as its author would. */
export async function startTeam(): Promise<Team> {
  const cleanups: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  };
  try {
    return { ...(await openTeam(cleanups)), stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

async function openTeam(cleanups: (() => Promise<unknown>)[]): Promise<Omit<Team, 'stop'>> {
  const root = await mkdtemp(join(tmpdir(), 'pilotfish-demo-'));
  cleanups.push(() => rm(root, { recursive: true, force: true }));
  const world = createWorld();
  const providers = await serve(world.simulations);
  cleanups.push(() => providers.stop());
  const password = 'demo-remote-password';
  const remote = await startGitRemote({ user: 'demo', password, repo: 'acme/shop.git' });
  cleanups.push(() => remote.stop());
  // The token's audience follows the tenant's address, which is a loopback one here.
  world.auth0.world.state.audiences.push(`${providers.base('auth0')}/`);

  const home = join(root, 'home');
  await mkdir(home);
  const credentials = { ...world.credentials, PREVIEW_WEBHOOK_SECRET: 'preview-webhook-key-4f1d9a' };
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...cleanGitEnv(home), ...providers.env, ...credentials })) {
    if (value !== undefined) env[name] = value;
  }

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
    // A client id is no secret, and the token endpoint's answer is one.
    secrets: [password, ...Object.entries(credentials).flatMap(([name, value]) => (name === 'AUTH0_CLIENT_ID' ? [] : [value]))],
    remote,
    emptyClone: async () => {
      const folder = join(root, 'elsewhere');
      await git(root, 'init', '--quiet', folder);
      await git(folder, 'remote', 'add', 'origin', remote.urlWithAuth);
      return folder;
    },
  };
}
