import type { Phase } from './phase.ts';
import type { Row } from './rows.ts';
import { startOfPlan, startOfVersion } from './start.ts';
import { ms, times } from './table.ts';

export interface Bound {
  readonly says: string;
  /** `null` where the cases that it speaks of were not run. */
  readonly isHeld: boolean | null;
  readonly figures: string;
}

/** What the program promises of its speed, each with the figures of this run. */
export function boundsOf(rows: readonly Row[]): Bound[] {
  const row = (name: string, phase: Phase | 'start'): Row | undefined => rows.find((one) => one.name === name && one.phase === phase);
  const ratio = (says: string, value: (row: Row) => number, most: number, ...of: readonly (Row | undefined)[]): Bound => {
    const known = of.filter((one) => one !== undefined);
    return {
      says: `${says} at most ${times(most)}`,
      isHeld: known.length < of.length ? null : known.every((one) => value(one) <= most),
      figures: known.map((one) => `${one.phase} ${times(value(one))}`).join(', '),
    };
  };
  const ofFind = ({ wall_ms, find_wall_ms }: Row): number => wall_ms / (find_wall_ms ?? Number.NaN);
  const ofLeast = ({ ratio: value }: Row): number => value;
  const three = ['first apply', 'unchanged apply', 'destroy'] as const;
  const five = ['plan', 'first apply', 'unchanged apply', 'drifted apply', 'destroy'] as const;
  return [
    ratio('200 lines, first apply: of find', ofFind, 0.75, row('200', 'first apply')),
    ratio('200 lines, unchanged apply: of find', ofFind, 0.5, row('200', 'unchanged apply')),
    ratio('200 lines, destroy: of find', ofFind, 1, row('200', 'destroy')),
    ratio('200 lines, destroy with concurrency 64: of find', ofFind, 0.5, row('200-at-64', 'destroy')),
    ratio('200 lines: of least', ofLeast, 1.3, ...three.map((phase) => row('200', phase))),
    ...three.map((phase) => moreThanLocal(`200 lines, the ledger at a git host, ${phase}`, 150, row('200-git', phase))),
    ratio('200 lines by name only: of find', ofFind, 1.15, row('200-by-name', 'first apply'), row('200-by-name', 'unchanged apply')),
    ratio('a chain of ten: of find', ofFind, 1.1, ...five.map((phase) => row('chain-10', phase))),
    ratio('20 lines: of find', ofFind, 1.35, ...five.map((phase) => row('20', phase))),
    counts('100 entries on 5 parents, first apply', 15, 5, row('entries-100', 'first apply')),
    counts('100 entries on 5 parents, unchanged apply', 5, 0, row('entries-100', 'unchanged apply')),
    ...linear(row('1000', 'plan'), row('10000', 'plan'), 4_000),
    ...linear(row('1000', 'first apply'), row('10000', 'first apply'), 8_000),
    ratio('--version: of node -e 0', ofLeast, 1.7, row(startOfVersion, 'start')),
    ratio('plan of 3 lines at 0 ms: of node -e 0', ofLeast, 9, row(startOfPlan, 'start')),
    ratio('200 lines at 20 requests a second: of what the rate allows', ofLeast, 1.25, row('200-limited', 'first apply')),
    refused('200 lines at 20 requests a second', row('200-limited', 'first apply')),
  ];
}

function moreThanLocal(of: string, most: number, row: Row | undefined): Bound {
  const says = `${of}: at most ${ms(most)} more than in a folder`;
  if (!row || row.local_wall_ms === null) return { says, isHeld: null, figures: '' };
  const more = row.wall_ms - row.local_wall_ms;
  return { says, isHeld: more <= most, figures: ms(more) };
}

function counts(of: string, reads: number, writes: number, row: Row | undefined): Bound {
  const says = `${of}: at most ${reads} reads and ${writes} writes`;
  if (!row) return { says, isHeld: null, figures: '' };
  return { says, isHeld: row.reads <= reads && row.writes <= writes, figures: `${row.reads} and ${row.writes}` };
}

/** The work of a line does not grow with their number. */
function linear(thousand: Row | undefined, ten: Row | undefined, mostCpu: number): Bound[] {
  const phase = ten?.phase ?? thousand?.phase ?? '';
  const first = `10,000 lines at 0 ms, ${phase}: at most ${mostCpu / 1000} s of CPU and 400 MB`;
  const second = `10,000 lines at 0 ms, ${phase}: CPU a line at most 1.30 of that at 1,000`;
  if (!ten) return [first, second].map((says) => ({ says, isHeld: null, figures: '' }));
  const size: Bound = {
    says: first,
    isHeld: ten.cpu_ms <= mostCpu && ten.rss_mb <= 400,
    figures: `${(ten.cpu_ms / 1000).toFixed(1)} s, ${ten.rss_mb.toFixed(0)} MB`,
  };
  if (!thousand) return [size, { says: second, isHeld: null, figures: '' }];
  const growth = ten.cpu_ms / 10 / thousand.cpu_ms;
  return [size, { says: second, isHeld: growth <= 1.3, figures: times(growth) }];
}

function refused(of: string, row: Row | undefined): Bound {
  const says = `${of}: at most 5 % are refused`;
  if (!row) return { says, isHeld: null, figures: '' };
  const share = row.refused / row.requests;
  return { says, isHeld: share <= 0.05, figures: `${(share * 100).toFixed(1)} % (${row.refused} of ${row.requests})` };
}
