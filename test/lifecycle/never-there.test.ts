import { afterEach, describe, expect, it } from 'vitest';
import { runClosed } from '../../src/engine/closed.ts';
import { expectContracts } from '../contracts/expect.ts';
import { noToken, openPulls, type Pulls, shaA } from './pulls.ts';
import { lines, planOf } from './shop.ts';

let pulls: Pulls;
afterEach(async () => {
  pulls.verify();
  expectContracts([pulls.pulls]);
  await pulls.close();
});

const named = (name: string): string => planOf(lines.dns).replace('version: 1\n', `version: 1\nname: ${name}\n`);
const commits = (): number => pulls.remote.commits.length;
const refusal = (run: Promise<unknown>) =>
  run.then(
    () => expect.fail('the destroy was not refused'),
    (thrown: unknown) => thrown,
  );

describe('a destroy of a scope that no run ever had', () => {
  it('writes nothing for a person, names the nearest scope, and is refused as a wrong command line', async () => {
    pulls = await openPulls(planOf(lines.dns));
    await pulls.apply({ scope: 'checkout' });
    await pulls.apply({ scope: 'pr-9' });
    const before = commits();
    for (const run of [pulls.destroy, pulls.plan]) {
      const asked = pulls.watch();
      expect(await refusal(run({ scope: 'chekcout', destroy: true }))).toMatchObject({
        code: 'USAGE',
        detail: 'No run ever had the scope "chekcout" in preview. Did you mean "checkout"? Nothing was removed.',
        fix: 'Name one of its scopes: checkout, pr-9.',
      });
      expect(asked.all()).toEqual([]);
    }
    expect(commits()).toBe(before);
    expect((await pulls.destroy({ scope: 'checkout' })).status).toBe('complete');
  });

  it('says that the environment has no scope at all', async () => {
    pulls = await openPulls(planOf(lines.dns));
    expect(await refusal(pulls.destroy({ scope: 'pr-12' }))).toMatchObject({
      code: 'USAGE',
      fix: 'preview has no scope. Check `--env` and `--plan`.',
    });
    expect(commits()).toBe(0);
  });

  it('tells which plan has a scope of this name', async () => {
    pulls = await openPulls(named('shop'));
    await pulls.apply({ scope: 'checkout' });
    await pulls.write(named('web'));
    expect(await refusal(pulls.destroy({ scope: 'checkout' }))).toMatchObject({
      detail:
        'No run of the plan "web" ever had the scope "checkout" in preview. The plan "shop" has a scope of this name. Nothing was removed.',
      fix: 'preview has no scope of the plan "web". Check `--env` and `--plan`.',
    });
  });

  it('is a notice for the event of a closed pull request, and makes no ledger', async () => {
    pulls = await openPulls(planOf(lines.dns));
    pulls.pulls.world.open(12, shaA, 'feature');
    pulls.pulls.world.close(12);
    const doc = await pulls.onClosed();
    expect(doc).toMatchObject({ ok: true, status: 'complete', lines: [], receipt: { commit: null } });
    expect(doc.warnings).toEqual(['preview/pr-12 never had a preview, so there is nothing to remove.']);
    expect(commits()).toBe(0);
  });

  it('stays in the history where the code host does not tell that the pull request is closed, so that no late event makes it', async () => {
    pulls = await openPulls(planOf(lines.dns));
    pulls.pulls.world.open(12, shaA, 'feature');
    const late = await pulls.pullEvent('opened', noToken);
    await pulls.later();
    pulls.pulls.world.close(12);
    const job = await pulls.pullEvent('closed', noToken);
    expect((await pulls.apply(pulls.asked(job, { destroy: true }))).status).toBe('complete');
    expect((await pulls.ledger()).history).toMatchObject([{ pr: 12, outcome: 'destroyed: complete' }]);
    expect((await pulls.apply(pulls.asked(late))).status).toBe('stale');
    expect(pulls.records()).toEqual([]);
  });
});

describe('a destroy of a scope whose receipts were removed since', () => {
  it('is a notice for a person, and makes no ledger', async () => {
    pulls = await openPulls(planOf(lines.dns));
    pulls.pulls.world.open(12, shaA, 'feature');
    await pulls.onPull('opened');
    pulls.pulls.world.close(12);
    await pulls.onClosed();
    await pulls.clock.sleep(2 * 86_400_000);
    const { request, dispatcher, store, clock } = pulls;
    const { cwd, plan, environment, leaseTimeoutMs, waitTimeoutMs, env } = request({
      env: { ...pulls.env, GITHUB_REPOSITORY: 'acme/shop' },
    });
    const closed = { cwd, plan, environment, leaseTimeoutMs, waitTimeoutMs, env, keepReceiptsDays: 1 };
    expect((await runClosed(closed, { dispatcher, store: store(), clock })).summary).toEqual({ removed: 1 });
    const before = commits();
    const doc = await pulls.destroy({ scope: 'pr-12' });
    expect(doc).toMatchObject({ ok: true, status: 'complete', receipt: { commit: null } });
    expect(doc.warnings[0]).toMatch(/^preview\/pr-12 was destroyed at .*, and its receipts were packed since\.$/);
    expect(commits()).toBe(before);
  });
});
