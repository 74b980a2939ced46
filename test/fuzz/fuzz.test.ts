import { describe, expect, it } from 'vitest';
import { runFarm } from './farm.ts';
import type { Kind } from './kind.ts';
import { kinds } from './kinds.ts';
import { forgedLedgers } from './ledger/kind.ts';
import { share, summary } from './main.ts';
import { Random, seedOf } from './random.ts';
import { shrink } from './shrink.ts';
import { runTrial } from './trial.ts';

describe('mutated inputs', () => {
  it('of every kind end in a result or in a clear refusal', async () => {
    const tally = await runFarm(share(300, 20261121), { workers: 1 });
    expect(tally.findings, summary(tally, { seed: 20261121, seconds: 0 })).toEqual([]);
    expect(new Set(tally.inputs.keys())).toEqual(new Set(kinds.map(({ name }) => name)));
    // Mutants that are all refused, or never, would prove nothing.
    expect(tally.codes.get('none')).toBeGreaterThan(20);
    expect(tally.codes.size).toBeGreaterThan(8);
  });
});

describe('forged ledgers', () => {
  it('send nothing to a thief, remove nothing of others, and hide nothing that stands', async () => {
    const tally = await runFarm(share(25, 20261126, forgedLedgers.name), { workers: 1 });
    expect(tally.findings, summary(tally, { seed: 20261126, seconds: 0 })).toEqual([]);
    expect(tally.codes.size).toBeGreaterThan(3);
  });
});

describe('the harness', () => {
  const part = (text: string) => ({ name: 'file', bytes: Buffer.from(text) });
  const kindOf = (run: Kind['run']): Kind => ({
    name: 'made up',
    share: 1,
    prepare: async () => undefined,
    make: () => ({ how: '', parts: [] }),
    run,
  });

  it('makes equal inputs of equal seeds, and others of others', () => {
    const list = (seed: number): readonly number[] => {
      const random = new Random(seed);
      return [random.int(1_000_000), random.int(1_000_000)];
    };
    expect(list(seedOf(1, 'ledger', 7))).toEqual(list(seedOf(1, 'ledger', 7)));
    expect(list(seedOf(1, 'ledger', 7))).not.toEqual(list(seedOf(1, 'ledger', 8)));
    expect(list(seedOf(1, 'ledger', 7))).not.toEqual(list(seedOf(2, 'ledger', 7)));
  });

  it('kills what hangs, replaces what dies, and goes on behind it', async () => {
    const batch = { id: 0, kind: 'made up', seed: 1, from: 0, to: 8 };
    const tally = await runFarm([batch], { workers: 1, worker: new URL('./hanging.ts', import.meta.url) });
    expect(tally.findings.toSorted((a, b) => a.index - b.index).map(({ index, finding }) => [index, finding.split(':')[0]])).toEqual([
      [3, 'a hang'],
      [5, 'the process died (9)'],
    ]);
    expect(tally.inputs.get('made up')).toBe(8);
  });

  it('notices a rejection that nobody handles', async () => {
    const kind = kindOf(async () => {
      void Promise.reject(new Error('left alone'));
      return { codes: [], finding: null };
    });
    expect((await runTrial(kind, { how: '', parts: [] })).finding).toBe('an unhandled rejection: Error: left alone');
  });

  it('notices an exception, and says where it came from', async () => {
    const kind = kindOf(() => Promise.reject(new Error('thrown')));
    expect((await runTrial(kind, { how: '', parts: [] })).finding).toMatch(/^the trial threw Error: thrown at .*fuzz\.test\.ts/);
  });

  it('cuts an input down to what still fails', async () => {
    const input = { how: '', parts: [part('one\ntwo\nthree bad words\nfour\n'), { name: 'other', bytes: Buffer.from('unneeded') }] };
    const smallest = await shrink(input, async ({ parts }) => parts.some(({ bytes }) => bytes.includes('bad')), 400);
    expect(smallest.parts.map(({ name, bytes }) => [name, bytes.toString()])).toEqual([['file', 'bad']]);
  });
});
