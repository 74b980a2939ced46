import { describe, expect, it } from 'vitest';
import { identity, intent, record } from '../../../test/support/writer-scope.ts';
import type { Fact } from './change.ts';
import { baseOf, type Entry, Unstored } from './entry.ts';
import type { LedgerState } from './facts.ts';
import { emptyState } from './state.ts';

/** A ledger that holds these facts. */
function ledgerOf(...facts: readonly Fact[]): LedgerState {
  const [records, intents] = [new Map(emptyState.records), new Map(emptyState.intents)];
  for (const fact of facts) {
    if (fact.kind === 'record') records.set(fact.record.identity, fact.record);
    if (fact.kind === 'intent') intents.set(fact.intent.identity, fact.intent);
  }
  return { ...emptyState, records, intents };
}
const announced = (run: string, generation = 1): Fact => ({ kind: 'intent', intent: { ...intent(1, run).intent, generation } });
const forget: Fact = { kind: 'forget', identity: identity(1) };
const withdraw: Fact = { kind: 'withdraw', identity: identity(1) };

describe('the base of a fact', () => {
  it('is the record and the intent of its identity, by run and generation', () => {
    const states = [
      ledgerOf(),
      ledgerOf(record(1, 'a')),
      ledgerOf(record(1, 'b')),
      ledgerOf(record(1, 'a', 2)),
      ledgerOf(announced('a')),
      ledgerOf(announced('b')),
      ledgerOf(announced('a', 2)),
      ledgerOf(record(1, 'a'), announced('a')),
    ];
    expect(new Set(states.map((state) => baseOf(state, forget)))).toHaveLength(states.length);
    for (const state of states) expect(baseOf(state, record(1, 'x'))).toBe(baseOf(state, announced('y')));
    expect(baseOf(ledgerOf(record(2, 'a'), record(1, 'a')), forget)).toBe(baseOf(ledgerOf(record(1, 'a')), forget));
  });
});

describe('a fact that no push took', () => {
  const entryOf = (fact: Fact | null): Entry => ({ fact, base: '', resolve: () => undefined, reject: () => undefined });
  const unstored = (...facts: readonly (Fact | null)[]): Unstored => {
    const kept = new Unstored();
    kept.keep(facts.map(entryOf), new Error('no network'));
    return kept;
  };

  it('stops every further write with the error of the push', () => {
    expect(() => unstored().check()).not.toThrow();
    expect(() => unstored(null, intent(1, 'a')).check()).not.toThrow();
    const kept = unstored(record(1, 'a'));
    kept.keep([entryOf(forget)], new Error('later'));
    expect(() => kept.check()).toThrow('no network');
  });

  it('is never an intent, because the create of that intent was not sent', () => {
    expect(unstored(null, intent(1, 'a'), record(2, 'a'), forget).facts.map(({ kind }) => kind)).toEqual(['record', 'forget']);
  });

  it('is offered once more, unless the ledger already holds it', () => {
    const left = (state: LedgerState, fact: Fact): number => unstored(fact).take(state).length;
    expect(left(ledgerOf(), record(1, 'a'))).toBe(1);
    expect(left(ledgerOf(record(1, 'a')), record(1, 'a'))).toBe(0);
    expect(left(ledgerOf(record(1, 'b')), record(1, 'a'))).toBe(1);
    expect(left(ledgerOf(record(1, 'a', 2)), record(1, 'a'))).toBe(1);
    const { record: written } = record(1, 'a');
    expect(left(ledgerOf({ kind: 'record', record: { ...written, writtenAt: 'before' } }), record(1, 'a'))).toBe(1);
    expect(left(ledgerOf(), forget)).toBe(0);
    expect(left(ledgerOf(record(1, 'a')), forget)).toBe(1);
    expect(left(ledgerOf(announced('a')), forget)).toBe(1);
    expect(left(ledgerOf(), withdraw)).toBe(0);
    expect(left(ledgerOf(record(1, 'a')), withdraw)).toBe(0);
    expect(left(ledgerOf(announced('a')), withdraw)).toBe(1);
  });

  it('is offered once only', () => {
    const kept = unstored(record(1, 'a'));
    expect(kept.take(ledgerOf())).toHaveLength(1);
    expect([kept.take(ledgerOf()), kept.facts]).toEqual([[], []]);
  });
});
