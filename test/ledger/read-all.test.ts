import { execFileSync } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { receiptsBranch, receiptsOf } from '../../src/ledger/model/names.ts';
import { openGitStore } from '../../src/ledger/stores/git/git-store.ts';
import { readAll } from '../../src/ledger/stores/read-all.ts';
import type { ReadBranch, Store } from '../../src/ledger/stores/store.ts';
import { plant } from '../attacks/planted.ts';
import { type GitRemoteServer, startGitRemote } from '../support/git-remote.ts';
import { plantScopes, scopeFiles } from '../support/many-scopes.ts';
import { tempFolder } from '../support/temp-folder.ts';

const sign = { user: 'ci', password: 'read-all-password' };
const branchOf = (n: number): string => receiptsBranch('preview', `pr-${n}`);

let remote: GitRemoteServer;
let home: string;
const closing: Store[] = [];
beforeEach(async () => {
  remote = await startGitRemote(sign);
  home = await tempFolder('read-all');
});
afterEach(async () => {
  for (const store of closing.splice(0)) await store.close();
  await remote.stop();
});

/** The temporary folder of this test alone, so that it shows what a read leaves there. */
function open(url = remote.urlWithAuth): Store {
  process.env.TMPDIR = home;
  const store = openGitStore({
    url,
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home },
    cacheDir: path.join(home, 'cache'),
    patienceMs: 0,
  });
  closing.push(store);
  return store;
}

async function read(store: Store): Promise<readonly ReadBranch[]> {
  const all: ReadBranch[] = [];
  for await (const one of readAll(store, receiptsOf('preview'))) all.push(one);
  return all;
}

const failed = (all: readonly ReadBranch[]) =>
  all.flatMap((one) => ('error' in one ? [[one.branch, one.error.code, one.error.detail]] : []));
const left = async () => (await readdir(home)).filter((name) => name.startsWith('pilotfish-'));

describe('all branches of a git remote at once', () => {
  const tmp = process.env.TMPDIR;
  afterEach(() => {
    if (tmp === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = tmp;
  });

  it('come with one fetch, each with the files that it has, and leave nothing on the disk', async () => {
    await plantScopes(remote.dir, 300);
    const store = open();
    const all = await read(store);
    expect(all.length).toBe(300);
    expect(remote.count.wants).toBe(1);
    expect(store.stats.fetches).toBe(1);
    const seventh = all.find(({ branch }) => branch === branchOf(7));
    expect(seventh && 'tree' in seventh && [...seventh.tree.files].sort()).toEqual([...scopeFiles(7, 3)].sort());
    expect(await left()).toEqual([]);
  });

  it('end early where the caller stops, and leave nothing then', async () => {
    await plantScopes(remote.dir, 30);
    for await (const _ of readAll(open(), receiptsOf('preview'))) break;
    expect(await left()).toEqual([]);
  });

  it('come without one that has a file that is too large', async () => {
    await plantScopes(remote.dir, 20);
    await plant(remote.dir, branchOf(21), [['.pilotfish/receipt.json', { zeros: 33 * 1024 * 1024 }]]);
    const all = await read(open());
    expect(all.length).toBe(21);
    expect(failed(all)).toEqual([[branchOf(21), 'LEDGER_CORRUPT', expect.stringContaining('a file of its newest commits has 33 MB')]]);
    expect(await left()).toEqual([]);
  });

  it('come without one whose objects the remote has lost, by few more fetches', async () => {
    await plantScopes(remote.dir, 40);
    const lost = 'f'.repeat(40);
    await writeFile(path.join(remote.dir, 'refs/heads', branchOf(41)), `${lost}\n`);
    const store = open();
    const all = await read(store);
    expect(all.filter((one) => 'tree' in one).length).toBe(40);
    expect(store.stats.fetches).toBeLessThan(20);
  });

  it('come without one whose files lie behind a link', async () => {
    await plantScopes(remote.dir, 5);
    const blob = await remote.git('rev-parse', `${branchOf(1)}:.pilotfish/receipt.json`);
    const git = (args: readonly string[], input: string): string =>
      execFileSync('git', ['--git-dir', remote.dir, ...args], { input, encoding: 'utf8' }).trim();
    const inner = git(['mktree'], `120000 blob ${blob}\treceipt.json\n`);
    const root = git(['mktree'], `040000 tree ${inner}\t.pilotfish\n`);
    const commit = git(['-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit-tree', root], 'x');
    await remote.git('update-ref', `refs/heads/${branchOf(6)}`, commit);
    expect(failed(await read(open()))).toEqual([[branchOf(6), 'LEDGER_CORRUPT', expect.stringContaining('it is not a file')]]);
  });

  it('fail as one where the remote does not let this run in', async () => {
    await plantScopes(remote.dir, 3);
    await expect(read(open(remote.urlWithAuth.replace('read-all-password', 'another-password')))).rejects.toMatchObject({
      code: 'LEDGER_REFUSED',
    });
  });
});
