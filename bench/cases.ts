import type { Phase } from './phase.ts';
import { chain, diamond, entries, independent, variables } from './wants.ts';
import type { Wanted } from './wish.ts';
import { byNameOnly } from './world.ts';

export interface Case {
  readonly name: string;
  readonly wanted: Wanted;
  readonly ledger: 'local' | 'git';
  /** Milliseconds a request. */
  readonly latency: number;
  /** Requests a second that the server answers. */
  readonly rate: number | null;
  /** `concurrency:` of the API block. */
  readonly concurrency: number | null;
  /** So many API blocks share the lines, each with a credential of its own. */
  readonly credentials: number;
  /** Nothing that Node compiled is kept, as on a machine of CI. */
  readonly isCold: boolean;
  /** The last phase that is done. */
  readonly until: Phase;
  /** How often each side is run. */
  readonly runs: number;
}

const common = {
  ledger: 'local',
  latency: 50,
  rate: null,
  concurrency: null,
  credentials: 1,
  isCold: false,
  until: 'destroy',
  runs: 5,
} as const;

/** Everything that is measured. A size of thousands is asked at 0 ms: there the work of a line is what counts. */
export const cases: readonly Case[] = [
  { ...common, name: '20', wanted: independent(20), runs: 9 },
  { ...common, name: '20-cold', wanted: independent(20), isCold: true, runs: 9 },
  { ...common, name: '20-cold-6', wanted: independent(20), credentials: 6, isCold: true, runs: 9 },
  // Its destroy takes as long as that of `find`: what is between them is told from chance by more runs.
  { ...common, name: '200', wanted: independent(200), runs: 15 },
  { ...common, name: '200-by-name', wanted: independent(200, byNameOnly) },
  { ...common, name: '200-at-64', wanted: independent(200), concurrency: 64 },
  { ...common, name: '200-git', wanted: independent(200), ledger: 'git' },
  { ...common, name: 'chain-10', wanted: chain(10) },
  { ...common, name: 'chain-10-keyed', wanted: chain(10, true) },
  { ...common, name: 'chain-10-git', wanted: chain(10), ledger: 'git' },
  { ...common, name: 'diamond-100', wanted: diamond(100) },
  { ...common, name: 'entries-100', wanted: entries(100, 5) },
  { ...common, name: 'variables-200', wanted: variables(200) },
  { ...common, name: '1000', wanted: independent(1000), latency: 0 },
  { ...common, name: '10000', wanted: independent(10_000), latency: 0, runs: 1 },
  { ...common, name: '200-limited', wanted: independent(200), rate: 20, runs: 1 },
];
