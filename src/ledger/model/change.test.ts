import { describe, expect, it } from 'vitest';
import { branch, endingOf, identity, intent, position, record } from '../../../test/support/writer-scope.ts';
import type { Files } from '../stores/store.ts';
import { leaseFact } from '../writer/lease.ts';
import { changeOf, type Fact, identityOf } from './change.ts';
import { applyChange, parseState, paths } from './state.ts';

const none = { lease: null, snapshot: null, ending: null };
const of = (files: Files, ...facts: readonly Fact[]) => changeOf({ files, facts, ...none });
const withdraw = (n: number): Fact => ({ kind: 'withdraw', identity: identity(n) });
const forget = (n: number): Fact => ({ kind: 'forget', identity: identity(n) });
const empty: Files = new Map();
const standing = applyChange(empty, of(empty, record(1, 'a'), intent(2, 'a')));

describe('the files that a commit changes', () => {
  it('are those of its facts, each under the name of its identity', () => {
    expect([record(1, 'a'), intent(2, 'a'), withdraw(3), forget(4)].map(identityOf)).toEqual([1, 2, 3, 4].map(identity));
    expect([...of(empty, record(1, 'a'), intent(2, 'a')).keys()]).toEqual([paths.record(identity(1)), paths.intent(identity(2))]);
  });

  it('name nothing that is not there: what ends without having been stored leaves no trace', () => {
    expect(of(empty, withdraw(1), forget(2), record(3, 'a')).size).toBe(1);
    expect(of(empty, intent(1, 'a'), withdraw(1)).size).toBe(0);
    expect(of(empty, record(1, 'a'), forget(1)).size).toBe(0);
  });

  it('are removed where they stand', () => {
    expect([...of(standing, withdraw(2), forget(1))]).toEqual([
      [paths.intent(identity(2)), null],
      [paths.record(identity(1)), null],
    ]);
    expect([...of(standing, record(2, 'a'))].filter(([, text]) => text === null)).toEqual([[paths.intent(identity(2)), null]]);
  });

  it('hold the later one of two facts about one identity', () => {
    expect(parseState(applyChange(standing, of(standing, forget(1), record(1, 'b'))), branch).records.get(identity(1))?.run).toBe('b');
    expect(parseState(applyChange(standing, of(standing, withdraw(2), intent(2, 'b'))), branch).intents.get(identity(2))?.run).toBe('b');
    expect(of(standing, record(1, 'b'), forget(1)).get(paths.record(identity(1)))).toBeNull();
  });

  it('are the lease and the position while the run goes on', () => {
    const lease = leaseFact({ holder: 'h', run: 'a', durationMs: 3, deadlineMs: 1 }, 7, 0);
    const change = changeOf({ files: empty, facts: [], lease, snapshot: position, ending: null });
    expect([...change.keys()].sort()).toEqual([paths.lease, paths.snapshot]);
    const state = parseState(applyChange(empty, change), branch);
    expect([state.lease, state.snapshot]).toEqual([lease, position]);
    const later = changeOf({ files: applyChange(empty, change), facts: [], ...none });
    expect([...later]).toEqual([[paths.snapshot, null]]);
  });

  it('are receipt and one more line of history at the end', () => {
    const first = applyChange(empty, changeOf({ files: empty, facts: [], ...none, ending: endingOf('a') }));
    const both = applyChange(first, changeOf({ files: first, facts: [], ...none, ending: endingOf('b') }));
    const state = parseState(both, branch);
    expect(state.receipt).toEqual(endingOf('b').receipt);
    expect(state.history.map(({ run }) => run)).toEqual(['a', 'b']);
  });
});
