import { execFile } from 'node:child_process';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Agent } from 'undici';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runApply, runPlan } from '../../src/engine/run.ts';
import type { RunRequest } from '../../src/engine/types.ts';
import { lockPlace } from '../../src/ledger/model/names.ts';
import { noteRemoved } from '../../src/ledger/model/removed.ts';
import { openGitStore } from '../../src/ledger/stores/git/git-store.ts';
import type { Store } from '../../src/ledger/stores/store.ts';
import { cleanGitEnv, type GitRemoteServer, startGitRemote } from '../support/git-remote.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { branch, ends, lines, openShop, planOf, type Shop } from './shop.ts';

const run = promisify(execFile);
let shop: Shop;
let remote: GitRemoteServer;
let agent: Agent;

beforeEach(async () => {
  remote = await startGitRemote({ user: 'ci', password: 'word' });
  agent = new Agent({ allowH2: false });
});
afterEach(async () => {
  shop.verify();
  await shop.close();
  await agent.destroy();
  await remote.stop();
});

const open = async (...changes: readonly string[]): Promise<Shop> => {
  shop = await openShop(planOf(...changes));
  return shop;
};

/** A computer with a clone of the repository: its cache is its own, the providers and the git host are everybody's. */
async function computer() {
  const home = await tempFolder('computer');
  const store = (): Store =>
    openGitStore({ url: remote.urlWithAuth, cwd: home, env: cleanGitEnv(home), dispatcher: agent, clock: shop.clock });
  const using = async <T>(work: (store: Store) => Promise<T>, prepare?: (store: Store) => void): Promise<T> => {
    const opened = store();
    try {
      prepare?.(opened);
      return await work(opened);
    } finally {
      await opened.close();
    }
  };
  const world = (opened: Store) => ({ clock: shop.clock, dispatcher: shop.dispatcher, store: opened });
  return {
    plan: (change: Partial<RunRequest> = {}) => using((opened) => runPlan(shop.request(change), world(opened))),
    apply: (change: Partial<RunRequest> = {}, prepare?: (store: Store) => void) =>
      using((opened) => runApply(shop.request(change), world(opened)), prepare),
    destroy: (change: Partial<RunRequest> = {}, prepare?: (store: Store) => void) =>
      using((opened) => runApply(shop.request({ destroy: true, ...change }), world(opened)), prepare),
  };
}

const unpushed = async (): Promise<readonly string[]> => readdir(path.join(shop.folder, '.pilotfish', 'unpushed')).catch(() => []);

/** A hook that lets branches be made and refuses to move them, as a rule against updates does. */
async function refuseUpdates(words: string): Promise<() => Promise<void>> {
  const hook = path.join(remote.dir, 'hooks', 'pre-receive');
  await writeFile(hook, `#!/bin/sh\nwhile read old new ref; do case "$old" in *[!0]*) echo '${words}' >&2; exit 1;; esac; done\nexit 0\n`);
  await chmod(hook, 0o755);
  return () => remote.rejectPushes(null);
}

describe('a host that refuses the push', () => {
  it.each([
    ['a protected branch', 'GH006: Protected branch update failed for refs/heads/pilotfish-receipts/preview/pr-12'],
    ['a rule of the repository', 'GH013: Repository rule violations found: Cannot create ref due to creations being restricted'],
    ['a hook', 'commits must name a ticket'],
  ])('by %s: its words and the exemption are named, and nothing is created', async (_, words) => {
    const { watch } = await open(lines.dns, lines.callback);
    await remote.rejectPushes(words);
    const seen = watch();
    const { error } = await (await computer()).apply();
    expect(error).toMatchObject({ code: 'LEDGER_REFUSED', detail: expect.stringContaining(words) });
    expect(error?.fix).toContain('`pilotfish-receipts/**` and `pilotfish-locks/**`');
    expect(seen.writes().filter(({ path: at }) => at !== '/oauth/token')).toEqual([]);
    expect(await remote.git('for-each-ref')).toBe('');
  });

  it('from a token that may only read: it says so, and nothing is created', async () => {
    const { watch } = await open(lines.dns);
    await remote.git('config', 'http.receivepack', 'false');
    const seen = watch();
    const { error } = await (await computer()).apply();
    expect(error).toMatchObject({ code: 'LEDGER_REFUSED', detail: expect.stringContaining('does not let this credential write') });
    expect(error?.fix).toContain('`pilotfish-receipts/**`');
    expect(seen.writes()).toEqual([]);
  });

  it('after the first one: what was made is announced, kept and named, and the next run claims it', async () => {
    const { records } = await open(lines.dns, lines.alias);
    const lift = await refuseUpdates('GH006: Protected branch update failed');
    const [first, second] = [await computer(), await computer()];
    const doc = await first.apply();
    expect(records()).toHaveLength(1);
    expect(doc.error?.detail).toMatch(/GH006.*The work of this run \(one fact\) is kept in \.pilotfish\/unpushed\//);
    expect(doc.receipt.commit).toBeNull();
    const [name = ''] = await unpushed();
    const kept = JSON.parse(await readFile(path.join(shop.folder, '.pilotfish', 'unpushed', name), 'utf8'));
    expect(kept).toMatchObject({ branch, ledger: remote.url, facts: [{ record: { objectId: records()[0]?.id } }] });
    expect(JSON.stringify(kept)).not.toContain('word');
    await lift();
    expect((await second.plan()).warnings.join()).toContain(name);
    const again = await second.apply();
    expect(ends(again)).toEqual(['dns claim settled', 'alias create settled']);
    expect([records().length, await unpushed()]).toEqual([2, []]);
  });

  it('of a lock alone: its refs below refs/pilotfish are given up, and the entry is added once', async () => {
    const { callbacks } = await open(lines.callback);
    await remote.git('config', 'receive.hideRefs', 'refs/pilotfish');
    expect((await (await computer()).apply()).status).toBe('complete');
    expect((await (await computer()).apply({ scope: 'pr-13' })).status).toBe('complete');
    const ours = (callbacks() as string[]).filter((url) => url.includes('pr-1'));
    expect(ours).toHaveLength(2);
    expect(await remote.git('for-each-ref', '--format=%(refname)', 'refs/heads/pilotfish-locks')).toContain(lockPlace);
    expect(await remote.git('for-each-ref', 'refs/pilotfish')).toBe('');
  });
});

describe('a push that half happened', () => {
  it('is seen to have landed when its answer was lost: one object, and one commit of each fact', async () => {
    const { records } = await open(lines.dns);
    remote.cutNextPushAnswer();
    const doc = await (await computer()).apply();
    expect([doc.status, records().length]).toEqual(['complete', 1]);
    expect(await remote.git('rev-list', '--count', branch)).toBe('2');
    expect(await unpushed()).toEqual([]);
  });

  it('of which the host stored objects and no ref leaves nothing behind', async () => {
    const { records } = await open(lines.dns);
    remote.answerNextPush(503);
    const doc = await (await computer()).apply();
    expect([doc.status, records().length]).toEqual(['complete', 1]);
    expect(await remote.git('rev-list', '--count', branch)).toBe('2');
  });
});

describe('a branch that was deleted', () => {
  it('is damage on a machine that knows it: no plan, apply or destroy goes on as if nothing had been', async () => {
    const { watch } = await open(lines.dns);
    const here = await computer();
    await here.apply();
    const head = await remote.git('rev-parse', branch);
    await remote.git('update-ref', '-d', `refs/heads/${branch}`);
    const seen = watch();
    for (const look of [here.plan, here.apply, here.destroy]) {
      await expect(look()).rejects.toMatchObject({
        code: 'LEDGER_CORRUPT',
        detail: expect.stringContaining(`last at ${head.slice(0, 12)}`),
        fix: expect.stringContaining(`pilotfish apply --restore-ledger ${head.slice(0, 12)} --scope pr-12`),
      });
    }
    expect(seen.all()).toEqual([]);
    expect(await remote.git('for-each-ref')).toBe('');
  });

  it('is made anew of the copy that this machine has, and destroy then finds everything', async () => {
    const { records } = await open(lines.dns, lines.alias);
    const here = await computer();
    await here.apply();
    const head = await remote.git('rev-parse', branch);
    await remote.git('update-ref', '-d', `refs/heads/${branch}`);
    expect(ends(await here.apply({ restoreLedger: head.slice(0, 12) }))).toEqual(['dns none settled', 'alias none settled']);
    expect((await (await computer()).destroy()).status).toBe('complete');
    expect(records()).toEqual([]);
  });

  it('is no damage once _history says that the scope was taken away', async () => {
    await open(lines.dns);
    const here = await computer();
    await here.apply();
    await here.destroy();
    const there = await computer();
    const head = await remote.git('rev-parse', branch);
    // Another machine takes the branch away, as `--closed` does after its days.
    const store = openGitStore({
      url: remote.urlWithAuth,
      cwd: shop.folder,
      env: cleanGitEnv(await tempFolder('other')),
      dispatcher: agent,
      clock: shop.clock,
    });
    const last = {
      run: 'r',
      at: '2026-11-21T00:00:00.000Z',
      commit: null,
      pr: null,
      repository: null,
      event: null,
      outcome: 'destroyed: complete',
    };
    await noteRemoved(store, 'preview', { v: 1, scope: 'pr-12', plan: null, branch, head, removedAt: last.at, last });
    await store.remove(branch, head);
    await store.close();
    expect((await here.apply()).status).toBe('complete');
    expect((await there.plan()).lines.map(({ verdict }) => verdict)).toEqual(['none']);
  });

  it.each(['apply', 'destroy'] as const)('is none when another run of this machine made it after %s had asked for it', async (purpose) => {
    const { records } = await open(lines.dns);
    const here = await computer();
    const later = await here[purpose]({}, (store) => {
      const read = store.read.bind(store);
      vi.spyOn(store, 'read').mockImplementationOnce(async (name) => {
        const tree = await read(name);
        expect(ends(await here.apply())).toEqual(['dns create settled']);
        return tree;
      });
    });
    expect(ends(later)).toEqual([purpose === 'apply' ? 'dns none settled' : 'dns delete settled']);
    expect(records()).toHaveLength(purpose === 'apply' ? 1 : 0);
  });

  it('is not known to a fresh clone, which takes no object for its own', async () => {
    const { records } = await open(lines.dns);
    await (await computer()).apply();
    await remote.git('update-ref', '-d', `refs/heads/${branch}`);
    expect(ends(await (await computer()).apply())).toEqual(['dns refused refused RESOURCE_FOREIGN']);
    expect(records()).toHaveLength(1);
  });
});

describe('a branch whose newest commit is damaged', () => {
  /** What a person with an editor and a clone does. */
  async function commitByHand(change: (folder: string) => Promise<void>): Promise<void> {
    const folder = await tempFolder('clone');
    const env = cleanGitEnv(folder);
    const git = (...args: string[]) => run('git', ['-C', folder, ...args], { env });
    await run('git', ['clone', '--quiet', '--branch', branch, remote.dir, folder], { env });
    await change(folder);
    await git('add', '-A');
    await git('commit', '--quiet', '-m', 'by hand');
    await git('push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`);
  }

  it.each([
    [
      'a file that is not text',
      (folder: string) => writeFile(path.join(folder, '.pilotfish', 'receipt.json'), Buffer.from([0xff, 0xfe, 0x00])),
    ],
    ['half a receipt', (folder: string) => writeFile(path.join(folder, '.pilotfish', 'receipt.json'), '{"v": 1')],
  ])('by %s is restored on the host: a commit on top, with the files of the sound one', async (_, change) => {
    const { records } = await open(lines.dns);
    const here = await computer();
    await here.apply();
    const sound = await remote.git('rev-parse', branch);
    await commitByHand(change);
    const damaged = await remote.git('rev-parse', branch);
    await expect(here.apply()).rejects.toMatchObject({
      code: 'LEDGER_CORRUPT',
      fix: expect.stringContaining(`--restore-ledger ${sound.slice(0, 12)}`),
    });
    const fresh = await computer();
    expect(ends(await fresh.apply({ restoreLedger: sound.slice(0, 12) }))).toEqual(['dns none settled']);
    expect(await remote.git('merge-base', '--is-ancestor', damaged, branch)).toBe('');
    expect(records()).toHaveLength(1);
    expect((await here.plan()).lines.map(({ verdict }) => verdict)).toEqual(['none']);
  });

  it('is not restored from a commit of the code', async () => {
    await open(lines.dns);
    const here = await computer();
    await here.apply();
    const tree = await remote.git('hash-object', '-w', '-t', 'tree', '/dev/null');
    const code = await remote.git('commit-tree', '-m', 'code', tree);
    await remote.git('update-ref', 'refs/heads/main', code);
    await expect(here.apply({ restoreLedger: code })).rejects.toMatchObject({ code: 'USAGE' });
  });
});
