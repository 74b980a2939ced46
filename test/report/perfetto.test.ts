import { describe, expect, it } from 'vitest';
import { type ChromeEvent, chromeTrace } from '../../src/report/trace/chrome.ts';
import { failedRun, killedAndResumed, sixtyLines } from '../browser/runs.ts';
import { faultsOf } from './perfetto.ts';

describe('trace.json', () => {
  it('of real runs, whole, failed, killed and resumed, keeps the rules of Perfetto', async () => {
    const { killed, resumed } = await killedAndResumed();
    const runs = { sixty: await sixtyLines(), failed: await failedRun(), killed, resumed };
    for (const [name, { events }] of Object.entries(runs)) {
      const { traceEvents } = chromeTrace(events);
      expect(faultsOf(traceEvents), name).toEqual([]);
      const count = (ph: ChromeEvent['ph']): number => traceEvents.filter((event) => event.ph === ph).length;
      expect([count('X') > 40, count('b') > 10, count('s') > 0], name).toEqual([true, true, true]);
    }
    // From every line that another one came after and began.
    const flows = chromeTrace(runs.sixty.events).traceEvents.filter(({ ph }) => ph === 'f');
    expect(flows.length).toBe(21);
  });
});

describe('the rules', () => {
  const track = { pid: 1, tid: 1 };
  const name: ChromeEvent = { ph: 'M', ...track, name: 'thread_name', args: { name: 'db' } };
  const bar = (ts: number, dur: number): ChromeEvent => ({ ph: 'X', ...track, name: 'a', ts, dur });
  const flow = (from: number, to: number): ChromeEvent[] => [
    { ph: 's', ...track, name: 'f', cat: 'c', id: 1, ts: from },
    { ph: 'f', bp: 'e', ...track, name: 'f', cat: 'c', id: 1, ts: to },
  ];

  it.each<[string, readonly ChromeEvent[]]>([
    ['overlap', [name, bar(0, 10), bar(5, 10)]],
    ['no whole microseconds', [name, bar(0.5, 10)]],
    ['no name', [bar(0, 10)]],
    ['a flow that no slice holds', [name, bar(0, 10), ...flow(3, 10)]],
    ['a broken flow', [name, bar(0, 10), ...flow(4, 3)]],
    ['a broken span', [{ ph: 'b', ...track, name: 'r', cat: 'request', id: 1, ts: 0 }]],
  ])('see %s', (fault, events) => {
    expect(faultsOf(events).filter((text) => text.startsWith(fault)).length).toBeGreaterThan(0);
  });

  it('see nothing in what keeps them', () => {
    expect(faultsOf([name, bar(0, 5), bar(5, 5), ...flow(2, 6)])).toEqual([]);
  });
});
