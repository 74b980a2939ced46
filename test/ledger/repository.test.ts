import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { inspect, promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { PlannedReceipts } from '../../src/core/receipts-place.ts';
import { openStore } from '../../src/ledger/stores/open-store.ts';
import { repositoryFacts } from '../../src/platform/checkout.ts';
import { cleanGitEnv } from '../support/git-remote.ts';

const run = promisify(execFile);
let root: string;
let top: string;
let env: NodeJS.ProcessEnv;
const git = async (cwd: string, ...args: string[]): Promise<string> => (await run('git', args, { cwd, env })).stdout.trim();

beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'pilotfish-repo-')));
  top = path.join(root, 'work');
  env = cleanGitEnv(root);
  await run('git', ['init', '--quiet', '--initial-branch=main', top], { env });
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function commit(times = 1): Promise<string> {
  for (let i = 0; i < times; i += 1) await git(top, 'commit', '--quiet', '--allow-empty', '--message', `commit ${i}`);
  return git(top, 'rev-parse', 'HEAD');
}

it('is null outside a repository', async () => {
  expect(await repositoryFacts(root, env)).toBeNull();
});

it('knows a new repository without commits and remotes', async () => {
  const gitDir = path.join(top, '.git');
  expect(await repositoryFacts(top, env)).toEqual({
    objectFormat: 'sha1',
    top,
    gitDir,
    commonDir: gitDir,
    remoteUrl: null,
    remote: null,
    sha: null,
    branch: 'main',
    shallow: false,
    slug: null,
  });
});

it('finds the top from a folder below it, and the commit and the remote without user info', async () => {
  const sha = await commit();
  await git(top, 'remote', 'add', 'origin', 'https://ci:word@example.org/shop/web.git');
  await git(top, 'remote', 'add', 'fork', 'https://example.org/me/web.git');
  const below = path.join(top, 'apps', 'web');
  await mkdir(below, { recursive: true });
  const facts = await repositoryFacts(below, env);
  expect(facts).toMatchObject({ top, sha, branch: 'main', remoteUrl: 'https://example.org/shop/web.git', slug: 'shop/web' });
  expect(facts?.remote?.reveal()).toBe('https://ci:word@example.org/shop/web.git');
  expect(JSON.stringify(facts)).not.toContain('word');
});

it('takes the only remote, none of several without an origin, and a path below the repository', async () => {
  await git(top, 'remote', 'add', 'upstream', '../remote.git');
  expect((await repositoryFacts(top, env))?.remoteUrl).toBe(path.join(root, 'remote.git'));
  await git(top, 'remote', 'add', 'other', 'https://example.org/o/r.git');
  expect((await repositoryFacts(top, env))?.remoteUrl).toBeNull();
});

it('takes the address that can be written where both lead to one repository', async () => {
  await git(top, 'remote', 'add', 'origin', 'https://example.org/o/r.git');
  await git(top, 'remote', 'set-url', '--push', 'origin', 'git@example.org:o/r.git');
  expect((await repositoryFacts(top, env))?.remoteUrl).toBe('git@example.org:o/r.git');
  await git(top, 'remote', 'set-url', '--push', 'origin', 'git@example.org:fork/r.git');
  expect((await repositoryFacts(top, env))?.remoteUrl).toBe('https://example.org/o/r.git');
});

it('reads addresses as git would use them: rewritten, and the first of several', async () => {
  await git(top, 'remote', 'add', 'origin', 'https://example.org/o/r.git');
  await git(top, 'config', '--add', 'remote.origin.url', 'https://example.org/second/r.git');
  await git(top, 'config', '--add', 'remote.origin.pushurl', 'https://example.org/o/r.git');
  await git(top, 'config', '--add', 'remote.origin.pushurl', 'https://example.org/mirror/r.git');
  await git(top, 'config', 'remote.origin.partialclonefilter', 'blob:none');
  expect((await repositoryFacts(top, env))?.remoteUrl).toBe('https://example.org/o/r.git');
  await git(top, 'config', 'url.git@example.org:.pushInsteadOf', 'https://example.org/');
  await git(top, 'config', '--unset-all', 'remote.origin.pushurl');
  expect((await repositoryFacts(top, env))?.remoteUrl).toBe('git@example.org:o/r.git');
});

it('knows the commit and the branch where tags have their names', async () => {
  const sha = await commit();
  await git(top, 'tag', 'main');
  expect(await repositoryFacts(top, env)).toMatchObject({ sha, branch: 'main' });
  await git(top, 'update-ref', 'refs/tags/HEAD', sha);
  expect(await repositoryFacts(top, env)).toMatchObject({ sha, branch: 'main' });
});

it('asks git twice', async () => {
  await commit();
  await git(top, 'remote', 'add', 'origin', 'https://example.org/o/r.git');
  const bin = path.join(root, 'bin');
  await mkdir(bin);
  const real = (await run('which', ['git'], { env })).stdout.trim();
  await writeFile(path.join(bin, 'git'), `#!/bin/sh\necho "$*" >> ${root}/asked\nexec ${real} "$@"\n`, { mode: 0o755 });
  expect((await repositoryFacts(top, { ...env, PATH: `${bin}:${env.PATH}` }))?.slug).toBe('o/r');
  const asked = (await readFile(path.join(root, 'asked'), 'utf8')).trim().split('\n');
  expect(asked.map((words) => /(?:-c \S+ )*(\S+)/.exec(words)?.[1]).sort()).toEqual(['remote', 'rev-parse']);
});

it('works in a linked worktree, on a detached head', async () => {
  const sha = await commit();
  const linked = path.join(root, 'linked');
  await git(top, 'worktree', 'add', '--quiet', '--detach', linked);
  expect(await repositoryFacts(linked, env)).toMatchObject({
    top: linked,
    gitDir: path.join(top, '.git', 'worktrees', 'linked'),
    commonDir: path.join(top, '.git'),
    sha,
    branch: null,
  });
});

it('works in a submodule and in a sparse checkout', async () => {
  await commit();
  const outer = path.join(root, 'outer');
  await run('git', ['init', '--quiet', outer], { env });
  await git(outer, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', top, 'inner');
  const facts = await repositoryFacts(path.join(outer, 'inner'), env);
  expect(facts).toMatchObject({ top: path.join(outer, 'inner'), remoteUrl: top, gitDir: path.join(outer, '.git/modules/inner') });
  await git(top, 'sparse-checkout', 'set', 'apps');
  expect((await repositoryFacts(top, env))?.top).toBe(top);
});

it('says when history is cut off', async () => {
  await commit(3);
  const shallow = path.join(root, 'shallow');
  await run('git', ['clone', '--quiet', '--depth=1', `file://${top}`, shallow], { env });
  expect((await repositoryFacts(shallow, env))?.shallow).toBe(true);
  expect((await repositoryFacts(top, env))?.shallow).toBe(false);
});

it('says in a sentence that git is missing, or that a repository is broken', async () => {
  await expect(repositoryFacts(top, { ...env, PATH: root })).rejects.toMatchObject({
    code: 'USAGE',
    detail: expect.stringContaining('git'),
  });
  await writeFile(path.join(top, '.git', 'config'), '[broken');
  await expect(repositoryFacts(top, env)).rejects.toMatchObject({ code: 'USAGE', detail: expect.stringContaining(top) });
});

it('opens the store that PILOTFISH_RECEIPTS asks for, with what a plan must not hold', async () => {
  const open = async (text: string, receipts: PlannedReceipts = null) => {
    const store = await openStore({ receipts, facts: null, cwd: root, env: { ...env, PILOTFISH_RECEIPTS: text } });
    await store.close();
    return [store.kind, store.location];
  };
  const here = ['postgres', 'postgres://db.example.org/ledger'];
  expect(await open('local')).toEqual(['local', path.join(root, '.pilotfish', 'ledger')]);
  expect(await open('postgresql://ci:w0rd-of-ci@db.example.org/ledger')).toEqual(here);
  expect(await open('postgres://ci:w0rd-of-ci@DB.example.org:5432/ledger', 'postgres://db.example.org/ledger')).toEqual(here);
  expect(await open('local', 'unreadable')).toEqual(['local', path.join(root, '.pilotfish', 'ledger')]);
  await expect(openStore({ receipts: 'unreadable', facts: null, cwd: root, env })).rejects.toMatchObject({ code: 'LEDGER_REFUSED' });
  for (const [text, planned] of [
    ['', null],
    ['ftp://bucket', null],
    ['postgres://ci:w0rd-of-ci@db.example.org/ledger', 'git-branch'],
    ['postgres://ci:w0rd-of-ci@db.example.org/ledger', 'postgres://db.example.org/other'],
    ['local', 'postgres://db.example.org/ledger'],
  ] as const) {
    const thrown = await open(text, planned).catch((error: unknown) => error);
    expect(thrown, text).toMatchObject({ code: 'LEDGER_REFUSED', detail: expect.stringContaining('PILOTFISH_RECEIPTS') });
    expect(inspect(thrown), text).not.toContain('w0rd-of-ci');
  }
});

it('opens the store that repository and plan ask for', async () => {
  const open = async (receipts: 'git-branch' | 'local' | 'plugin:s3' | null, cwd = top) => {
    const store = await openStore({ receipts, facts: await repositoryFacts(cwd, env), cwd, env });
    await store.close();
    return [store.kind, store.location];
  };
  expect(await open(null, root)).toEqual(['local', path.join(root, '.pilotfish', 'ledger')]);
  expect(await open(null, path.join(top))).toEqual(['local', path.join(top, '.pilotfish', 'ledger')]);
  await expect(open('git-branch')).rejects.toMatchObject({ code: 'LEDGER_REFUSED', detail: expect.stringContaining('no remote') });
  await expect(open('plugin:s3')).rejects.toMatchObject({ code: 'PLUGIN_FAILED', detail: expect.stringContaining('plugin:s3') });
  await git(top, 'remote', 'add', 'origin', 'https://ci:word@example.org/shop/web.git');
  expect(await open(null)).toEqual(['git-branch', 'https://example.org/shop/web.git']);
  expect(await open('git-branch')).toEqual(['git-branch', 'https://example.org/shop/web.git']);
  expect(await open('local')).toEqual(['local', path.join(top, '.pilotfish', 'ledger')]);
});
