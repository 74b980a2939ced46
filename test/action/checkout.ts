import { execFile } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
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
  { place, event, token }: { readonly place: Place; readonly event: Event; readonly token: string },
): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'pilotfish-work-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const workspace = join(root, 'shop/shop');
  await mkdir(workspace, { recursive: true });
  const env = cleanGitEnv(root);
  const git = async (...args: readonly string[]): Promise<unknown> => await run('git', args, { cwd: workspace, env });
  await git('init', '--quiet', '--initial-branch=main', '.');
  const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
  const config = `[remote "origin"]
	url = ${place.server}/${place.repository}
	fetch = +refs/heads/*:refs/remotes/origin/*
[gc]
	auto = 0
[http "${place.server}/"]
	extraheader = AUTHORIZATION: basic ${basic}
`;
  await appendFile(join(workspace, '.git/config'), config);
  const isPull = event.ref.startsWith('refs/pull/');
  const merge = event.ref.replace(/^refs\//, 'refs/remotes/');
  const refs = ['+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*', isPull ? `+${event.sha}:${merge}` : event.sha];
  await git('fetch', '--quiet', '--prune', '--no-recurse-submodules', 'origin', ...refs);
  await git('checkout', '--quiet', '--force', '--detach', event.sha);
  return workspace;
}
