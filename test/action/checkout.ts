import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestContext } from 'vitest';
import { cleanGitEnv } from '../support/git-remote.ts';
import type { Event, Place } from './events.ts';

const run = promisify(execFile);

/**
 * A workspace as `actions/checkout` leaves it with `fetch-depth: 0`: every branch and tag, the commit of the event detached, and the
 * job's token as a header of git's own configuration.
 */
export async function checkout(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  o: {
    readonly place: Place;
    readonly event: Event;
    readonly token: string;
    /** `persist-credentials: false` leaves none behind. */
    readonly keepsCredential?: boolean;
  },
): Promise<string> {
  const { place, event, token, keepsCredential = true } = o;
  const root = await mkdtemp(join(tmpdir(), 'pilotfish-work-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const workspace = join(root, 'shop/shop');
  await mkdir(workspace, { recursive: true });
  const env = cleanGitEnv(root);
  const git = async (...args: readonly string[]): Promise<unknown> => await run('git', args, { cwd: workspace, env });
  await git('init', '--quiet', '--initial-branch=main', '.');
  const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
  const remote = [`[remote "origin"]`, `\turl = ${place.server}/${place.repository}`, '\tfetch = +refs/heads/*:refs/remotes/origin/*'];
  const signIn = [`[http "${place.server}/"]`, `\textraheader = AUTHORIZATION: basic ${basic}`];
  const config = join(workspace, '.git/config');
  const bare = await readFile(config, 'utf8');
  const write = async (...more: readonly string[]): Promise<void> => await writeFile(config, `${bare}${more.join('\n')}\n`);
  await write(...remote, ...signIn);
  const isPull = event.ref.startsWith('refs/pull/');
  const merge = event.ref.replace(/^refs\//, 'refs/remotes/');
  const refs = ['+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*', isPull ? `+${event.sha}:${merge}` : event.sha];
  await git('fetch', '--quiet', '--prune', '--no-recurse-submodules', 'origin', ...refs);
  await git('checkout', '--quiet', '--force', '--detach', event.sha);
  if (!keepsCredential) await write(...remote);
  return workspace;
}
