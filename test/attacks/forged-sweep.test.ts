import { afterEach, expect, it } from 'vitest';
import { runClosed } from '../../src/engine/closed.ts';
import { receiptsBranch } from '../../src/ledger/model/names.ts';
import { openPulls, type Pulls, shaA } from '../lifecycle/pulls.ts';
import { lines, planOf } from '../lifecycle/shop.ts';
import { add, type Fact, Forger, factsIn } from './forger.ts';

/** The nightly sweep goes through the ledgers of all scopes with the credentials of the repository. */
let pulls: Pulls;
afterEach(async () => {
  pulls.verify();
  await pulls.close();
});

const branch = receiptsBranch('preview', 'pr-12');

async function open() {
  pulls = await openPulls(planOf(lines.dns));
  for (const number of [11, 12]) {
    pulls.pulls.world.open(number, shaA, `feature-${number}`);
    const job = await pulls.pullEvent('opened', {}, number);
    expect((await pulls.apply(pulls.asked(job, { pr: number }))).status).toBe('complete');
  }
  pulls.pulls.world.close(12);
  return new Forger(pulls.remote);
}

const sweep = () => {
  const { request, dispatcher, store, clock } = pulls;
  const { cwd, plan, environment, leaseTimeoutMs, waitTimeoutMs, env } = request({ env: { GITHUB_REPOSITORY: 'acme/shop' } });
  return runClosed(
    { cwd, plan, environment, leaseTimeoutMs, waitTimeoutMs, keepReceiptsDays: 90, env },
    { dispatcher, store: store(), clock },
  );
};
const names = (): readonly string[] => pulls.records().map(({ name }) => name.replace('.acme.example', ''));
const record = (files: ReadonlyMap<string, string>): Fact => factsIn(files, 'records')[0]?.[1] ?? {};

it('sends nothing to a host that only a ledger names, and takes away what is its scope’s', async () => {
  const forger = await open();
  await forger.push(branch, (files) => {
    const fact = record(files);
    add(files, 'records', { ...fact, line: 'extra', provider: { ...(fact.provider as Fact), base_url: 'https://thief.example' } }, 'a');
    add(files, 'records', { ...fact, provider: { ...(fact.provider as Fact), base_url: 'https://thief.example' } }, '');
  });
  const doc = await sweep();
  expect(doc.ok).toBe(false);
  expect(names()).toEqual(['pr-11']);
});

it('removes nothing of a scope whose pull request is open, whatever another ledger says', async () => {
  const forger = await open();
  const theirs = pulls.remote.filesOf(receiptsBranch('preview', 'pr-11'));
  await forger.push(branch, (files) => {
    for (const [path, text] of theirs) if (/^(?:records|seals)/.test(path)) files.set(path, text);
  });
  await sweep();
  expect(names()).toEqual(['pr-11']);
});

const historyOf = (files: ReadonlyMap<string, string>): Fact[] =>
  (files.get('history.jsonl') ?? '').split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Fact]));
const historyText = (lines: readonly Fact[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

it('takes away what is there of a scope whose history says that it was destroyed', async () => {
  const forger = await open();
  await forger.push(branch, (files) => {
    for (const path of [...files.keys()]) if (/^(?:records|seals)/.test(path)) files.delete(path);
    const lines = historyOf(files);
    files.set('history.jsonl', historyText([...lines, { ...lines.at(-1), run: 'f0f0f0f0f0f0', outcome: 'destroyed: complete' }]));
  });
  const doc = await sweep();
  expect([doc.ok, doc.summary]).toEqual([false, { kept: 1, failed: 1 }]);
  expect(names()).toEqual(['pr-11']);
});

it('asks about the pull request that a scope was made for, whatever its history says', async () => {
  const forger = await open();
  const theirs = receiptsBranch('preview', 'pr-11');
  await forger.push(theirs, (files) => {
    files.set('history.jsonl', historyText(historyOf(files).map((line) => ({ ...line, pr: 12 }))));
  });
  const doc = await sweep();
  expect(doc.scopes.map(({ scope, outcome, why }) => [scope, outcome, why])).toEqual([
    ['pr-11', 'kept', 'the pull request 11 is open'],
    ['pr-12', 'destroyed', 'the pull request 12 is closed'],
  ]);
});

it('takes away what somebody took out of the ledger', async () => {
  const forger = await open();
  await forger.push(branch, (files) => {
    for (const path of [...files.keys()]) if (/^(?:records|seals)/.test(path)) files.delete(path);
  });
  const doc = await sweep();
  expect(doc.ok).toBe(false);
  expect(names()).toEqual(['pr-11']);
});
