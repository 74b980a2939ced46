import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layered } from './layout.ts';

const chain = (length: number) => Array.from({ length }, (_, i) => ({ id: `${i}`, after: i === 0 ? [] : [`${i - 1}`] }));

const graphs = fc
  .array(fc.array(fc.nat(), { maxLength: 3 }), { minLength: 1, maxLength: 60 })
  .map((edges) => edges.map((picks, i) => ({ id: `${i}`, after: i === 0 ? [] : [...new Set(picks.map((pick) => `${pick % i}`))] })));

describe('the layers of the graph', () => {
  it('stand right of all that they come after, and no two nodes at one place', () => {
    fc.assert(
      fc.property(graphs, (nodes) => {
        const { places, columns, rows } = layered(nodes);
        expect(new Set(places.map(({ column, row }) => `${column}/${row}`)).size).toBe(nodes.length);
        nodes.forEach(({ after }, i) => {
          for (const id of after) expect(places[Number(id)]?.column ?? 0).toBeLessThan(places[i]?.column ?? 0);
        });
        for (const { column, row } of places)
          expect([column >= 0, column < columns, row >= 0, row < rows]).toEqual([true, true, true, true]);
      }),
    );
  });

  it('take several columns when one would be higher than a screen', () => {
    const { columns, rows } = layered(Array.from({ length: 1_000 }, (_, i) => ({ id: `${i}`, after: [] })));
    expect(columns).toBeGreaterThan(15);
    expect(rows).toBeLessThan(60);
  });

  it('untangle arrows that need not cross', () => {
    const { places } = layered([
      { id: 'a', after: [] },
      { id: 'b', after: [] },
      { id: 'after b', after: ['b'] },
      { id: 'after a', after: ['a'] },
    ]);
    expect(places[3]?.row).toBe(places[0]?.row);
    expect(places[2]?.row).toBe(places[1]?.row);
  });

  it('need no deep stack for ten thousand lines in a row', () => {
    expect(layered(chain(10_000)).columns).toBe(10_000);
  });

  it('skip ids that do not exist, and end when lines come after each other in a cycle', () => {
    expect(layered([{ id: 'a', after: ['nobody'] }]).places).toEqual([{ column: 0, row: 0 }]);
    expect(
      layered([
        { id: 'a', after: ['b'] },
        { id: 'b', after: ['a'] },
      ]).places.length,
    ).toBe(2);
    expect(layered([])).toEqual({ places: [], columns: 0, rows: 0 });
  });
});
