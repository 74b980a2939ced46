import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { marked } from '../../src/host/comment-mark.ts';
import { noteRemoved } from '../../src/ledger/model/removed.ts';
import { openLocalStore } from '../../src/ledger/stores/local/local-store.ts';
import { expectContracts } from '../contracts/expect.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { branch, noToken, openPulls, type Pulls, shaA, shaB } from './pulls.ts';
import { lines, planOf } from './shop.ts';

let pulls: Pulls;
beforeEach(async () => {
  pulls = await openPulls(planOf(lines.dns));
  pulls.pulls.world.open(12, shaA);
});
afterEach(async () => {
  pulls.verify();
  expectContracts([pulls.pulls]);
  await pulls.close();
});

const asks = (): readonly string[] =>
  pulls.pulls.log.filter(({ path }) => path.endsWith('/comments')).map(({ method, status }) => `${method} ${status}`);

/** A run told of its receipt on the pull request. */
const tell = (o: { by?: string; of?: string; commit?: string } = {}): void => {
  const receipt = { branch: o.of ?? branch, commit: o.commit ?? 'c0ffee0123456789' };
  const mark = { environment: 'preview', plan: null, scope: 'pr-12', run: 'r1', endedAt: '2026-11-21T00:00:00.000Z', receipt };
  pulls.pulls.world.comment(12, marked(mark, 'applied'), o.by ?? 'github-actions[bot]');
};

const head = async (): Promise<string> => (await pulls.store().head(branch)) ?? '';

it('a receipts branch that the comment of the pull request knows is damage once it is gone, and nothing is written', async () => {
  expect((await pulls.onPull('opened')).status).toBe('complete');
  tell({ commit: await head() });
  await pulls.store().remove(branch, await head());
  pulls.pulls.world.push(12, shaB);
  const seen = pulls.providersSince();
  const applied = pulls.onPull('synchronize');
  await expect(applied).rejects.toMatchObject({
    code: 'LEDGER_CORRUPT',
    detail: expect.stringContaining('the comment on the pull request 12 names its receipt'),
    fix: expect.stringContaining('If nothing of this scope is left at the providers, remove the comment on the pull request 12'),
  });
  expect(seen()).toEqual([]);
  pulls.pulls.world.close(12);
  await expect(pulls.onClosed()).rejects.toMatchObject({ code: 'LEDGER_CORRUPT' });
  expect(pulls.records()).toHaveLength(1);
});

it('a first apply asks once, and one whose ledger stands never', async () => {
  expect((await pulls.onPull('opened')).status).toBe('complete');
  expect(asks()).toEqual(['GET 200']);
  tell({ commit: await head() });
  pulls.pulls.world.push(12, shaB);
  expect((await pulls.onPull('synchronize')).status).toBe('complete');
  expect(asks()).toEqual(['GET 200']);
});

it.each([
  ['a person', { by: 'ann' }],
  ['our comment, of another scope', { of: 'pilotfish-receipts/preview/pr-11' }],
  ['our comment, of another plan', { of: 'pilotfish-receipts/preview/api_pr-12' }],
])('what %s says is no word about this branch', async (_, o) => {
  tell(o);
  expect((await pulls.onPull('opened')).status).toBe('complete');
});

it('a branch that was taken away long after its destroy is no damage', async () => {
  tell();
  const last = { run: 'r1', at: '2026-08-01T00:00:00.000Z', commit: shaA, pr: 12, repository: null, event: null, outcome: 'destroyed' };
  await noteRemoved(pulls.store(), 'preview', {
    v: 1,
    scope: 'pr-12',
    plan: null,
    branch,
    head: 'c0ffee0123456789',
    removedAt: '2026-11-01T00:00:00.000Z',
    last,
  });
  expect((await pulls.onPull('reopened')).status).toBe('complete');
});

it.each([403, 404, 500])('a host that answers %d for the comments says nothing about the branch', async (status) => {
  tell();
  pulls.pulls.faults.times(20, 'GET /repos/{o}/{r}/issues/{n}/comments', status, { message: 'no' });
  expect((await pulls.onPull('opened')).status).toBe('complete');
});

it('nobody is asked without a token, nor at a terminal', async () => {
  tell();
  expect((await pulls.plan({ pr: 12, env: { GITHUB_REPOSITORY: 'acme/shop' } })).ok).toBe(true);
  expect((await pulls.onPull('opened', { env: noToken })).status).toBe('complete');
  expect(asks()).toEqual([]);
});

it('a local ledger is lost with its machine, and no comment makes that damage', async () => {
  await pulls.close();
  const ledger = path.join(await tempFolder('told'), 'ledger');
  pulls = await openPulls(planOf(lines.dns), { store: () => openLocalStore({ folder: ledger }) });
  pulls.pulls.world.open(12, shaA);
  tell();
  expect((await pulls.onPull('opened')).status).toBe('complete');
  expect(asks()).toEqual([]);
});
