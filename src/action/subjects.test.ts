import { describe, expect, it } from 'vitest';
import type { Pull } from '../host/pulls-of.ts';
import { inTurn, subjectsOf } from './subjects.ts';

const pull = (number: number, over: Partial<Pull> = {}): Pull => ({
  number,
  state: 'open',
  head: 'c0ffee',
  branch: `feature-${number}`,
  headRepository: 'acme/shop',
  labels: [],
  isDraft: false,
  author: null,
  at: '2026-11-21T10:00:00Z',
  ...over,
});
const of = (...pulls: Pull[]) => subjectsOf('c0ffee', pulls, 'acme/shop');

describe('the subject of a deployment', () => {
  it('is the open pull request of its commit', () => {
    expect(of(pull(12))).toEqual({ kind: 'run', subjects: [{ pull: pull(12), branch: 'feature-12', commit: 'c0ffee' }] });
  });

  it('is every open pull request if a branch has several', () => {
    const found = of(pull(14), pull(12), pull(9, { state: 'closed' }));
    expect(found.kind === 'run' && found.subjects.map((one) => one.pull.number)).toEqual([12, 14]);
  });

  it('is the last closed pull request if none is open, so that the run says that it is late', () => {
    const found = of(pull(9, { state: 'closed' }), pull(12, { state: 'closed' }));
    expect(found.kind === 'run' && found.subjects.map((one) => one.pull.number)).toEqual([12]);
  });

  it('is never a fork', () => {
    expect(of(pull(13, { headRepository: 'mallory/shop' })).kind).toBe('foreign');
    expect(of(pull(13, { headRepository: null })).kind).toBe('foreign');
    const found = of(pull(13, { headRepository: 'mallory/shop' }), pull(12, { state: 'closed' }));
    expect(found.kind === 'run' && found.subjects.map((one) => one.pull.number)).toEqual([12]);
  });

  it('is nothing if no pull request has the commit', () => {
    expect(of().kind).toBe('skip');
  });
});

describe('the runs of one job', () => {
  const subjects = [1, 2, 3].map((pull) => ({ pull, branch: 'feature', commit: 'c0ffee' }));
  const run = async (exits: readonly number[]) => {
    const begun: (number | null)[] = [];
    const endings = await inTurn(subjects, ({ pull }) => {
      begun.push(pull);
      return Promise.resolve([{ exit: exits[begun.length - 1] ?? 0 }]);
    });
    return [begun, endings.map(({ exit }) => exit)];
  };

  it('go on with the next pull request when one failed', async () => {
    expect(await run([1, 0, 2])).toEqual([
      [1, 2, 3],
      [1, 0, 2],
    ]);
  });

  it.for([130, 143])('end with the run that a signal stopped (%i)', async (exit) => {
    expect(await run([0, exit])).toEqual([
      [1, 2],
      [0, exit],
    ]);
  });
});
