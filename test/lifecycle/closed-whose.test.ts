import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runApply } from '../../src/engine/run.ts';
import { belongingOf } from '../../src/ledger/model/belongs.ts';
import { factText, toText } from '../../src/ledger/model/file-text.ts';
import { parseState } from '../../src/ledger/model/state.ts';
import { leaseFact } from '../../src/ledger/writer/lease.ts';
import type { RepositoryFacts } from '../../src/platform/checkout.ts';
import { recordOf } from '../attacks/planted.ts';
import { expectContracts } from '../contracts/expect.ts';
import { openPulls, type Pulls, shaA } from './pulls.ts';
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
    ...{ top: folder, gitDir: folder, commonDir: folder, remote: null, sha: null, branch: null, shallow: false, objectFormat: 'sha1' },
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
