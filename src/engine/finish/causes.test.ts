import { describe, expect, it } from 'vitest';
import { newLine } from '../../machines/line/line-setup.ts';
import type { LinePhase } from '../line/phases.ts';
import type { LinePosition } from '../schedule/lines.ts';
import { withCauses } from './causes.ts';

type Row = readonly [id: string, state: string, ...after: string[]];

const ends = (...rows: readonly Row[]): readonly string[] => {
  const works = new Map(rows.map(([id, , ...after]) => [id, { id, after } as unknown as LinePhase]));
  const positions = rows.map(([id, told]): LinePosition => {
    const [state = '', turn] = told.split(' ');
    const line = newLine({ line: id, purpose: 'apply' });
    return { id, state, context: turn === 'looked' ? { ...line, verdict: 'pending' } : line };
  });
  return withCauses({ works }, positions).map(({ id, state, because }) => [id, state, ...because].join(' '));
};

describe('the causes of lines without a turn', () => {
  it('name the line that failed, and not the skipped lines between', () => {
    expect(ends(['a', 'failed'], ['b', 'skipped', 'a'], ['c', 'skipped', 'b'], ['d', 'settled'])).toEqual([
      'a failed',
      'b skipped a',
      'c skipped a',
      'd settled',
    ]);
  });

  it('name every failed line above, in the order of the run, whichever ended first', () => {
    expect(ends(['a', 'refused'], ['b', 'failed'], ['c', 'skipped', 'b', 'a'], ['d', 'skipped', 'c'])).toEqual([
      'a refused',
      'b failed',
      'c skipped a b',
      'd skipped a b',
    ]);
  });

  it('are told in a run whose lines do not stand behind their producers, as in a destroy', () => {
    expect(ends(['c', 'skipped', 'b'], ['b', 'skipped', 'a'], ['a', 'failed'])).toEqual(['c skipped a', 'b skipped a', 'a failed']);
  });

  it('are no failure below a line that waits for a deployment', () => {
    expect(ends(['a', 'paused looked'], ['b', 'paused', 'a'], ['c', 'paused', 'b'])).toEqual(['a paused', 'b paused', 'c paused']);
  });

  it('are the failure below both, whichever of the two ended the line', () => {
    const above: readonly Row[] = [
      ['a', 'failed'],
      ['w', 'paused looked'],
    ];
    for (const state of ['paused', 'skipped']) expect(ends(...above, ['c', state, 'w', 'a'])[2]).toBe('c skipped a');
  });
});
