import { afterEach, describe, expect, it } from 'vitest';
import { readReceipts } from '../../src/engine/finish/receipts.ts';
import { applyText } from '../../src/report/apply-text.ts';
import { markdownOf } from '../../src/report/markdown/markdown.ts';
import { plainStyles } from '../../src/report/styles.ts';
import { days, openLives } from './lives.ts';
import { branch, noToken, type Pulls } from './pulls.ts';
import { lines, planOf } from './shop.ts';

let pulls: Pulls;
afterEach(async () => {
  pulls.verify();
  await pulls.close();
});

const hostTime = (): number => pulls.pulls.log.at(-1)?.at ?? 0;
const renewed = async () => (await pulls.ledger()).history.at(-1)?.renewed;

describe('an apply', () => {
  it('stores the time of the code host and the span, in the push that it makes anyway', async () => {
    pulls = await openLives();
    const doc = await pulls.onPull('opened');
    const { at = '', ...rest } = (await renewed()) ?? {};
    expect(hostTime() - Date.parse(at)).toBeLessThan(2_000);
    expect(rest).toMatchObject({ staysMs: 14 * days, label: 'keep-preview' });
    expect(applyText(doc, plainStyles, { apply: '', prune: '', isDestroy: false })).toContain(
      'on 5 Dec 2026 unless it is applied again; the label keep-preview keeps it',
    );
    expect(markdownOf(doc, { longest: 60_000 })).toContain(
      'goes on 5 Dec 2026 unless it is applied again; the label <code>keep-preview</code> keeps it.',
    );
    expect(doc.lifetime).toEqual({ goesAt: new Date(Date.parse(at) + 14 * days).toISOString(), label: 'keep-preview' });
  });

  it('without a change renews its scope with history and receipt alone, in one push', async () => {
    pulls = await openLives();
    await pulls.onPull('opened');
    const first = (await renewed())?.at ?? '';
    await pulls.clock.sleep(3 * days);
    const [before, { writes }] = [pulls.remote.commits.length, pulls.watch()];
    expect((await pulls.onPull('reopened')).status).toBe('complete');
    expect(Date.parse((await renewed())?.at ?? '') - Date.parse(first)).toBe(3 * days);
    expect(writes()).toEqual([]);
    expect(pulls.remote.commits.slice(before).map(({ change }) => [...change.keys()].sort())).toEqual([['history.jsonl', 'receipt.json']]);
  });

  it.each([-9 * days, 9 * days])('on a runner whose clock is %i ms off stores the time of the code host', async (runnersAhead) => {
    pulls = await openLives('{ idle: 14d }', { runnersAhead, providersAhead: 5 * days });
    await pulls.onPull('opened');
    expect(hostTime() - Date.parse((await renewed())?.at ?? '')).toBeLessThan(2_000);
  });

  it('that fails renews it too', async () => {
    pulls = await openLives();
    pulls.world.cloudflare.faults.times(9, 'POST /client/v4/zones/{zone}/dns_records', 403, { success: false, errors: [] });
    expect((await pulls.onPull('opened')).status).toBe('failed');
    expect(await renewed()).toMatchObject({ staysMs: 14 * days });
    pulls.world.cloudflare.faults.clear();
  });

  it('without a code host stores no end, and says what that means', async () => {
    pulls = await openLives();
    const doc = await pulls.onPull('opened', { env: noToken });
    expect(await renewed()).toBeUndefined();
    expect(doc.lifetime).toBeUndefined();
    expect(doc.warnings).toContainEqual(expect.stringContaining('does not expire until its next apply with a code host: GITHUB_TOKEN'));
  });

  it.each([
    ['of a plan without a lifetime', null, {}],
    ['for no pull request, where only those expire', '{ idle: 14d }', { pr: null, scope: 'ann' }],
    ['for a pull request, where only others expire', '{ others: 14d }', {}],
    ['of production', '{ idle: 14d, others: 14d }', { environment: 'production', approvedBy: 'ann', scope: 'production', pr: null }],
  ])('%s stores no end', async (_, lifetime, change) => {
    pulls = await openLives(lifetime ?? '{ idle: 1d }');
    if (lifetime === null) await pulls.write(planOf(lines.dns));
    const doc = await ('scope' in change ? pulls.apply(change) : pulls.onPull('opened', change));
    expect([doc.status, doc.lifetime]).toEqual(['complete', undefined]);
    expect([...pulls.remote.branches.values()].map(({ files }) => files.get('history.jsonl') ?? '').join('')).not.toContain('renewed');
  });
});

it('the receipt of a scope says when it goes', async () => {
  pulls = await openLives();
  await pulls.onPull('opened');
  const request = { ...pulls.request(), scope: 'pr-12', pr: null };
  const doc = await readReceipts(request, { store: pulls.store(), clock: pulls.clock, repository: null });
  expect(doc).toMatchObject({ branch, lifetime: { goesAt: expect.stringMatching(/^2026-12-05T/), label: 'keep-preview' } });
});
