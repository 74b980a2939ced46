import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/engine/document.ts';
import { machineSources } from '../../src/machines/sources.ts';
import { chartOf } from '../../src/report/trace/page/charts.ts';
import { cameraOn, graphOf, leastScale, nameOn } from '../../src/report/trace/page/graph-model.ts';
import { type RunTrace, traceOf } from '../../src/report/trace/page/model.ts';
import { slowestOf } from '../../src/report/trace/page/moment.ts';

const trace = (...events: readonly RunEvent[]): RunTrace => traceOf(events, machineSources.map(chartOf));

const told = (lines: readonly { readonly id: string; readonly after: readonly string[] }[]): RunEvent[] => [
  { type: 'run', state: 'begun', lines: lines.length, at: 0 },
  { type: 'lines', lines: lines.map((line) => ({ ...line, adapter: 'vercel', op: 'env' })), at: 0 },
];

/** A line comes to these states at these moments. */
const way = (line: string, ...steps: readonly (readonly [at: number, to: string])[]): RunEvent[] =>
  steps.map(([at, to], i) => ({ type: 'line', line, from: steps[i - 1]?.[1] ?? 'waiting', to, event: 'e', at }));

describe('"took longest"', () => {
  it('counts work and waiting for the provider, and no waiting for other lines or for the last push', () => {
    const lines = ['settles first, recorded last', 'slow write', 'becomes ready', 'comes last'].map((id) => ({ id, after: [] }));
    const made = trace(
      ...told(lines),
      ...way('settles first, recorded last', [0, 'observing'], [50, 'creating'], [100, 'recording'], [9_000, 'settled']),
      ...way('slow write', [0, 'observing'], [100, 'recordingIntent'], [3_000, 'creating'], [4_000, 'recording'], [9_000, 'settled']),
      ...way('becomes ready', [0, 'observing'], [100, 'creating'], [300, 'awaiting'], [2_300, 'recording'], [9_000, 'settled']),
      ...way('comes last', [8_000, 'observing'], [8_200, 'settled']),
    );
    expect(slowestOf(made.lines, made.ms).map(({ line, work, wait }) => [line.name, work, wait])).toEqual([
      ['becomes ready', 300, 2_000],
      ['slow write', 1_100, 0],
      ['comes last', 200, 0],
      ['settles first, recorded last', 100, 0],
    ]);
  });

  it('counts a line that was cut off until the events end, and leaves out one that did nothing', () => {
    const made = trace(
      ...told([
        { id: 'cut off', after: [] },
        { id: 'never begun', after: ['cut off'] },
      ]),
      ...way('cut off', [10, 'observing'], [20, 'creating']),
      { type: 'note', line: 'cut off', text: 'the last event', at: 500 },
    );
    expect(slowestOf(made.lines, made.ms).map(({ line, work }) => [line.name, work])).toEqual([['cut off', 490]]);
  });
});

describe('the graph of sixty lines', () => {
  /** Sixty lines in layers of so many; each comes after one of the layer before. */
  const layers = (size: number): RunTrace =>
    trace(...told(Array.from({ length: 60 }, (_, i) => ({ id: `vercel-env-${i}`, after: i < size ? [] : [`vercel-env-${i - size}`] }))));
  /** The room of the graph in a window of 1280 by 800, as a Chromium tells it, and in a smaller one. */
  const rooms = [
    { width: 724, height: 257 },
    { width: 560, height: 220 },
  ];

  it.each([60, 30, 20, 12, 6, 1])('names each box at the first look, in layers of %i', (size) => {
    const graph = graphOf(layers(size));
    for (const room of rooms) {
      const { scale } = cameraOn(graph, room, leastScale(graph));
      const name = nameOn(scale);
      expect(name?.letters).toBeGreaterThanOrEqual(7);
      // In pixels of a screen: large enough to be read, and inside of its box.
      expect((name?.size ?? 0) * scale).toBeGreaterThanOrEqual(8);
      expect((name?.size ?? 0) * scale).toBeLessThan(42 * scale);
    }
  });

  it('stands in the middle where it has room, and begins at the left edge where it has not', () => {
    const [room] = rooms;
    if (!room) throw new Error('no room');
    const wide = graphOf(layers(1));
    expect(cameraOn(wide, room, leastScale(wide)).x).toBe(20);
    const whole = cameraOn(wide, room, 0.01);
    expect(whole.x * 2 + wide.width * whole.scale).toBeCloseTo(room.width);
  });

  it('of thousands is a picture of the whole, without names', () => {
    const lines = Array.from({ length: 2_000 }, (_, i) => ({ id: `${i}`, after: [] }));
    const graph = graphOf(trace(...told(lines)));
    const { scale } = cameraOn(graph, { width: 724, height: 257 }, leastScale(graph));
    expect([nameOn(scale), graph.width * scale <= 724]).toEqual([null, true]);
  });
});
