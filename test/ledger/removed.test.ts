import { expect, it } from 'vitest';
import { historyBranch, receiptsBranch } from '../../src/ledger/model/names.ts';
import { noteBack, noteRemoved, packedScope, type RemovedScope, removedScope } from '../../src/ledger/model/removed.ts';
import { MemoryRemote } from '../support/memory-store.ts';

const removed = (scope: string, head = 'c1'): RemovedScope => ({
  v: 1,
  scope,
  plan: null,
  branch: receiptsBranch('preview', scope),
  head,
  removedAt: '2026-11-21T00:00:00.000Z',
  last: {
    run: 'r',
    at: '2026-08-01T00:00:00.000Z',
    commit: null,
    pr: 12,
    repository: 'acme/shop',
    event: null,
    outcome: 'destroyed: complete',
  },
});
const branchOf = (scope: string): string => receiptsBranch('preview', scope);

it('a removed scope is known by its branch, and no other one is', async () => {
  const store = new MemoryRemote().open();
  expect(await removedScope(store, branchOf('pr-12'))).toBeNull();
  await noteRemoved(store, 'preview', removed('pr-12'));
  expect(await removedScope(store, branchOf('pr-12'))).toMatchObject({ scope: 'pr-12', last: { pr: 12 } });
  expect(await removedScope(store, branchOf('pr-1'))).toBeNull();
  expect(await removedScope(store, receiptsBranch('staging', 'pr-12'))).toBeNull();
});

it('a scope whose branch is back is no packed one, until its next note', async () => {
  const store = new MemoryRemote().open();
  await noteBack(store, branchOf('pr-12'));
  expect(await packedScope(store, branchOf('pr-12'))).toBeNull();
  await noteRemoved(store, 'preview', removed('pr-12'));
  await noteBack(store, branchOf('pr-12'));
  await noteBack(store, branchOf('pr-12'));
  expect([await removedScope(store, branchOf('pr-12')), store.stats.pushes]).toEqual([null, 2]);
  expect(await packedScope(store, branchOf('pr-12'))).toMatchObject({ head: 'c1', back: true });
  await noteRemoved(store, 'preview', removed('pr-12', 'c9'));
  expect((await removedScope(store, branchOf('pr-12')))?.head).toBe('c9');
});

it('runs that remove scopes at once keep the lines of all, and one scope twice is one line', async () => {
  const remote = new MemoryRemote();
  const scopes = ['pr-1', 'pr-2', 'Feat/x', 'pr-1'];
  await Promise.all(scopes.map((scope) => noteRemoved(remote.open(), 'preview', removed(scope))));
  expect(remote.filesOf(historyBranch('preview')).size).toBe(3);
  expect(remote.on(historyBranch('preview'))).toHaveLength(3);
  await noteRemoved(remote.open(), 'preview', removed('pr-1', 'c2'));
  expect((await removedScope(remote.open(), branchOf('pr-1')))?.head).toBe('c2');
});

it('a line that is damaged or newer is refused and never taken for none', async () => {
  const store = new MemoryRemote().open();
  await noteRemoved(store, 'preview', removed('pr-1'));
  const put = async (text: string): Promise<void> => {
    const head = await store.head(historyBranch('preview'));
    await store.append(historyBranch('preview'), new Map([['removed/pr-1.json', text]]), head, 'a test');
  };
  for (const [text, code] of [
    ['{', 'LEDGER_CORRUPT'],
    ['{"v":1}', 'LEDGER_CORRUPT'],
    ['{"v":3}', 'LEDGER_VERSION'],
  ] as const) {
    await put(text);
    await expect(removedScope(store, branchOf('pr-1'))).rejects.toMatchObject({ code });
  }
});
