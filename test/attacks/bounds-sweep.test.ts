import { afterEach, describe, expect, it } from 'vitest';
import { runClosed } from '../../src/engine/closed.ts';
import type { ClosedDoc } from '../../src/engine/document.ts';
import { historyBranch, receiptsBranch } from '../../src/ledger/model/names.ts';
import { paths } from '../../src/ledger/model/state.ts';
import type { Store } from '../../src/ledger/stores/store.ts';
import { openPulls, type Pulls, shaA } from '../lifecycle/pulls.ts';
import { lines, planOf } from '../lifecycle/shop.ts';
import { recordOf } from './planted.ts';

let pulls: Pulls;
afterEach(() => pulls.close());

const branchOf = (scope: string): string => receiptsBranch('preview', scope);

/** Two closed pull requests with a preview each, and what somebody pushed to the ledger of the first one. */
async function sweepAfter(plant: (store: Store, branch: string) => Promise<void>): Promise<ClosedDoc> {
  pulls = await openPulls(planOf(lines.dns));
  for (const number of [11, 12]) {
    pulls.pulls.world.open(number, shaA, `feature-${number}`);
    const job = await pulls.pullEvent('opened', {}, number);
    await pulls.apply(pulls.asked(job, { pr: number }));
    pulls.pulls.world.close(number);
  }
  await plant(pulls.store(), branchOf('pr-11'));
  const { cwd, plan, environment, leaseTimeoutMs, waitTimeoutMs, env } = pulls.request({ env: { GITHUB_REPOSITORY: 'acme/shop' } });
  const asked = { cwd, plan, environment, leaseTimeoutMs, waitTimeoutMs, keepReceiptsDays: 90, env };
  return await runClosed(asked, { dispatcher: pulls.dispatcher, store: pulls.store(), clock: pulls.clock });
}

const write =
  (path: string, change: (before: string) => string) =>
  async (store: Store, branch: string): Promise<void> => {
    const tree = await store.read(branch);
    await store.append(branch, new Map([[path, change(tree?.files.get(path) ?? '')]]), tree?.head ?? null, 'planted');
  };

const line = { run: 'x', at: '2026-01-01T00:00:00.000Z', commit: null, pr: 11, repository: 'acme/shop', event: null, outcome: 'complete' };
const without = (member: string): object => Object.fromEntries(Object.entries(line).filter(([name]) => name !== member));

/** What somebody pushed, the file it stands in, and its text. */
const cases: readonly (readonly [string, string, string])[] = [
  ...Object.keys(line).map((member): [string, string, string] => [
    `a line of history without ${member}`,
    paths.history,
    JSON.stringify(without(member)),
  ]),
  ...Object.keys(line).map((member): [string, string, string] => [
    `a line of history with a list as ${member}`,
    paths.history,
    JSON.stringify({ ...line, [member]: [1] }),
  ]),
  ['a line of history that is no map', paths.history, '[]'],
  ['a line of history that is nothing', paths.history, 'null'],
  ['a receipt without its lines', paths.receipt, '{"v":1}'],
  ['a lease that is a text', paths.lease, '"held"'],
  ['a position of another form', paths.snapshot, '{"v":1,"lines":[null]}'],
];

describe('a sweep tells of a planted ledger, and ends the other scopes all the same', () => {
  it.each(cases)('%s', async (_, path, text) => {
    const doc = await sweepAfter(write(path, (before) => (path === paths.history ? `${before}${text}\n` : text)));
    expect(doc.scopes).toMatchObject([
      { branch: branchOf('pr-11'), outcome: 'failed', error: { code: 'LEDGER_CORRUPT', detail: expect.stringContaining(path) } },
      { scope: 'pr-12', outcome: 'destroyed' },
    ]);
    expect(pulls.records()).toHaveLength(1);
  });

  it('records of one object that name each other', async () => {
    const doc = await sweepAfter(async (store, branch) => {
      const records = [
        recordOf(1, { line: 'a', after: [recordOf(2).identity] }),
        recordOf(2, { line: 'b', after: [recordOf(1).identity] }),
      ];
      const head = await store.head(branch);
      await store.append(branch, new Map(records.map(({ path, text }) => [path, text])), head, 'planted');
    });
    expect(doc.scopes).toMatchObject([{ outcome: 'failed' }, { outcome: 'destroyed' }]);
    expect(doc.scopes[0]?.lines).toHaveLength(3);
  });

  it('a last line of another form, where the lines of removed scopes are', async () => {
    const removed = { v: 1, scope: 'pr-11', plan: null, branch: branchOf('pr-11'), head: 'x', removedAt: 'x', last: without('repository') };
    const doc = await sweepAfter((store) => write('removed/pr-11.json', () => JSON.stringify(removed))(store, historyBranch('preview')));
    expect(doc.scopes.map(({ outcome }) => outcome)).toEqual(['destroyed', 'destroyed']);
  });
});
