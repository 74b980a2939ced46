import type { Phase } from './phase.ts';
import type { Row } from './rows.ts';
import { type Sent, sent } from './sent.ts';
import { startOfPlan, startOfVersion } from './start.ts';
import { ms, times } from './table.ts';

export interface Bound {
  readonly says: string;
  /** Times, CPU and memory vary with the machine and its hour. Counts do not. */
  readonly of: 'time' | 'counts';
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
      of: 'time',
      isHeld: known.length < of.length ? null : known.every((one) => value(one) <= most),
      figures: known.map((one) => `${one.phase} ${times(value(one))}`).join(', '),
    };
  };
  const ofFind = ({ wall_ms, find_wall_ms }: Row): number => wall_ms / (find_wall_ms ?? Number.NaN);
  const ofLeast = ({ ratio: value }: Row): number => value;
  const three = ['first apply', 'unchanged apply', 'destroy'] as const;
  const five = ['plan', 'first apply', 'unchanged apply', 'drifted apply', 'destroy'] as const;
  return [
    ratio('20 lines, cold: of find', ofFind, 1.6, ...five.map((phase) => row('20-cold', phase))),
    ratio('20 lines with six credentials, cold: of find', ofFind, 1.6, ...five.map((phase) => row('20-cold-6', phase))),
    ratio('20 lines, warm: of find', ofFind, 1.35, ...five.map((phase) => row('20', phase))),
    ratio('200 lines, first apply: of find', ofFind, 0.8, row('200', 'first apply')),
    ratio('200 lines, unchanged apply: of find', ofFind, 0.6, row('200', 'unchanged apply')),
    ratio('200 lines, destroy: of find', ofFind, 1.1, row('200', 'destroy')),
    ratio('200 lines, destroy with concurrency 64: of find', ofFind, 0.5, row('200-at-64', 'destroy')),
    ratio('200 lines: of least', ofLeast, 1.3, ...three.map((phase) => row('200', phase))),
    ...three.map((phase) => moreThanLocal(`200 lines, the ledger at a git host, ${phase}`, 200, row('200-git', phase))),
    ratio('200 lines by name only: of find', ofFind, 1.2, row('200-by-name', 'first apply'), row('200-by-name', 'unchanged apply')),
    ratio('a chain of ten, first apply: of find', ofFind, 0.65, row('chain-10', 'first apply')),
    ratio(
      'a chain of ten: of find',
      ofFind,
      1.1,
      ...five.filter((phase) => phase !== 'first apply').map((phase) => row('chain-10', phase)),
    ),
    ratio('a chain whose looks need what comes before: of find', ofFind, 1.15, ...five.map((phase) => row('chain-10-keyed', phase))),
    ...linear(row('1000', 'plan'), row('10000', 'plan'), { cpu: 8_000, memory: 600 }),
    ...linear(row('1000', 'first apply'), row('10000', 'first apply'), { cpu: 8_000, memory: 400 }),
    ratio('--version: of node -e 0', ofLeast, 1.7, row(startOfVersion, 'start')),
    ratio('plan of 3 lines at 0 ms: of node -e 0', ofLeast, 9, row(startOfPlan, 'start')),
    ratio('200 lines at 20 requests a second: of what the rate allows', ofLeast, 1.25, row('200-limited', 'first apply')),
    refused('200 lines at 20 requests a second', row('200-limited', 'first apply')),
    ...sent.map(([name, phase, most]) => counted(`${name}, ${phase}`, most, row(name, phase))),
  ];
}

function moreThanLocal(what: string, most: number, row: Row | undefined): Bound {
  const says = `${what}: at most ${ms(most)} more than in a folder`;
  if (!row || row.local_wall_ms === null) return { says, of: 'time', isHeld: null, figures: '' };
  const more = row.wall_ms - row.local_wall_ms;
  return { says, of: 'time', isHeld: more <= most, figures: ms(more) };
}

function counted(what: string, most: Sent, row: Row | undefined): Bound {
  const says = `${what}: at most ${most.join(', ')} reads, writes, pushes, bytes`;
  if (!row) return { says, of: 'counts', isHeld: null, figures: '' };
  const figures = [row.reads, row.writes, row.pushes, row.bytes];
  return { says, of: 'counts', isHeld: figures.every((figure, at) => figure <= (most[at] ?? 0)), figures: figures.join(', ') };
}

/** The work of a line does not grow with their number. `most`: milliseconds and megabytes. */
function linear(thousand: Row | undefined, ten: Row | undefined, most: { readonly cpu: number; readonly memory: number }): Bound[] {
  const phase = ten?.phase ?? thousand?.phase ?? '';
  const growth = ten && thousand ? ten.cpu_ms / 10 / thousand.cpu_ms : null;
  const line: Bound = {
    says: `10,000 lines at 0 ms, ${phase}: CPU a line at most 1.30 of that at 1,000`,
    of: 'time',
    isHeld: growth === null ? null : growth <= 1.3,
    figures: growth === null ? '' : times(growth),
  };
  const size: Bound = {
    says: `10,000 lines at 0 ms, ${phase}: at most ${most.cpu / 1000} s of CPU and ${most.memory} MB`,
    of: 'time',
    isHeld: ten ? ten.cpu_ms <= most.cpu && ten.rss_mb <= most.memory : null,
    figures: ten ? `${(ten.cpu_ms / 1000).toFixed(1)} s, ${ten.rss_mb.toFixed(0)} MB` : '',
  };
  return [size, line];
}

function refused(what: string, row: Row | undefined): Bound {
  const says = `${what}: at most 5 % are refused`;
  if (!row) return { says, of: 'counts', isHeld: null, figures: '' };
  const share = row.refused / row.requests;
  return { says, of: 'counts', isHeld: share <= 0.05, figures: `${(share * 100).toFixed(1)} % (${row.refused} of ${row.requests})` };
}
