import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runClosed } from '../../src/engine/closed.ts';
import { toText } from '../../src/ledger/model/file-text.ts';
import { receiptsBranch } from '../../src/ledger/model/names.ts';
import { leaseFact } from '../../src/ledger/writer/lease.ts';
import { openPulls, type Pulls, shaA } from '../lifecycle/pulls.ts';
import { lines, planOf } from '../lifecycle/shop.ts';
import { patient } from './crossing.ts';
import { Forger, factsIn, put } from './forger.ts';
import { cells, kindsOf } from './forgeries.ts';
import { expectNamed, personsObjects, sharedList, standing, told } from './standing.ts';

/*
 * The nightly sweep goes through the ledgers of all scopes with the credentials of the repository. So many forged ones meet one sweep as
 * providers have room for.
 */
const atOnce = 10;
const rows = cells
  // A sweep asks no plan, so a line that left it is as all others.
  .filter(({ carrier }) => !carrier.isOrphan)
  .flatMap((cell, n) => kindsOf(cell, n).map((kind) => ({ title: `${cell.name} (${kind})`, cell, kind })))
  .map((row, at) => ({ ...row, number: 100 + at }));
const ofLedgers = rows.filter(({ cell }) => !cell.carrier.isLock);
const batches = [
  ...Array.from({ length: Math.ceil(ofLedgers.length / atOnce) }, (_, at) => ofLedgers.slice(at * atOnce, (at + 1) * atOnce)),
  // All scopes share the lock.
  ...rows.flatMap((row) => (row.cell.carrier.isLock ? [[row]] : [])),
];

const scopeOf = (number: number): string => `pr-${number}`;
const branchOf = (number: number): string => receiptsBranch('preview', scopeOf(number));
const open = 900;

async function preview(pulls: Pulls, number: number, ...of: readonly string[]): Promise<void> {
  pulls.pulls.world.open(number, shaA, `feature-${number}`);
  await pulls.write(planOf(...of));
  const job = await pulls.pullEvent('opened', {}, number);
  expect((await pulls.apply(pulls.asked(job, { pr: number }))).status).toBe('complete');
}

const sweep = ({ request, dispatcher, store, clock }: Pulls) => {
  const { cwd, plan, environment, waitTimeoutMs, env } = request({ env: { GITHUB_REPOSITORY: 'acme/shop' } });
  return runClosed({ cwd, plan, environment, waitTimeoutMs, ...patient, keepReceiptsDays: 90, env }, { dispatcher, store: store(), clock });
};

describe.each(batches.map((batch) => [batch] as const))('a sweep gains nothing from', (batch) => {
  let pulls: Pulls;
  let said: string;
  const seen: object[] = [];
  const look = () =>
    seen.push({
      others: standing(
        pulls.world,
        batch.map(({ number }) => scopeOf(number)),
        'others',
      ),
      strangers: [...pulls.strangers],
    });

  beforeAll(async () => {
    pulls = await openPulls('');
    const theirs = personsObjects(pulls.world);
    const marker = path.join(pulls.folder, 'taken');
    await preview(pulls, open, lines.payments, lines.dns, lines.callback);
    await pulls.write(planOf(lines.payments, lines.dns, lines.callback).replaceAll('${ctx.scope}', 'elsewhere'));
    await pulls.apply({ environment: 'production', scope: null, approvedBy: 'ann' });
    const forger = new Forger(pulls.remote);
    for (const { number, kind } of batch) await preview(pulls, number, lines[kind], kind === 'dns' ? lines.payments : lines.dns);
    for (const { number, cell, kind } of batch) {
      if (cell.carrier.isOfDead) await forger.die(branchOf(number));
      const [otherScope, otherEnvironment] = [branchOf(open), receiptsBranch('production', 'production')].map((of) =>
        pulls.remote.filesOf(of),
      );
      const loot = { line: kind, theirs: theirs[kind], marker, otherScope, otherEnvironment };
      await forger.push(cell.carrier.isLock ? sharedList : branchOf(number), (files) => cell.forge(files, loot));
      pulls.pulls.world.close(number);
    }
    look();
    said = await told(sweep(pulls));
    look();
    expect(existsSync(marker)).toBe(false);
  });
  afterAll(() => pulls.close());

  it('any of these: nothing is sent to a host of theirs, and nothing of others goes', () => {
    expect(seen[1]).toEqual(seen[0]);
  });

  it.each(batch.map((row) => [row.title, row] as const))('%s', (_, { number, cell }) => {
    const { scopes } = JSON.parse(said) as {
      readonly scopes: readonly { readonly branch: string; readonly outcome: string; readonly why: string }[];
    };
    const scope = scopes.find(({ branch }) => branch === branchOf(number));
    // Where its history does not name its pull request, or another open one is named beside it, a scope is kept, and the sweep says so.
    if (scope?.outcome === 'kept')
      expect([cell.name, scope.why]).toEqual([
        expect.stringMatching(/^a line of the history|^a lease: as another scope/),
        expect.stringMatching(/histor|open/),
      ]);
    else expectNamed(pulls.world, scopeOf(number), JSON.stringify(scope));
  });
});

describe('a history that somebody wrote', () => {
  let pulls: Pulls;
  let forger: Forger;
  beforeEach(async () => {
    pulls = await openPulls('');
    for (const number of [11, 12]) await preview(pulls, number, lines.dns);
    pulls.pulls.world.close(12);
    forger = new Forger(pulls.remote);
  });
  afterEach(() => pulls.close());
  const names = () => pulls.records().map(({ name }) => name.replace('.acme.example', ''));

  it('naming a closed pull request ends no scope of one that is open', async () => {
    await forger.push(branchOf(11), (files) => {
      files.set('history.jsonl', (files.get('history.jsonl') ?? '').replaceAll('"pr":11', '"pr":12'));
    });
    const doc = await sweep(pulls);
    expect(doc.scopes.map(({ scope, outcome, why }) => [scope, outcome, why])).toEqual([
      ['pr-11', 'kept', 'the pull request 11 is open'],
      ['pr-12', 'destroyed', 'the pull request 12 is closed'],
    ]);
    expect(names()).toEqual(['pr-11']);
  });

  const named = { repository: 'memory', number: 12 };
  const lineOf = (pr: number): string =>
    `${JSON.stringify({ run: 'f0f0f0f0f0f0', at: '2026-01-01T00:00:00.000Z', commit: null, pr, repository: null, event: null, outcome: 'complete' })}\n`;
  const forgeries: readonly (readonly [string, (files: Map<string, string>) => void])[] = [
    [
      'a lease',
      (files) =>
        files.set(
          'lease.json',
          toText({ ...leaseFact({ holder: 'h', run: 'f0f0', durationMs: 3000, deadlineMs: 300 }, 1, 0, 0), pull: named }),
        ),
    ],
    [
      'an announcement',
      (files) => {
        const [[, record] = ['', {}]] = factsIn(files, 'records');
        put(files, 'intents', { ...record, idempotencyKey: null, not: [], at: '2026-01-01T00:00:00.000Z', pull: named });
      },
    ],
    ['a line of the history', (files) => files.set('history.jsonl', `${files.get('history.jsonl') ?? ''}${lineOf(12)}`)],
    ['a seal list', (files) => files.set('seals.json', (files.get('seals.json') ?? '').replace(/"pulls": \[[^\]]*\]/g, '"pulls": [12]'))],
  ];

  it.each(forgeries)('%s that names a closed pull request ends neither the scope of an open one nor that of a person', async (_, forge) => {
    await pulls.apply({ scope: 'ann' });
    for (const scope of ['pr-11', 'ann']) await forger.push(receiptsBranch('preview', scope), forge);
    const doc = await sweep(pulls);
    expect(doc.scopes.map(({ scope, outcome }) => [scope, outcome])).toEqual([
      ['ann', 'kept'],
      ['pr-11', 'kept'],
      ['pr-12', 'destroyed'],
    ]);
    expect(names()).toEqual(['pr-11', 'ann']);
  });

  it('a scope of a person that a pull request used afterwards goes with it', async () => {
    await pulls.apply({ scope: 'ann' });
    pulls.pulls.world.reopen(12);
    await pulls.apply(pulls.asked(await pulls.pullEvent('synchronize', {}, 12), { pr: 12, scope: 'ann' }));
    pulls.pulls.world.close(12);
    expect((await sweep(pulls)).summary).toEqual({ destroyed: 2, kept: 1 });
  });

  it.each([
    ['and that says that the scope was destroyed', 'destroyed: complete'],
    ['and that says nothing of a destroy', 'complete'],
  ])('in a ledger without its facts %s hides nothing', async (_, outcome) => {
    await forger.push(branchOf(12), (files) => {
      for (const path of [...files.keys()]) if (/^(?:records|seals)/.test(path)) files.delete(path);
      const [last = '{}'] = (files.get('history.jsonl') ?? '').trim().split('\n').slice(-1);
      const line = JSON.stringify({ ...(JSON.parse(last) as object), run: 'f0f0f0f0f0f0', outcome });
      files.set('history.jsonl', `${files.get('history.jsonl') ?? ''}${line}\n`);
    });
    const doc = await sweep(pulls);
    expect([doc.ok, doc.summary]).toEqual([false, { kept: 1, failed: 1 }]);
    expect(names()).toEqual(['pr-11']);
  });
});
