import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Agent } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runApply, runPlan } from '../../src/engine/run.ts';
import type { RunRequest } from '../../src/engine/types.ts';
import { historyBranch, receiptsBranch } from '../../src/ledger/model/names.ts';
import { noteRemoved } from '../../src/ledger/model/removed.ts';
import { openGitStore } from '../../src/ledger/stores/git/git-store.ts';
import { openLocalStore } from '../../src/ledger/stores/local/local-store.ts';
import { HeadMoved, HistoryLost, readSound, type Store } from '../../src/ledger/stores/store.ts';
import { branch, ends, lines, openShop, planOf, type Shop } from '../lifecycle/shop.ts';
import { cleanGitEnv, type GitRemoteServer, startGitRemote } from '../support/git-remote.ts';
import { quickClock } from '../support/quick-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ref = `refs/heads/${branch}`;
const one = (text: string): ReadonlyMap<string, string> => new Map([['a', text]]);
let remote: GitRemoteServer;
let agent: Agent;
beforeEach(async () => {
  remote = await startGitRemote({ user: 'ci', password: 'word' });
  agent = new Agent({ allowH2: false });
});
afterEach(async () => {
  await agent.destroy();
  await remote.stop();
});

/** So many commits after the head of the branch, with the same files. */
function commitsOfOthers(count: number): void {
  const one = (n: number): string => {
    const message = `other ${n}`;
    return `commit ${ref}\ncommitter other <other@acme.example> 0 +0000\ndata ${message.length}\n${message}\n${n === 0 ? `from ${ref}^0\n` : ''}\n`;
  };
  execFileSync('git', ['--git-dir', remote.dir, 'fast-import', '--quiet'], {
    input: Array.from({ length: count }, (_, n) => one(n)).join(''),
  });
}

describe.each(['http', 'path'] as const)('runs over %s', (transport) => {
  let shop: Shop;
  afterEach(async () => {
    shop.verify();
    await shop.close();
  });
  const url = (): string => (transport === 'http' ? remote.urlWithAuth : remote.dir);
  const computer = async () => {
    const home = await tempFolder('computer');
    const using = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
      const store = openGitStore({ url: url(), cwd: home, env: cleanGitEnv(home), dispatcher: agent, clock: shop.clock });
      try {
        return await work(store);
      } finally {
        await store.close();
      }
    };
    const world = (store: Store) => ({ clock: shop.clock, dispatcher: shop.dispatcher, store, repository: null });
    return {
      home,
      plan: (change: Partial<RunRequest> = {}) => using((store) => runPlan(shop.request(change), world(store))),
      apply: (change: Partial<RunRequest> = {}) => using((store) => runApply(shop.request(change), world(store))),
      destroy: (change: Partial<RunRequest> = {}) => using((store) => runApply(shop.request({ destroy: true, ...change }), world(store))),
    };
  };
  type Computer = Awaited<ReturnType<typeof computer>>;
  /** All three modes tell the loss; gives the commit that the fix names. */
  const tellsTheLoss = async ({ plan, apply, destroy }: Computer): Promise<string> => {
    const seen = shop.watch();
    let commit = '';
    for (const look of [plan, apply, destroy]) {
      const error = await look().then(
        () => null,
        (thrown) => thrown,
      );
      expect(error).toMatchObject({ code: 'LEDGER_CORRUPT', detail: expect.stringContaining('does not lead back') });
      commit = /--restore-ledger ([0-9a-f]{12})/.exec(error.fix)?.[1] ?? '';
      expect(commit).not.toBe('');
    }
    expect(seen.writes()).toEqual([]);
    return commit;
  };

  it('a branch that a bot deleted and another machine made anew is damage, and restoring brings both histories together', async () => {
    shop = await openShop(planOf(lines.dns));
    const here = await computer();
    expect((await here.apply()).status).toBe('complete');
    const lost = await remote.git('rev-parse', ref);
    await remote.git('update-ref', '-d', ref);
    await shop.write(planOf(lines.callback));
    expect((await (await computer()).apply()).status).toBe('complete');
    const anew = await remote.git('rev-parse', ref);
    const commit = await tellsTheLoss(here);
    expect(lost.startsWith(commit)).toBe(true);
    await here.plan().catch(() => undefined);
    expect((await here.destroy({ restoreLedger: commit })).status).toBe('complete');
    expect(shop.records()).toEqual([]);
    expect((shop.callbacks() as string[]).filter((text) => text.includes('pr-12'))).toEqual([]);
    expect(await remote.git('merge-base', '--is-ancestor', anew, ref)).toBe('');
    expect((await here.destroy()).status).toBe('complete');
  });

  it('commits that were taken away from the end of the branch are damage', async () => {
    shop = await openShop(planOf(lines.dns));
    const here = await computer();
    await here.apply();
    const early = await remote.git('rev-parse', ref);
    await shop.write(planOf(lines.dns, lines.alias));
    await here.apply();
    await remote.git('update-ref', ref, early);
    const commit = await tellsTheLoss(here);
    expect(ends(await here.apply({ restoreLedger: commit }))).toEqual(['dns none settled', 'alias none settled']);
    expect((await here.destroy()).status).toBe('complete');
    expect(shop.records()).toEqual([]);
  });

  it('a history that was written anew with the same files is damage', async () => {
    shop = await openShop(planOf(lines.dns));
    const here = await computer();
    await here.apply();
    const squashed = await remote.git('commit-tree', '-m', 'squashed', `${ref}^{tree}`);
    await remote.git('update-ref', ref, squashed);
    const commit = await tellsTheLoss(here);
    expect((await here.destroy({ restoreLedger: commit })).status).toBe('complete');
    expect(shop.records()).toEqual([]);
  });

  it('a machine that has no copy takes the branch as it is only when it is told to', async () => {
    shop = await openShop(planOf(lines.dns));
    const here = await computer();
    await here.apply();
    const squashed = await remote.git('commit-tree', '-m', 'squashed', `${ref}^{tree}`);
    await remote.git('update-ref', ref, squashed);
    for (const name of await readdir(here.home, { recursive: true })) if (name.endsWith('.json')) await rm(path.join(here.home, name));
    const commit = await tellsTheLoss(here);
    expect(squashed.startsWith(commit)).toBe(true);
    expect(ends(await here.apply({ restoreLedger: commit }))).toEqual(['dns none settled']);
    expect((await here.plan()).lines.map(({ verdict }) => verdict)).toEqual(['none']);
  });

  it('what many other machines wrote since is no damage', async () => {
    shop = await openShop(planOf(lines.dns));
    const here = await computer();
    await here.apply();
    const home = await tempFolder('others');
    const others = openGitStore({ url: url(), cwd: home, env: cleanGitEnv(home), dispatcher: agent, clock: shop.clock });
    commitsOfOthers(70);
    await others.close();
    expect((await here.plan()).lines.map(({ verdict }) => verdict)).toEqual(['none']);
    expect((await here.destroy()).status).toBe('complete');
  });

  it('a scope that was taken away long after its destroy and opened again elsewhere is no damage', async () => {
    shop = await openShop(planOf(lines.dns));
    const here = await computer();
    await here.apply();
    await here.destroy();
    const home = await tempFolder('closed');
    const store = openGitStore({ url: url(), cwd: home, env: cleanGitEnv(home), dispatcher: agent, clock: shop.clock });
    const head = await remote.git('rev-parse', ref);
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
    await (await computer()).apply();
    expect((await here.plan()).lines.map(({ verdict }) => verdict)).toEqual(['none']);
  });

  it('a branch that is rewritten while a run is under way stops that run, and what it made stays named', async () => {
    shop = await openShop(planOf(lines.dns, lines.alias));
    const here = await computer();
    await here.apply({ only: [] });
    const store = openGitStore({ url: url(), cwd: here.home, env: cleanGitEnv(here.home), dispatcher: agent, clock: quickClock });
    const tree = await store.read(branch);
    const other = await remote.git('commit-tree', '-m', 'another', `${ref}^{tree}`);
    await remote.git('update-ref', ref, other);
    await expect(store.append(branch, one('1'), tree?.head ?? null, 'next')).rejects.toBeInstanceOf(HeadMoved);
    for (let look = 0; look < 2; look += 1) await expect(readSound(store, branch)).rejects.toBeInstanceOf(HistoryLost);
    await store.close();
    expect(await remote.git('rev-parse', ref)).toBe(other);
    const commit = await tellsTheLoss(here);
    expect(other.startsWith(commit)).toBe(false);
  });

  it('the branch of removed scopes is held to the same', async () => {
    shop = await openShop(planOf(lines.dns));
    const home = await tempFolder('history');
    const open = (): Store => openGitStore({ url: url(), cwd: home, env: cleanGitEnv(home), dispatcher: agent, clock: quickClock });
    const [name, first] = [historyBranch('preview'), open()];
    await first.append(name, one('1'), null, 'first');
    await first.close();
    await remote.git('update-ref', `refs/heads/${name}`, await remote.git('commit-tree', '-m', 'x', `refs/heads/${name}^{tree}`));
    const second = open();
    await expect(readSound(second, name)).rejects.toMatchObject({
      code: 'LEDGER_CORRUPT',
      detail: expect.stringContaining('does not lead back'),
    });
    await second.close();
  });
});

describe('a ledger in a folder', () => {
  const name = receiptsBranch('preview', 'pr-1');
  it('that an older backup was put in the place of is damage, and is taken as it is when that is asked for', async () => {
    const root = await mkdtemp(path.join(os.tmpdir(), 'pilotfish-lost-'));
    try {
      const folder = path.join(root, '.pilotfish', 'ledger');
      const open = (): Store => openLocalStore({ folder });
      const file = path.join(folder, 'heads,pilotfish-receipts,preview,pr-1');
      const first = await open().append(name, one('1'), null, 'first');
      const second = await open().append(name, one('2'), first, 'second');
      await rename(`${file}~before`, file);
      await expect(readSound(open(), name)).rejects.toMatchObject({
        code: 'LEDGER_CORRUPT',
        detail: expect.stringContaining(second.slice(0, 12)),
      });
      await rm(file);
      await expect(open().append(name, one('x'), null, 'another machine')).resolves.toBeTypeOf('string');
      // Whoever made it anew on this machine knows that.
      expect((await readSound(open(), name))?.files.get('a')).toBe('x');
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });
});
