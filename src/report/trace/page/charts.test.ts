import { describe, expect, it } from 'vitest';
import { machineSources } from '../../../machines/sources.ts';
import { statesOf, transitionsOf } from '../transitions.ts';
import { chartPlaces } from './chart-places.ts';
import { chartOf } from './charts.ts';

describe('the picture of a machine', () => {
  it.each(machineSources.map((source) => [source.name, source] as const))(
    '%s: has a place of its own for every state, and none left over',
    (name, source) => {
      const placed = Object.keys(chartPlaces[name] ?? {});
      expect(placed.toSorted()).toEqual(
        statesOf(source.config)
          .map((state) => state.name)
          .toSorted(),
      );
      const places = chartOf(source).states.map(({ column, row }) => `${column}/${row}`);
      expect(new Set(places).size).toBe(places.length);
    },
  );

  it.each(machineSources.map((source) => [source.name, source] as const))(
    '%s: has every arrow of the machine, and no other',
    (_, source) => {
      const arrows = new Set(transitionsOf(source.config).map(({ from, to }) => `${from} ${to}`));
      const { edges } = chartOf(source);
      expect(new Set(edges.map(({ from, to }) => `${from} ${to}`))).toEqual(arrows);
      expect(edges.length).toBe(arrows.size);
    },
  );

  it('shows the usual way, and an exit of nearly every state only when a line took it', () => {
    const line = machineSources.find(({ name }) => name === 'line');
    if (!line) throw new Error('no line');
    const chart = chartOf(line);
    const common = chart.edges.filter(({ isCommon }) => isCommon);
    expect([...new Set(common.map(({ to }) => to))].toSorted()).toEqual(['failed', 'interrupted', 'observing']);
    const seen = (from: string, to: string) => chart.edges.some((edge) => edge.from === from && edge.to === to && !edge.isCommon);
    expect([
      seen('waiting', 'observing'),
      seen('judged', 'recordingIntent'),
      seen('recordingIntent', 'creating'),
      seen('recording', 'settled'),
    ]).toEqual([true, true, true, true]);
  });

  it('puts a state that nobody gave a place below the others', () => {
    const config = { initial: 'a', states: { a: { on: { go: 'b' } }, b: { type: 'final' } } };
    const chart = chartOf({ name: 'new', title: 'New', what: '', config });
    expect(chart.states).toEqual([
      { name: 'a', isFinal: false, column: 0, row: 0 },
      { name: 'b', isFinal: true, column: 1, row: 0 },
    ]);
    expect(chart.edges).toEqual([{ from: 'a', to: 'b', by: ['go'], isCommon: false }]);
  });
});
