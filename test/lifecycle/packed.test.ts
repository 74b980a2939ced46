import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { historyBranch } from '../../src/ledger/model/names.ts';
import { parseLists, sealsPath } from '../../src/ledger/seals/lists.ts';
import { openGitStore } from '../../src/ledger/stores/git/git-store.ts';
import type { Files, Store } from '../../src/ledger/stores/store.ts';
import { expectContracts } from '../contracts/expect.ts';
import { cleanGitEnv } from '../support/git-remote.ts';
import { MemoryRemote } from '../support/memory-store.ts';
import { branch, noToken, openPulls, type Pulls, shaA } from './pulls.ts';
import { lines, planOf } from './shop.ts';
import { outcomes, sweepOf } from './sweeps.ts';

const day = 86_400_000;
const kept = `${lines.dns}\n    destroy: keep`;
let pulls: Pulls;
afterEach(async () => {
  pulls.verify();
  expectContracts([pulls.pulls]);
  await pulls.close();
});

const sweep = (world: Parameters<typeof sweepOf>[2] = {}) => sweepOf(pulls, { keepReceiptsDays: 1 }, world);
const note = (): Record<string, unknown> => JSON.parse(pulls.remote.filesOf(historyBranch('preview')).get('removed/pr-12.json') ?? '{}');
/** The highest number of a seal list in these files. */
const numberIn = (files: Files): number => Math.max(...parseLists(files.get(sealsPath)).map(({ n }) => n));
const ledger = (): Files => pulls.remote.filesOf(branch);

/** A preview that was destroyed and left one object, two days ago. */
async function destroyed(o: Parameters<typeof openPulls>[1] = {}): Promise<void> {
  pulls = await openPulls(planOf(kept, lines.payments), o);
  pulls.pulls.world.open(12, shaA);
  expect((await pulls.onPull('opened')).status).toBe('complete');
  pulls.pulls.world.close(12);
  expect((await pulls.onClosed()).status).toBe('complete');
  await pulls.clock.sleep(2 * day);
}

async function reopened(): Promise<ReturnType<Pulls['onPull']>> {
  pulls.pulls.world.reopen(12);
  await pulls.later();
  return await pulls.onPull('reopened');
}

describe('a scope that was destroyed and packed', () => {
  it('is packed a day after its destroy, with what was left and the numbers of its seals', async () => {
    await destroyed();
    const before = ledger();
    expect(outcomes(await sweep())).toEqual(['pr-12 removed']);
    expect([pulls.remote.branches.has(branch), outcomes(await sweep())]).toEqual([false, []]);
    const paths = Object.keys(note().files as object);
    expect(paths).toEqual([...before.keys()].filter((one) => one === sealsPath || /^(left|deletes)\//.test(one)));
    expect(paths.some((one) => one.startsWith('left/'))).toBe(true);
  });

  it('takes back what was left when it returns, and its numbers go on', async () => {
    await destroyed();
    const number = numberIn(ledger());
    await sweep();
    const [made] = pulls.records();
    const again = await reopened();
    expect([again.status, again.lines.find(({ id }) => id === 'dns')?.verdict]).toEqual(['complete', 'claim']);
    expect(pulls.records().map(({ id }) => id)).toEqual([made?.id]);
    expect(numberIn(ledger())).toBeGreaterThan(number);
    expect(again.warnings).toEqual([]);
    expect(note().back).toBe(true);
    // The history of its first life goes on too.
    expect(ledger().get('history.jsonl')?.trim().split('\n').length).toBe(2);

    pulls.pulls.world.close(12);
    await pulls.later();
    expect((await pulls.onClosed()).status).toBe('complete');
    await pulls.clock.sleep(2 * day);
    expect(outcomes(await sweep())).toEqual(['pr-12 removed']);
    expect([note().back, Object.keys(note().files as object).some((one) => one.startsWith('left/'))]).toEqual([undefined, true]);
    expect(pulls.records().map(({ id }) => id)).toEqual([made?.id]);
  });

  it('names what was left when it is destroyed again, and writes nothing', async () => {
    await destroyed();
    await sweep();
    const { commits } = pulls.remote;
    const before = commits.length;
    const doc = await pulls.onClosed({ env: noToken });
    expect(doc).toMatchObject({ ok: true });
    expect(doc.warnings.join(' ')).toMatch(/was destroyed/);
    const person = await pulls.apply({ scope: 'pr-12', destroy: true });
    expect(person.warnings.join(' ')).toMatch(/its receipts were packed since\. Its destroy left .*pr-12/);
    expect(commits.length).toBe(before);
  });

  it('is whole when the sweep died between its two pushes, whoever comes next', async () => {
    for (const next of ['a sweep', 'a return'] as const) {
      await destroyed();
      const dying: Store = { ...pulls.store(), remove: () => Promise.reject(new Error('the process died')) };
      expect((await sweep({ store: dying })).ok).toBe(false);
      expect([pulls.remote.branches.has(branch), typeof note().head]).toEqual([true, 'string']);
      if (next === 'a sweep') {
        const pushes = pulls.remote.on(historyBranch('preview')).length;
        expect(outcomes(await sweep())).toEqual(['pr-12 removed']);
        expect(pulls.remote.on(historyBranch('preview')).length).toBe(pushes);
      }
      expect((await reopened()).lines.find(({ id }) => id === 'dns')?.verdict).toBe('claim');
      if (next === 'a sweep') await pulls.close();
    }
  });

  it('is packed once by two sweeps at once', async () => {
    await destroyed();
    const docs = await Promise.all([sweep(), sweep()]);
    expect(docs.map(({ ok }) => ok)).toEqual([true, true]);
    expect([pulls.remote.branches.has(branch), pulls.remote.on(historyBranch('preview')).length]).toEqual([false, 1]);
    expect((await reopened()).status).toBe('complete');
  });

  it('is missed when somebody deletes the branch that it got anew', async () => {
    const remote = new MemoryRemote();
    let head = '';
    const remembered = async () => (head === '' ? null : { head, copy: null, place: 'a file' });
    await destroyed({ store: () => ({ ...remote.open(), remembered }) });
    const packedAt = remote.branches.get(branch)?.head ?? '';
    await sweep();
    head = packedAt;
    expect((await reopened()).status).toBe('complete');
    head = remote.branches.get(branch)?.head ?? '';
    remote.branches.delete(branch);
    await pulls.later();
    const refused = await pulls.onPull('synchronize').catch((thrown: unknown) => ({ error: thrown }));
    expect(refused.error).toMatchObject({ code: 'LEDGER_CORRUPT', detail: expect.stringContaining('is no longer on') });
  });
});

it.each(['sha1', 'sha256'])('a machine that remembers the head of a packed branch takes it for no damage (git, %s)', async (format) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pilotfish-packed-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const remote = path.join(folder, 'shop.git');
  execFileSync('git', ['init', '-q', '--bare', `--object-format=${format}`, remote]);
  const machine = (name: string): Store => openGitStore({ url: remote, cwd: folder, env: cleanGitEnv(path.join(folder, name)) });
  const [here, there] = [machine('here'), machine('there')];
  onTestFinished(async () => void (await Promise.all([here.close(), there.close()])));
  await destroyed({ store: () => here });
  const { head } = (await here.remembered?.(branch)) ?? {};
  expect(head).toMatch(format === 'sha1' ? /^[0-9a-f]{40}$/ : /^[0-9a-f]{64}$/);
  expect(outcomes(await sweep({ store: there }))).toEqual(['pr-12 removed']);
  expect(execFileSync('git', ['for-each-ref', '--format=%(refname)'], { cwd: remote, encoding: 'utf8' }).trim()).toBe(
    `refs/heads/${historyBranch('preview')}`,
  );
  const again = await reopened();
  expect([again.status, again.lines.find(({ id }) => id === 'dns')?.verdict]).toEqual(['complete', 'claim']);
  // Another machine that knows the first life finds the second one.
  expect((await there.read(branch))?.head).toBe(await here.head(branch));
  expect(there.lost?.(branch)).toBeNull();
});
