import { describe, expect, it } from 'vitest';
import type { Result } from '../../scripts/prove/results.ts';
import { tableOf } from '../../scripts/prove/table.ts';

const held: Result = { state: 'holds', seconds: 61, figures: ['total        12   34', 'failures: 0'] };
const table = (commit: string | null, results: Readonly<Record<string, Result>>): readonly string[] =>
  tableOf([{ name: 'tests' }, { name: 'fuzz' }], { commit, of: (name) => results[name] ?? null }).split('\n');

describe('the table of the proofs', () => {
  it('has a line for each part with its figures, and says that everything holds only of all of them', () => {
    expect(table('0123456789abcdef', { tests: held, fuzz: held })).toEqual([
      'tests  holds      61 s  total 12 34; failures: 0',
      'fuzz   holds      61 s  total 12 34; failures: 0',
      '',
      'Everything holds at commit 0123456789ab.',
    ]);
  });

  it('names the parts that did not run', () => {
    expect(table('0123456789abcdef', { tests: held }).slice(1)).toEqual([
      'fuzz   not run',
      '',
      'No part failed at commit 0123456789ab. Not run: fuzz.',
    ]);
  });

  it('names those that failed, and those that nobody could look at', () => {
    expect(table(null, { tests: held, fuzz: { ...held, state: 'failed' } }).at(-1)).toBe(
      'Failed at this tree (its changes are not committed, so no result is kept): fuzz.',
    );
    expect(table('0123456789abcdef', { tests: held, fuzz: { ...held, state: 'skipped' } }).at(-1)).toBe(
      'Everything holds at commit 0123456789ab, and was not looked at: fuzz.',
    );
  });
});
