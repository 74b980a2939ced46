import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { historyBranch } from '../../src/ledger/model/names.ts';
import { openLocalStore } from '../../src/ledger/stores/local/local-store.ts';
import { expectContracts } from '../contracts/expect.ts';
import { noToken, openPulls, type Pulls, shaA } from './pulls.ts';
import { lines, planOf } from './shop.ts';
import { branchOf, openPreviews, outcomes, sweepOf } from './sweeps.ts';

let pulls: Pulls;
afterEach(async () => {
  pulls.verify();
  expectContracts([pulls.pulls]);
  await pulls.close();
});

const days = 86_400_000;
const closed = (change: Parameters<typeof sweepOf>[1] = {}, world: Parameters<typeof sweepOf>[2] = {}) => sweepOf(pulls, change, world);
const names = (): readonly string[] => pulls.records().map(({ name }) => name.replace('.acme.example', ''));

async function previews(...given: Parameters<typeof openPreviews>): Promise<Pulls> {
  pulls = await openPreviews(...given);
  return pulls;
}
describe('--keep-receipts', () => {
  const destroyed = async (): Promise<void> => {
    await previews([11, 12]);
    pulls.pulls.world.close(12);
    await closed();
  };

  it('removes the branch of a scope that was destroyed longer ago, after its last line went to _history', async () => {
    await destroyed();
    await pulls.clock.sleep(89 * days);
    expect(outcomes(await closed())).toEqual(['pr-11 kept', 'pr-12 gone']);
    await pulls.clock.sleep(2 * days);
    const head = pulls.remote.branches.get(branchOf('pr-12'))?.head;
    const doc = await closed();
    expect(outcomes(doc)).toEqual(['pr-11 kept', 'pr-12 removed']);
    expect(pulls.remote.branches.has(branchOf('pr-12'))).toBe(false);
    expect(JSON.parse(pulls.remote.filesOf(historyBranch('preview')).get('removed/pr-12.json') ?? '')).toMatchObject({
      scope: 'pr-12',
      head,
      last: { pr: 12, commit: shaA, outcome: 'destroyed: complete' },
    });
    expect(outcomes(await closed())).toEqual(['pr-11 kept']);
  });

  it('takes another number of days', async () => {
    await destroyed();
    await pulls.clock.sleep(3 * days);
    expect(outcomes(await closed({ keepReceiptsDays: 4 }))).toContain('pr-12 gone');
    expect(outcomes(await closed({ keepReceiptsDays: 2 }))).toContain('pr-12 removed');
  });

  it('keeps the branch of a pull request that was opened again', async () => {
    await destroyed();
    await pulls.clock.sleep(100 * days);
    pulls.pulls.world.reopen(12);
    expect(outcomes(await closed())).toContain('pr-12 kept');
    expect(pulls.remote.branches.has(branchOf('pr-12'))).toBe(true);
  });

  it('leaves a scope whose branch is gone destroyed for late events, and alive after a reopening', async () => {
    await destroyed();
    await pulls.clock.sleep(100 * days);
    await closed();
    const late = await pulls.onDeployment(shaA, { env: noToken });
    expect(late).toMatchObject({ ok: true, status: 'stale' });
    expect(late.warnings[0]).toContain('was destroyed');
    expect(pulls.remote.branches.has(branchOf('pr-12'))).toBe(false);
    pulls.pulls.world.reopen(12);
    expect((await pulls.onPull('reopened')).status).toBe('complete');
    expect((await pulls.onDeployment(shaA, { env: noToken })).status).toBe('complete');
    expect(names()).toEqual(['pr-11', 'pr-12']);
  });

  it('twice at once agrees, and removes no branch that somebody wrote to meanwhile', async () => {
    await destroyed();
    await pulls.clock.sleep(100 * days);
    const docs = await Promise.all([closed(), closed(), closed()]);
    expect(docs.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(docs.some((doc) => outcomes(doc).includes('pr-12 removed'))).toBe(true);
    expect(pulls.remote.branches.has(branchOf('pr-12'))).toBe(false);

    pulls.pulls.world.close(11);
    await closed();
    await pulls.clock.sleep(100 * days);
    pulls.remote.before = async (branch) => {
      if (branch !== historyBranch('preview')) return;
      pulls.remote.before = () => undefined;
      await pulls.apply({ scope: 'pr-11', pr: 11 });
    };
    const doc = await closed();
    expect(doc.scopes).toMatchObject([{ scope: 'pr-11', outcome: 'kept', why: 'another run wrote to it meanwhile' }]);
    expect(pulls.remote.branches.has(branchOf('pr-11'))).toBe(true);
  });
});

describe('over the stores that people have', () => {
  let folder = '';
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('a local ledger loses the branch and keeps its last line', async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'pilotfish-closed-'));
    const ledger = path.join(folder, 'ledger');
    pulls = await openPulls(planOf(lines.dns), { store: () => openLocalStore({ folder: ledger }) });
    pulls.pulls.world.open(12, shaA);
    await pulls.onPull('opened');
    pulls.pulls.world.close(12);
    expect(outcomes(await closed())).toEqual(['pr-12 destroyed']);
    await pulls.clock.sleep(91 * days);
    expect(outcomes(await closed())).toEqual(['pr-12 removed']);
    expect((await pulls.store().list('pilotfish-receipts/preview/')).map(({ branch }) => branch)).toEqual([historyBranch('preview')]);
    expect((await pulls.onDeployment(shaA, { env: noToken })).status).toBe('stale');
  });

  it('a git remote loses the branch, and keeps its last line on _history', async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'pilotfish-closed-'));
    const remote = path.join(folder, 'shop.git');
    execFileSync('git', ['init', '-q', '--bare', remote]);
    const { openGitStore } = await import('../../src/ledger/stores/git/git-store.ts');
    const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1', XDG_CACHE_HOME: folder };
    const store = openGitStore({ url: remote, cwd: folder, env });
    pulls = await openPulls(planOf(lines.dns), { store: () => store });
    pulls.pulls.world.open(12, shaA);
    await pulls.onPull('opened');
    for (let number = 100; number < 103; number += 1) {
      pulls.pulls.world.open(number, shaA, `feature-${number}`);
      await pulls.apply(pulls.asked(await pulls.pullEvent('opened', {}, number), { pr: number }));
    }
    // A runner of its own, which remembers no branch.
    const fresh = openGitStore({ url: remote, cwd: folder, env: { ...env, XDG_CACHE_HOME: path.join(folder, 'fresh') } });
    const first = await closed({}, { store: fresh });
    expect(first.summary).toEqual({ kept: 4 });
    expect(first.stats.fetches).toBe(1);
    await fresh.close();
    for (let number = 100; number < 103; number += 1) pulls.pulls.world.close(number);
    pulls.pulls.world.close(12);
    expect((await closed()).summary).toEqual({ destroyed: 4 });
    await pulls.clock.sleep(91 * days);
    expect((await closed()).summary).toEqual({ removed: 4 });
    const refs = execFileSync('git', ['for-each-ref', '--format=%(refname)'], { cwd: remote, encoding: 'utf8' }).trim();
    expect(refs).toBe(`refs/heads/${historyBranch('preview')}`);
    expect((await pulls.onDeployment(shaA, { env: noToken })).status).toBe('stale');
    await store.close();
  });
});
