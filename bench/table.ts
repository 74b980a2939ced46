import type { Row } from './rows.ts';

/** The rows for a person: what we took, what that is of `find` and of `least`, and what it cost. */
export function tableOf(rows: readonly Row[]): string {
  const head = [
    'case',
    'phase',
    'wall',
    'find',
    'least',
    'of find',
    'of least',
    'cpu',
    'waited',
    'rss',
    'reads',
    'writes',
    '429',
    'bytes',
    'pushes',
    'least sends',
  ];
  const lines = rows.map((row) => [
    row.name,
    row.phase,
    ms(row.wall_ms),
    row.find_wall_ms === null ? '' : ms(row.find_wall_ms),
    ms(row.limit_wall_ms),
    row.find_wall_ms === null ? '' : times(row.wall_ms / row.find_wall_ms),
    times(row.ratio),
    ms(row.cpu_ms),
    ms(row.waited_ms),
    `${row.rss_mb.toFixed(0)} MB`,
    ...[row.reads, row.writes, row.refused, row.bytes, row.pushes, row.limit_requests].map(String),
  ]);
  const widths = head.map((title, at) => Math.max(title.length, ...lines.map((line) => line[at]?.length ?? 0)));
  const show = (line: readonly string[]): string =>
    line.map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ');
  return [head, ...lines].map(show).join('\n');
}

/** What is to be thought of the times, where other programs kept the cores from us; `null` on a quiet machine. */
export function disturbance(rows: readonly Row[]): string | null {
  const sum = (pick: (row: Row) => number): number => rows.reduce((all, row) => all + pick(row), 0);
  const share = sum(({ waited_ms }) => waited_ms) / sum(({ wall_ms }) => wall_ms);
  if (!(share > 0.05)) return null;
  return `The machine was busy: for ${(share * 100).toFixed(0)} % of the time our process was ready to run and had no core. Its times are too long; counts are true.`;
}

export const ms = (value: number): string => `${value.toFixed(0)} ms`;
export const times = (value: number): string => value.toFixed(2);
