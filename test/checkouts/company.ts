import { createHash } from 'node:crypto';
import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createWorld, seed } from 'pilotfish-sandbox/all';
import { serve, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { execute, pilotfish } from '../cli/program.ts';
import { cleanGitEnv, startGitRemote } from '../support/git-remote.ts';

export type Company = Awaited<ReturnType<typeof openCompany>>;

/** A program's end: what it wrote and its exit code. */
export type Ended = Awaited<ReturnType<typeof pilotfish>>;

/** One small line: a DNS record of the scope, at a provider that answers to reads at once. */
export const recordPlan = `version: 1
changes:
  - id: dns
    recipe: cloudflare.dns_cname
    zone_id: ${seed.zone.id}
    name: \${ctx.scope}.${seed.zone.name}
    target: cname.vercel-dns.com
`;

/** Providers and a git host on loopback, folders to work in, and the environment of a person who works there. */
export async function openCompany() {
  const root = await mkdtemp(join(tmpdir(), 'pilotfish-company-'));
  const home = join(root, 'home');
  await mkdir(home);
  const world = createWorld();
  const providers = await serve(world.simulations);
  const remote = await startGitRemote({ user: 'dev', password: 'loopback-password', repo: 'acme/shop.git' });
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...cleanGitEnv(home), ...providers.env, ...world.credentials })) {
    if (value !== undefined) env[name] = value;
  }
  return {
    root,
    world,
    remote,
    env,
    /** A new empty folder. */
    folder: (name: string): Promise<string> => mkdtemp(join(root, `${name}-`)),
    async git(cwd: string, ...args: readonly string[]): Promise<string> {
      const ended = await execute('git', args, { cwd, env });
      if (ended.code !== 0) throw new Error(`git ${args.join(' ')}: ${ended.stderr}`);
      return ended.stdout.trim();
    },
    run: (cwd: string, args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Ended> =>
      pilotfish(args, { cwd, env: { ...env, ...more } }),
    /** How many requests providers and git host have seen so far. */
    requests: (): { readonly provider: number; readonly git: number } => ({
      provider: world.simulations.reduce((sum, { log, unhandled }) => sum + log.length + unhandled.length, 0),
      git: remote.count.requests,
    }),
    writes: (): number => world.simulations.reduce((sum, simulation) => sum + simulation.writes().length, 0),
    /** Names of the DNS records of the zone. */
    records: (): readonly unknown[] => world.cloudflare.world.records(seed.zone.id).map((record) => record.name),
    verify: () => verifyHandled(world.simulations),
    async close(): Promise<void> {
      await providers.stop();
      await remote.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Every file below a folder, git's own included, with its mode and a hash of its bytes: equal exactly when nothing changed but the last run. */
export async function bytesOf(folder: string, isLeftOut: (path: string) => boolean = () => false): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const lines = entries.map(async (entry) => {
    const file = join(entry.parentPath, entry.name);
    const path = relative(folder, file);
    if (isLastRun(path) || isLeftOut(path)) return null;
    const { mode } = await lstat(file);
    const content = entry.isFile() ? await readFile(file) : entry.isSymbolicLink() ? await readlink(file) : '';
    return `${path} ${mode.toString(8)} ${createHash('sha256').update(content).digest('hex').slice(0, 16)}`;
  });
  return (await Promise.all(lines)).filter((line) => line !== null).sort();
}

/** What every run keeps, where git does not look: `.pilotfish/last-run/`, with a `.gitignore` of its own. */
const isLastRun = (path: string): boolean => /(^|[\\/])\.pilotfish($|[\\/]last-run($|[\\/]))/.test(path);
