import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../engine/document.ts';
import { type Step, stepsOf } from './progress.ts';

const line = (id: string, to: string): RunEvent => ({ type: 'line', line: id, from: 'waiting', to, event: 'e', at: 0 });
const begun = (lines: number): RunEvent => ({ type: 'run', state: 'begun', lines, at: 0 });

/** The steps of these events, each `apartMs` after the one before. */
function steps(events: readonly RunEvent[], apartMs = 1_000): readonly Step[] {
  const sent: Step[] = [];
  let clock = 0;
  const listen = stepsOf(
    (step) => sent.push(step),
    () => clock,
  );
  for (const event of events) {
    clock += apartMs;
    listen(event);
  }
  return sent;
}

const isGrowing = (sent: readonly Step[]): boolean => sent.every((step, i) => i === 0 || step.progress > (sent[i - 1]?.progress ?? 0));

describe('the progress of a call', () => {
  it('grows with every step and ends at the number of lines', () => {
    const sent = steps([begun(2), line('db', 'creating'), line('db', 'settled'), line('url', 'creating'), line('url', 'settled')]);
    expect(sent.map(({ message }) => message)).toEqual(['db: creating', 'db: settled', 'url: creating', 'url: settled']);
    expect(isGrowing(sent)).toBe(true);
    expect(sent.map(({ total }) => total)).toEqual([2, 2, 2, 2]);
    expect(sent.at(-1)?.progress).toBe(2);
    expect(sent[1]?.progress).toBeGreaterThanOrEqual(1);
  });

  it('goes on growing while a line waits, and never counts it as ended', () => {
    const wait: RunEvent = { type: 'wait', line: 'db', detail: 'not ready yet', at: 0 };
    const sent = steps([begun(1), ...Array.from({ length: 50 }, () => wait)]);
    expect(sent).toHaveLength(50);
    expect(isGrowing(sent)).toBe(true);
    expect(sent.at(-1)?.progress).toBeLessThan(1);
  });

  it('counts a line that begins again once', () => {
    const sent = steps([begun(2), line('db', 'settled'), line('db', 'creating'), line('db', 'settled'), line('url', 'settled')]);
    expect(isGrowing(sent)).toBe(true);
    expect(sent.at(-1)?.progress).toBe(2);
  });

  it('continues from the end of the plan when the apply begins', () => {
    const sent = steps([begun(1), line('db', 'planned'), begun(1), line('db', 'creating'), line('db', 'settled')]);
    expect(isGrowing(sent)).toBe(true);
    expect(sent.at(-1)).toMatchObject({ progress: 2, total: 2 });
  });

  it('leaves out steps that come too fast, but not the end', () => {
    const many = Array.from({ length: 1_000 }, (_, i) => line(`line-${i}`, 'settled'));
    const sent = steps([begun(1_000), ...many], 1);
    expect(sent.length).toBeLessThan(20);
    expect(sent.at(-1)).toMatchObject({ progress: 1_000, total: 1_000, message: 'line-999: settled' });
  });

  it('says nothing after the last line has ended', () => {
    const late: RunEvent = { type: 'note', line: 'db', text: 'the receipt is stored', at: 0 };
    expect(steps([begun(1), line('db', 'settled'), late, late])).toHaveLength(1);
  });

  it('has no total before the lines are known', () => {
    const [first] = steps([{ type: 'run', state: 'waiting', detail: 'another run holds this scope', at: 0 }]);
    expect(first).toEqual({ progress: 0.5, message: 'waiting: another run holds this scope' });
  });
});
