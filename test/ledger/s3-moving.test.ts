import { serveS3Objects } from 'pilotfish-sandbox/aws-s3-objects';
import { expect, it, onTestFinished } from 'vitest';
import { receiptsBranch, receiptsOf } from '../../src/ledger/model/names.ts';
import { copyLedger } from '../../src/ledger/moving/copy-ledger.ts';
import type { Store } from '../../src/ledger/stores/store.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { MemoryRemote } from '../support/memory-store.ts';
import { openAt } from '../support/s3-place.ts';

const place = 's3://ledgers/acme/web';

const factsIn = async (store: Store): Promise<ReadonlyMap<string, unknown>> => {
  const found = new Map<string, unknown>();
  for (const { branch } of await store.list(receiptsOf('preview'))) {
    const files = [...((await store.read(branch))?.files ?? [])].filter(([path]) => path !== 'moved.json').sort();
    found.set(branch, files);
  }
  return new Map([...found].sort());
};

it('a ledger moves into a bucket and out of it again, with every fact', async () => {
  const server = await serveS3Objects();
  onTestFinished(() => server.stop());
  const git = new MemoryRemote().open();
  const open = async (): Promise<Store> => {
    const store = await openAt({ port: server.port, region: server.region, bucket: 'ledgers', keys: { ...server.keys.full } });
    onTestFinished(() => store.close());
    return store;
  };
  for (let i = 1; i <= 5; i += 1) {
    const large = i === 3 ? [['records/aa/large.json', JSON.stringify({ text: 'x'.repeat(300_000) })] as const] : [];
    await git.append(receiptsBranch('preview', `pr-${i}`), new Map([['records/aa/fact.json', `{"a":${i}}`], ...large]), null, 'a run');
  }
  const before = await factsIn(git);
  const options = { git, clock: new LeapingClock(), signal: new AbortController().signal, patienceMs: 900_000, isDryRun: false };
  const there = await copyLedger({ ...options, from: { store: git, place: 'git-branch' }, to: { store: await open(), place } });
  expect([there.place, there.branches.map(({ end }) => end)]).toEqual([place, Array.from({ length: 5 }, () => 'copied')]);
  expect(await factsIn(await open())).toEqual(before);
  const back = await copyLedger({ ...options, from: { store: await open(), place }, to: { store: git, place: 'git-branch' } });
  expect([back.place, new Set(back.branches.map(({ end }) => end))]).toEqual(['git-branch', new Set(['copied'])]);
  expect(await factsIn(git)).toEqual(before);
});
