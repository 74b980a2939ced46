import { describe, expect, it } from 'vitest';
import { boundsOf } from './bounds.ts';
import { median, type Row } from './rows.ts';

const row = (over: Partial<Row>): Row => ({
  name: '200',
  phase: 'first apply',
  wall_ms: 1000,
  cpu_ms: 100,
  rss_mb: 80,
  waited_ms: 0,
  requests: 201,
  reads: 1,
  writes: 200,
  refused: 0,
  bytes: 9_000,
  pushes: 2,
  limit_wall_ms: 900,
  limit_requests: 201,
  find_wall_ms: 1500,
  local_wall_ms: null,
  ratio: 1000 / 900,
  ...over,
});
const said = (rows: readonly Row[], words: string) => boundsOf(rows).find(({ says }) => says.includes(words));

describe('the bounds', () => {
  it('are neither held nor broken by a run that has not their cases', () => {
    expect(boundsOf([]).map(({ isHeld }) => isHeld)).toEqual(boundsOf([]).map(() => null));
  });

  it('hold where the ratio is at most as high, and tell it', () => {
    expect(said([row({ wall_ms: 1200 })], 'first apply: of find')).toMatchObject({ isHeld: true, figures: 'first apply 0.80' });
    expect(said([row({ wall_ms: 1215 })], 'first apply: of find')).toMatchObject({ isHeld: false, figures: 'first apply 0.81' });
  });

  it('compare a git host with a folder in the same turns', () => {
    const git = row({ name: '200-git', wall_ms: 1250, local_wall_ms: 1040 });
    expect(said([git], 'git host, first apply')).toMatchObject({ isHeld: false, figures: '210 ms' });
    expect(said([{ ...git, local_wall_ms: 1050 }], 'git host, first apply')?.isHeld).toBe(true);
  });

  it('compare a line of ten thousand with one of a thousand', () => {
    const of = (cpu: number) =>
      said([row({ name: '1000', phase: 'plan', cpu_ms: 300 }), row({ name: '10000', phase: 'plan', cpu_ms: cpu })], 'plan: CPU a line');
    expect(of(3900)?.isHeld).toBe(true);
    expect(of(4000)?.isHeld).toBe(false);
  });

  it('are broken by one read, write, push or byte more than before', () => {
    const first = { name: '20', reads: 1, writes: 20, pushes: 2, bytes: 830 };
    expect(said([row(first)], '20, first apply: at most')).toMatchObject({ of: 'counts', isHeld: true, figures: '1, 20, 2, 830' });
    for (const more of ['reads', 'writes', 'pushes', 'bytes'] as const) {
      expect(said([row({ ...first, [more]: first[more] + 1 })], '20, first apply: at most')?.isHeld, more).toBe(false);
    }
  });

  it('count refused requests among all', () => {
    const limited = row({ name: '200-limited', requests: 200, refused: 11 });
    expect(said([limited], 'are refused')).toMatchObject({ isHeld: false, figures: '5.5 % (11 of 200)' });
  });
});

describe('a median', () => {
  it('is the middle one, or between the middle two', () => {
    expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([7])]).toEqual([2, 2.5, 7]);
  });
});
