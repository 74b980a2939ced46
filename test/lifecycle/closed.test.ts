import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/engine/document.ts';
import { expectContracts } from '../contracts/expect.ts';
import { noToken, type Pulls, shaA } from './pulls.ts';
import { lines, planOf } from './shop.ts';
import { branchOf, openPreviews, outcomes, sweepOf } from './sweeps.ts';

let pulls: Pulls;
afterEach(async () => {
  pulls.verify();
  expectContracts([pulls.pulls]);
  await pulls.close();
});

const closed = (change: Parameters<typeof sweepOf>[1] = {}, world: Parameters<typeof sweepOf>[2] = {}) => sweepOf(pulls, change, world);
const names = (): readonly string[] => pulls.records().map(({ name }) => name.replace('.acme.example', ''));

async function previews(...given: Parameters<typeof openPreviews>): Promise<Pulls> {
  pulls = await openPreviews(...given);
  return pulls;
}

describe('--closed', () => {
  it('destroys the scope of the closed pull request, and touches neither that of the open one nor that of a person', async () => {
    await previews([11, 12]);
    await pulls.apply({ scope: 'ann' });
    pulls.pulls.world.close(12);
    const doc = await closed();
    expect(doc).toMatchObject({ ok: true, command: 'apply', mode: 'closed', status: 'complete', summary: { destroyed: 1, kept: 2 } });
    expect(outcomes(doc)).toEqual(['ann kept', 'pr-11 kept', 'pr-12 destroyed']);
    expect(doc.scopes.map(({ why }) => why)).toEqual([
      'its ledger names no pull request',
      'the pull request 11 is open',
      'the pull request 12 is closed',
    ]);
    expect(names()).toEqual(['pr-11', 'ann']);
    expect((await pulls.ledger('pr-12')).history.at(-1)).toMatchObject({ pr: 12, pull: 'closed', outcome: 'destroyed: complete' });
    expect(doc.stats).toMatchObject({ writes: 1, requests: expect.any(Number) });
  });

  it('again finds nothing left to do and asks only for what is still there', async () => {
    await previews([11, 12]);
    pulls.pulls.world.close(12);
    await closed();
    const [commits, asked] = [pulls.remote.commits.length, pulls.pulls.log.length];
    expect(outcomes(await closed())).toEqual(['pr-11 kept', 'pr-12 gone']);
    expect(pulls.remote.commits.length).toBe(commits);
    expect(pulls.pulls.log.slice(asked).map(({ path: where }) => where)).toEqual(['/repos/acme/shop/pulls']);
  });

  it('goes on past a scope that fails, and the next one goes on from there', async () => {
    await previews([11, 12, 13]);
    for (const number of [11, 12, 13]) pulls.pulls.world.close(number);
    const [first] = pulls.records();
    pulls.world.cloudflare.faults.times(1, `DELETE /client/v4/zones/{zone}/dns_records/${first?.id}`, 403, { success: false, errors: [] });
    const doc = await closed();
    expect(outcomes(doc)).toEqual(['pr-11 failed', 'pr-12 destroyed', 'pr-13 destroyed']);
    expect(doc).toMatchObject({ ok: false, status: 'failed', error: { code: 'PROVIDER_AUTH' } });
    expect(doc.scopes[0]?.lines).toMatchObject([{ id: 'dns', state: 'failed' }]);
    expect(names()).toEqual(['pr-11']);
    expect(outcomes(await closed())).toEqual(['pr-11 destroyed', 'pr-12 gone', 'pr-13 gone']);
  });

  it('goes on past a scope whose ledger is damaged', async () => {
    await previews([11, 12]);
    for (const number of [11, 12]) pulls.pulls.world.close(number);
    const store = pulls.store();
    await store.append(branchOf('pr-11'), new Map([['receipt.json', '{']]), await store.head(branchOf('pr-11')), 'damage');
    const doc = await closed();
    expect(doc.scopes).toMatchObject([
      { outcome: 'failed', branch: branchOf('pr-11'), error: { code: 'LEDGER_CORRUPT' } },
      { outcome: 'destroyed' },
    ]);
    expect(doc.ok).toBe(false);
  });

  it('never takes a 404 for closed', async () => {
    await previews([12]);
    pulls.pulls.world.hide(12);
    const doc = await closed();
    expect(outcomes(doc)).toEqual(['pr-12 kept']);
    expect(doc.ok).toBe(true);
    expect(doc.scopes[0]?.why).toContain('404');
    expect(names()).toEqual(['pr-12']);
  });

  it.each([401, 500])('destroys nothing when the code host answers %i', async (status) => {
    await previews([12]);
    pulls.pulls.world.close(12);
    pulls.pulls.faults.times(20, 'GET /repos/{o}/{r}/pulls/{n}', status, { message: 'no' });
    const doc = await closed();
    expect(doc).toMatchObject({ ok: false, status: 'failed', scopes: [{ outcome: 'failed' }] });
    expect(names()).toEqual(['pr-12']);
    pulls.pulls.faults.clear();
  });

  it('leaves alone what is opened again before its turn, or under its lease', async () => {
    await previews([12]);
    for (const answers of [1, 2]) {
      pulls.pulls.world.close(12);
      let asked = 0;
      const off = pulls.pulls.watch(({ phase }) => {
        if (phase === 'after' && ++asked === answers) pulls.pulls.world.reopen(12);
      });
      const doc = await closed();
      off();
      expect(outcomes(doc)).toEqual(['pr-12 kept']);
      expect(doc.scopes[0]?.why).toContain('is open');
      expect(names()).toEqual(['pr-12']);
    }
    expect((await pulls.ledger()).records.size).toBe(1);
  });

  it('takes a scope that several pull requests used only when all are closed', async () => {
    await previews([11, 12]);
    for (const pr of [11, 12]) await pulls.apply(pulls.asked(await pulls.pullEvent('synchronize', {}, pr), { pr, scope: 'shared' }));
    pulls.pulls.world.close(12);
    expect(outcomes(await closed())).toContain('shared kept');
    pulls.pulls.world.close(11);
    const doc = await closed();
    expect(outcomes(doc)).toContain('shared destroyed');
    expect(doc.scopes.find(({ scope }) => scope === 'shared')?.why).toBe('the pull requests 11, 12 are closed');
  });

  it('leaves receipts of another repository alone, as a fork has them', async () => {
    await previews([12]);
    pulls.pulls.world.close(12);
    const store = pulls.store();
    const files = pulls.remote.filesOf(branchOf('pr-12'));
    const foreign = (files.get('history.jsonl') ?? '').replaceAll('"repository":"memory"', '"repository":"acme/upstream"');
    await store.append(branchOf('pr-12'), new Map([['history.jsonl', foreign]]), await store.head(branchOf('pr-12')), 'a fork');
    const doc = await closed();
    expect(outcomes(doc)).toEqual(['pr-12 kept']);
    expect(doc.scopes[0]?.why).toContain('another repository');
  });

  it('ends the previews of open pull requests that lost the right to one, and only those', async () => {
    await previews([11, 12, 13]);
    const { world } = pulls.pulls;
    for (const number of [11, 12, 13]) world.label(number, ['preview']);
    const wanting = { label: 'preview', drafts: false };
    expect(outcomes(await closed({ wanting }))).toEqual(['pr-11 kept', 'pr-12 kept', 'pr-13 kept']);
    world.label(12, []);
    world.draft(13, true);
    const doc = await closed({ wanting });
    expect(doc.scopes.map(({ outcome, why }) => [outcome, why])).toEqual([
      ['kept', 'the pull request 11 is open'],
      ['destroyed', 'the pull request 12 does not bear the label preview'],
      ['destroyed', 'the pull request 13 is a draft'],
    ]);
    expect(names()).toEqual(['pr-11']);
    expect((await pulls.ledger('pr-12')).history.at(-1)).toMatchObject({ pr: 12, pull: 'open', outcome: 'destroyed: complete' });
    world.label(12, ['preview']);
    expect((await pulls.apply(pulls.asked(await pulls.pullEvent('labeled', {}, 12), { pr: 12 }))).status).toBe('complete');
    expect(names()).toEqual(['pr-11', 'pr-12']);
  });

  it('keeps the preview of a pull request that gets its label back before the destroy holds the lease', async () => {
    await previews([12]);
    let asked = 0;
    const off = pulls.pulls.watch(({ phase, path: where }) => {
      if (phase === 'after' && where.endsWith('/pulls/12') && ++asked === 1) pulls.pulls.world.label(12, ['preview']);
    });
    const doc = await closed({ wanting: { label: 'preview', drafts: true } });
    off();
    expect(outcomes(doc)).toEqual(['pr-12 kept']);
    expect(names()).toEqual(['pr-12']);
  });

  /** A preview of a plan without a name, and one of the plan `docs`, which stands in the checkout. */
  async function twoPlans(): Promise<void> {
    await previews([11]);
    await pulls.write(`name: docs\n${planOf(lines.logout)}`);
    pulls.pulls.world.open(12, shaA);
    await pulls.apply(pulls.asked(await pulls.pullEvent('opened', {}, 12)));
  }

  it('ends a scope of another plan too, because its plan may have had another name in its pull request', async () => {
    await twoPlans();
    expect(outcomes(await closed())).toEqual(['pr-12 kept']);
    for (const number of [11, 12]) pulls.pulls.world.close(number);
    const doc = await closed();
    expect(doc.scopes.map(({ plan, scope, outcome }) => [plan, scope, outcome])).toEqual([
      ['docs', 'pr-12', 'destroyed'],
      [null, 'pr-11', 'destroyed'],
    ]);
    expect(names()).toEqual([]);
    expect(outcomes(await closed())).toEqual(['pr-12 gone']);
  });

  it('leaves a scope of another plan whose objects a key made that this sweep does not have', async () => {
    await twoPlans();
    for (const number of [11, 12]) pulls.pulls.world.close(number);
    expect(outcomes(await closed({ env: { CLOUDFLARE_API_TOKEN: 'cf_another0token0of0another0account0' } }))).toEqual(['pr-12 destroyed']);
    expect(names()).toEqual(['pr-11']);
  });

  it('sees the scopes of all plans where there is no plan', async () => {
    await twoPlans();
    for (const number of [11, 12]) pulls.pulls.world.close(number);
    await rm(path.join(pulls.folder, 'release.plan.yaml'));
    expect(outcomes(await closed())).toEqual(['pr-12 destroyed', 'pr-11 destroyed']);
  });

  it('finds a scope whose name is too long for a branch', async () => {
    const scope = 'Ä'.repeat(120);
    await previews([12]);
    await pulls.write(planOf(lines.logout));
    await pulls.apply(pulls.asked(await pulls.pullEvent('synchronize'), { scope }));
    pulls.pulls.world.close(12);
    expect(outcomes(await closed())).toContain(`${scope} destroyed`);
  });

  it('run twice at once agrees and destroys each object once', async () => {
    await previews([11, 12], lines.payments);
    for (const number of [11, 12]) pulls.pulls.world.close(number);
    const docs = await Promise.all([closed(), closed()]);
    for (const doc of docs) {
      expect(doc.ok).toBe(true);
      expect(doc.scopes.every(({ outcome }) => outcome === 'destroyed' || outcome === 'gone')).toBe(true);
    }
    expect([names(), pulls.world.stripe.world.endpoints()]).toEqual([[], []]);
    for (const scope of ['pr-11', 'pr-12']) expect((await pulls.ledger(scope)).records.size).toBe(0);
  });

  it('that is interrupted says which scopes it did not come to, and the next one goes on', async () => {
    const all = [11, 12, 13, 14, 15, 16];
    await previews(all);
    for (const number of all) pulls.pulls.world.close(number);
    const stop = new AbortController();
    const off = pulls.world.cloudflare.watch(({ phase, method }) => {
      if (phase === 'after' && method === 'DELETE') stop.abort(new Error('SIGINT'));
    });
    const doc = await closed({}, { signal: stop.signal });
    off();
    expect(doc).toMatchObject({ ok: false, status: 'interrupted' });
    expect(doc.scopes.at(-1)).toMatchObject({ scope: 'pr-16', outcome: 'interrupted', pullRequests: [16] });
    expect(names()).toContain('pr-16');
    const next = await closed();
    expect(next.ok).toBe(true);
    expect(names()).toEqual([]);
  });

  it('is refused without a token, without a code host, and for production', async () => {
    await previews([12]);
    pulls.pulls.world.close(12);
    const asked = pulls.pulls.log.length;
    await expect(closed({ env: noToken })).rejects.toMatchObject({
      code: 'CREDENTIAL_MISSING',
      fix: expect.stringContaining('GITHUB_TOKEN'),
    });
    await expect(closed({ env: { GITHUB_REPOSITORY: '' } })).rejects.toMatchObject({
      code: 'USAGE',
      detail: expect.stringContaining('not on github.com'),
    });
    await expect(closed({ environment: 'production' })).rejects.toMatchObject({ code: 'USAGE' });
    expect(pulls.pulls.log.length).toBe(asked);
    expect(names()).toEqual(['pr-12']);
  });

  it('tells its progress scope by scope and shows no token', async () => {
    await previews([12]);
    pulls.pulls.world.close(12);
    const events: RunEvent[] = [];
    const doc = await closed({}, { listen: (event) => void events.push(event) });
    expect(events.filter((event) => event.type === 'line').every(({ line }) => line === 'pr-12: dns')).toBe(true);
    expect(events.flatMap((event) => (event.type === 'lines' ? event.lines.map(({ id }) => id) : []))).toEqual(['pr-12: dns']);
    expect(events.flatMap((event) => (event.type === 'machine' ? [event.actor] : [])).every((actor) => actor.startsWith('pr-12: '))).toBe(
      true,
    );
    expect(JSON.stringify([doc, events])).not.toContain(pulls.pulls.tokens.full);
  });
});
