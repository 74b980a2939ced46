import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runClosed } from '../../src/engine/closed.ts';
import type { RunEvent } from '../../src/engine/document.ts';
import { runApply } from '../../src/engine/run.ts';
import type { ClosedRequest, RunWorld } from '../../src/engine/types.ts';
import { belongingOf } from '../../src/ledger/model/belongs.ts';
import { factText, toText } from '../../src/ledger/model/file-text.ts';
import { historyBranch, receiptsBranch } from '../../src/ledger/model/names.ts';
import { parseState } from '../../src/ledger/model/state.ts';
import { openLocalStore } from '../../src/ledger/stores/local/local-store.ts';
import { leaseFact } from '../../src/ledger/writer/lease.ts';
import type { RepositoryFacts } from '../../src/platform/checkout.ts';
import { recordOf } from '../attacks/planted.ts';
import { expectContracts } from '../contracts/expect.ts';
import { noToken, openPulls, type Pulls, shaA } from './pulls.ts';
import { lines, planOf } from './shop.ts';

let pulls: Pulls;
afterEach(async () => {
  pulls.verify();
  expectContracts([pulls.pulls]);
  await pulls.close();
});

const branchOf = (scope: string): string => receiptsBranch('preview', scope);
const days = 86_400_000;
/** A person's terminal, or a nightly job: either has a token and knows the repository. */
const closed = (change: Partial<ClosedRequest> = {}, world: Partial<RunWorld> = {}) => {
  const { request, dispatcher, store, clock } = pulls;
  const { cwd, plan, environment, leaseTimeoutMs, waitTimeoutMs, env } = request({
    env: { GITHUB_REPOSITORY: 'acme/shop', ...change.env },
  });
  const asked = { cwd, plan, environment, leaseTimeoutMs, waitTimeoutMs, keepReceiptsDays: 90, ...change, env };
  return runClosed(asked, { dispatcher, store: store(), clock, ...world });
};
const outcomes = (doc: Awaited<ReturnType<typeof closed>>): readonly string[] =>
  doc.scopes.map(({ scope, outcome }) => `${scope} ${outcome}`);
const names = (): readonly string[] => pulls.records().map(({ name }) => name.replace('.acme.example', ''));

/** Pull requests with a preview each. */
async function previews(numbers: readonly number[], ...more: readonly string[]): Promise<Pulls> {
  pulls = await openPulls(planOf(lines.dns, ...more));
  for (const number of numbers) {
    pulls.pulls.world.open(number, shaA, `feature-${number}`);
    const job = await pulls.pullEvent('opened', {}, number);
    expect((await pulls.apply(pulls.asked(job, { pr: number }))).status).toBe('complete');
  }
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

describe('a scope whose first run died', () => {
  /** The runner is gone after its announcements and creates, and nobody hears of the close. */
  const died = async (): Promise<void> => {
    pulls = await openPulls(planOf(lines.payments, lines.dns, lines.callback));
    pulls.pulls.world.open(12, shaA);
    const dead = Promise.withResolvers<void>();
    let pushes = 0;
    pulls.remote.before = (branch) => {
      if (branch !== branchOf('pr-12') || ++pushes < 2) return;
      dead.resolve();
      return new Promise(() => undefined);
    };
    void pulls.onPull('opened');
    await dead.promise;
    pulls.remote.before = () => undefined;
    pulls.pulls.world.close(12);
  };

  it('after its creates belongs to its pull request', async () => {
    await died();
    const { lease, intents, history } = await pulls.ledger();
    expect(history).toEqual([]);
    const pull = { repository: 'memory', number: 12 };
    for (const named of [lease, ...intents.values()]) expect(named).toMatchObject({ pull });
    expect(intents.size).toBeGreaterThan(0);
    expect(pulls.records().length + pulls.world.stripe.world.endpoints().length).toBeGreaterThan(0);
    const doc = await closed();
    expect(outcomes(doc)).toEqual(['pr-12 destroyed']);
    expect([names(), pulls.world.stripe.world.endpoints()]).toEqual([[], []]);
  });

  it('belongs to it without a seal, too', async () => {
    await died();
    const files = pulls.remote.filesOf(branchOf('pr-12'));
    expect(belongingOf(parseState(files, branchOf('pr-12')))).toEqual({ pulls: [12], repositories: ['memory'] });
  });

  it('has its name in the lease where the name is too long for a branch', async () => {
    const scope = 'Ä'.repeat(120);
    pulls = await openPulls(planOf(lines.logout));
    pulls.pulls.world.open(12, shaA);
    const dead = Promise.withResolvers<void>();
    let pushes = 0;
    pulls.remote.before = (branch) => {
      if (branch !== branchOf(scope) || ++pushes < 2) return;
      dead.resolve();
      return new Promise(() => undefined);
    };
    void pulls.onPull('opened', { scope });
    await dead.promise;
    pulls.remote.before = () => undefined;
    pulls.pulls.world.close(12);
    expect(outcomes(await closed())).toEqual([`${scope} destroyed`]);
    expect((await pulls.ledger()).lease?.of).toBeUndefined();
  });

  it('in another repository, whose branches a fork copied, stays as it is', async () => {
    await died();
    const store = pulls.store();
    const change = [...pulls.remote.filesOf(branchOf('pr-12'))].map(([path, text]): [string, string] => {
      const { sum: _sum, ...fact } = JSON.parse(text) as { readonly sum?: string };
      const foreign = JSON.parse(JSON.stringify(fact).replaceAll('"repository":"memory"', '"repository":"acme/upstream"')) as object;
      return [path, path === 'lease.json' ? toText(foreign) : factText(foreign)];
    });
    await store.append(branchOf('pr-12'), new Map(change), await store.head(branchOf('pr-12')), 'a fork');
    const doc = await closed();
    expect(outcomes(doc)).toEqual(['pr-12 kept']);
    expect(doc.scopes[0]?.why).toContain('another repository');
  });
});

describe('the questions of a sweep', () => {
  /** A ledger of somebody whose credentials seal nothing. */
  const plant = async (number: number): Promise<void> => {
    const line = { run: 'r', at: new Date(pulls.clock.now()).toISOString(), commit: shaA, pr: number, repository: 'memory', event: null };
    const { path: where, text } = recordOf(number);
    const files = new Map([
      ['history.jsonl', `${JSON.stringify({ ...line, outcome: 'complete' })}\n`],
      [where, text],
    ]);
    await pulls.store().append(branchOf(`pr-${number}`), files, null, 'planted');
  };
  const pathsSince = (since: number): readonly string[] => pulls.pulls.log.slice(since).map(({ path: where }) => where);

  it('are one for each hundred of open pull requests, and two for each destroy', async () => {
    await previews([1, 2, 3, 4]);
    for (const number of [1, 2]) pulls.pulls.world.close(number);
    await closed();
    for (let number = 11; number <= 1000; number += 1) {
      pulls.pulls.world.open(number, shaA, `feature-${number}`);
      await plant(number);
    }
    for (const number of [3, 4]) pulls.pulls.world.close(number);
    const since = pulls.pulls.log.length;
    const doc = await closed();
    expect(doc.summary).toEqual({ gone: 2, destroyed: 2, kept: 990 });
    const asked = pathsSince(since);
    expect(asked.filter((where) => where === '/repos/acme/shop/pulls')).toHaveLength(10);
    expect(asked.filter((where) => where !== '/repos/acme/shop/pulls').sort()).toEqual([
      ...['/repos/acme/shop/pulls/3', '/repos/acme/shop/pulls/3'],
      ...['/repos/acme/shop/pulls/4', '/repos/acme/shop/pulls/4'],
    ]);
  });

  it('are none where every scope is gone', async () => {
    await previews([1, 2]);
    for (const number of [1, 2]) pulls.pulls.world.close(number);
    await closed();
    const since = pulls.pulls.log.length;
    expect((await closed()).summary).toEqual({ gone: 2 });
    expect(pathsSince(since)).toEqual([]);
  });

  it('take a pull request that the list lacks for open when it is', async () => {
    await previews([12]);
    pulls.pulls.faults.once('GET /repos/{o}/{r}/pulls', 200, []);
    expect(outcomes(await closed())).toEqual(['pr-12 kept']);
    expect(names()).toEqual(['pr-12']);
  });

  it('destroy nothing when the second page cannot be read', async () => {
    await previews([12]);
    pulls.pulls.world.close(12);
    for (let number = 100; number < 250; number += 1) pulls.pulls.world.open(number, shaA);
    const off = pulls.pulls.watch(({ phase }) => {
      if (phase === 'after') pulls.pulls.faults.times(20, 'GET /repos/{o}/{r}/pulls', 500, { message: 'no' });
    });
    const doc = await closed();
    off();
    pulls.pulls.faults.clear();
    expect(doc).toMatchObject({ ok: false, status: 'failed', scopes: [{ outcome: 'failed' }] });
    expect(names()).toEqual(['pr-12']);
  });
});

describe('a repository that got another name', () => {
  const facts = (slug: string, folder: string): RepositoryFacts => ({
    ...{ top: folder, gitDir: folder, commonDir: folder, remote: null, sha: null, branch: null, shallow: false },
    ...{ remoteUrl: `https://github.com/${slug}.git`, slug },
  });
  const underOldName = async (): Promise<void> => {
    pulls = await openPulls(planOf(lines.dns));
    pulls.pulls.world.open(12, shaA);
    const { dispatcher, store, clock } = pulls;
    const asked = pulls.request(pulls.asked(await pulls.pullEvent('opened'), { pr: 12 }));
    const doc = await runApply(asked, { dispatcher, store: store(), clock, repository: facts('acme/old-shop', pulls.folder) });
    expect(doc.status).toBe('complete');
    // Without the plan nothing but the seals vouches for the record.
    await rm(path.join(pulls.folder, 'release.plan.yaml'));
    pulls.pulls.world.close(12);
  };
  const swept = () => closed({}, { repository: facts('acme/shop', pulls.folder) });

  it('still has its scopes, and their seals hold', async () => {
    await underOldName();
    pulls.pulls.world.hadName('acme/old-shop');
    expect((await swept()).scopes).toMatchObject([{ scope: 'pr-12', outcome: 'destroyed' }]);
    expect(names()).toEqual([]);
  });

  it('is another one where the host does not lead from the old name to it', async () => {
    await underOldName();
    const doc = await swept();
    expect(outcomes(doc)).toEqual(['pr-12 kept']);
    expect(doc.scopes[0]?.why).toContain('another repository');
    expect(names()).toEqual(['pr-12']);
  });
});

describe('a scope that no pull request ends', () => {
  it('is a warning in every sweep, with what it holds and the command that ends it', async () => {
    await previews([11]);
    await pulls.apply({ scope: 'ann' });
    for (let sweep = 0; sweep < 2; sweep += 1) {
      const doc = await closed();
      expect(doc).toMatchObject({ ok: true, status: 'complete' });
      const [ann, open] = doc.scopes;
      const command = 'pilotfish apply --destroy --scope ann';
      expect(ann).toMatchObject({ scope: 'ann', outcome: 'kept', unowned: { records: 1, announced: 0, missing: 0, command } });
      expect(ann?.warnings).toEqual([
        `No pull request ends the scope ann of preview: its ledger names no pull request. It holds 1 recorded object. If nobody uses it, run \`${command}\`.`,
      ]);
      expect(open?.warnings).toBeUndefined();
    }
    await pulls.apply({ scope: 'ann', destroy: true });
    expect((await closed()).scopes[0]?.warnings).toBeUndefined();
  });

  it('is one whose pull request the host does not show', async () => {
    await previews([12]);
    pulls.pulls.world.hide(12);
    const [scope] = (await closed()).scopes;
    expect(scope).toMatchObject({ outcome: 'kept', unowned: { records: 1 }, warnings: [expect.stringContaining('404')] });
  });
});

describe('a runner that died with its lease', () => {
  it('keeps no other scope waiting, and several of them are waited for together', async () => {
    const all = [11, 12, 13, 14, 15];
    await previews(all);
    for (const number of all) pulls.pulls.world.close(number);
    for (const number of [11, 12, 13]) {
      const lease = { ...leaseFact({ holder: 'dead/1', run: `dead-${number}`, durationMs: 120_000, deadlineMs: 30_000 }, 1, 0) };
      const store = pulls.store();
      const head = await store.head(branchOf(`pr-${number}`));
      await store.append(branchOf(`pr-${number}`), new Map([['lease.json', toText(lease)]]), head, 'a dead runner');
    }
    const began = pulls.clock.now();
    const gone: (readonly [string, number])[] = [];
    const off = pulls.world.cloudflare.watch(({ phase, method }) => {
      if (phase === 'after' && method === 'DELETE') gone.push([names().join(' '), pulls.clock.now() - began]);
    });
    const doc = await closed({ leaseTimeoutMs: 900_000 });
    off();
    expect(doc.summary).toEqual({ destroyed: 5 });
    expect(names()).toEqual([]);
    expect(gone.map(([, at]) => at < 60_000)).toEqual([true, true, false, false, false]);
    // One after the other they would take three times two and a half minutes.
    expect(gone.at(-1)?.[1]).toBeLessThan(200_000);
  });
});

it('a head branch that is renamed changes nothing: the scope is of the number', async () => {
  await previews([12]);
  Object.assign(pulls.pulls.world.pull(12), { branch: 'another-name' });
  expect(outcomes(await closed())).toEqual(['pr-12 kept']);
  pulls.pulls.world.close(12);
  expect(outcomes(await closed())).toEqual(['pr-12 destroyed']);
});

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
