import type { Examined } from './examine.ts';
import { measures, type Score } from './judge.ts';

/** What all repositories together must reach, as shares. */
export const bounds = { recall: 0.97, precision: 0.98, hosts: 0.98, wiring: 0.98, runnable: 1 } as const;

const columns = [...measures, 'runnable'] as const;

type Column = (typeof columns)[number];

export interface Report {
  readonly repositories: readonly Examined[];
  readonly total: { readonly [column in Column]: Score & { readonly share: number } };
  readonly bounds: typeof bounds;
  readonly holds: boolean;
}

export function reportOf(repositories: readonly Examined[]): Report {
  const total = Object.fromEntries(
    columns.map((column) => {
      const scores = repositories.map((one) => scoreOf(one, column));
      const [right, of] = [sumOf(scores.map((one) => one.right)), sumOf(scores.map((one) => one.of))];
      return [column, { right, of, share: of === 0 ? 1 : right / of }];
    }),
  ) as Report['total'];
  const holds = Object.entries(bounds).every(([column, bound]) => total[column as Column].share >= bound);
  return { repositories, total, bounds, holds };
}

/** A row for each repository, below it each fault with its evidence, and the sums at the end. */
export function textOf({ repositories, total }: Report): string {
  const width = Math.max(...repositories.map(({ name }) => name.length), 'repository'.length);
  const row = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => cell.padEnd(i === 0 ? width : 12))
      .join('  ')
      .trimEnd();
  const cellOf = ({ right, of }: Score): string => (of === 0 ? '-' : `${right}/${of}`);
  return [
    row(['repository', ...columns]),
    ...repositories.flatMap((one) => [
      row([one.name, ...columns.map((column) => cellOf(scoreOf(one, column)))]),
      ...one.faults.map(({ kind, about, what, evidence }) =>
        [`  ${kind} ${about}: ${what.replaceAll('\n', '\n    ')}`, ...evidence.map((text) => `    ${text}`)].join('\n'),
      ),
    ]),
    row(['all', ...columns.map((column) => cellOf(total[column]))]),
    ...columns.map((column) => {
      const bound = column in bounds ? bounds[column as keyof typeof bounds] : undefined;
      const { share } = total[column];
      const judged = bound === undefined ? '' : share >= bound ? `, holds ${bound}` : `, NOT HELD: ${bound}`;
      return `${column} ${share.toFixed(3)} of ${repositories.length} repositories${judged}`;
    }),
  ].join('\n');
}

const scoreOf = (one: Examined, column: Column): Score =>
  (column === 'runnable' ? one.runnable : one.scores[column]) ?? { right: 0, of: 0 };

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);
