import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { serveS3Objects } from 'pilotfish-sandbox/aws-s3-objects';
import { findCeph, startCeph } from '../real/kit/ceph.ts';
import { findPostgres, startPostgres } from '../real/kit/postgres.ts';
import { cleanGitEnv, startGitRemote } from '../support/git-remote.ts';
import type { S3Place } from '../support/s3-place.ts';

export interface LinearPlace {
  readonly place: string;
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const gitEnv = (root: string): Record<string, string> =>
  Object.fromEntries(Object.entries(cleanGitEnv(root)).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

async function git(): Promise<LinearPlace> {
  const remote = await startGitRemote({ user: 'ci', password: 'word-of-ci' });
  return { place: `git:${remote.urlWithAuth}`, env: gitEnv(tmpdir()), stop: () => remote.stop() };
}

async function gitSha256(): Promise<LinearPlace> {
  const root = await mkdtemp(path.join(tmpdir(), 'pilotfish-linear-'));
  const folder = path.join(root, 'remote.git');
  await promisify(execFile)('git', ['init', '--quiet', '--bare', '--object-format=sha256', folder], { env: gitEnv(root) });
  return { place: `git:${folder}`, env: gitEnv(root), stop: () => rm(root, { recursive: true, force: true }) };
}

async function local(): Promise<LinearPlace> {
  const root = await mkdtemp(path.join(tmpdir(), 'pilotfish-linear-'));
  return { place: `local:${path.join(root, 'ledger')}`, env: {}, stop: () => rm(root, { recursive: true, force: true }) };
}

async function postgres(): Promise<LinearPlace | null> {
  const program = findPostgres();
  if (program === null) return null;
  const server = await startPostgres(program);
  return { place: server.url(), env: {}, stop: () => server.stop() };
}

const inBucket = ({ bucket, port, region, keys }: Omit<S3Place, 'stop'>, stop: () => Promise<void>): LinearPlace => ({
  place: `s3://${bucket}/linear?endpoint=http://127.0.0.1:${port}&region=${region}`,
  env: { ...keys },
  stop,
});

async function s3(): Promise<LinearPlace> {
  const server = await serveS3Objects();
  return inBucket({ port: server.port, region: server.region, bucket: 'ledgers', keys: { ...server.keys.full } }, () => server.stop());
}

async function ceph(): Promise<LinearPlace | null> {
  const program = findCeph();
  if (program === null) return null;
  const server = await startCeph(program);
  return inBucket(server, () => server.stop());
}

/** Each opens a place; `null` where its program is not installed. */
export const places: { readonly [name: string]: () => Promise<LinearPlace | null> } = {
  local,
  git,
  'git-sha256': gitSha256,
  postgres,
  s3,
  ceph,
};
