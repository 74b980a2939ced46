import type { Phase } from './phase.ts';
import type { Sample, SideName } from './run.ts';

/** What one phase of a case cost us, with what the bare scripts took for the same in the same run. Medians. */
export interface Row {
  readonly name: string;
  readonly phase: Phase | 'start';
  readonly wall_ms: number;
  readonly cpu_ms: number;
  readonly rss_mb: number;
  readonly waited_ms: number;
  readonly requests: number;
  readonly reads: number;
  readonly writes: number;
  readonly refused: number;
  /** Of the bodies of all requests. */
  readonly bytes: number;
  readonly pushes: number;
  /** Of `least`; of a case with a rate limit, what its requests take at that rate; of a start, `node -e 0`. */
  readonly limit_wall_ms: number;
  /** Requests of `least`. */
  readonly limit_requests: number;
  /** Of `find`; `null` where there is no such script. */
  readonly find_wall_ms: number | null;
  /** Ours with a folder for a ledger, in the same turns; `null` where the case has no git host. */
  readonly local_wall_ms: number | null;
  /** `wall_ms` divided by `limit_wall_ms`. */
  readonly ratio: number;
}

/** One row a phase from the samples of all sides of a case. */
export function rowsOf(samples: readonly Sample[]): Row[] {
  const groups = Object.groupBy(samples, ({ case: name, phase }) => `${name} ${phase}`);
  return Object.values(groups).flatMap((group = []) => {
    const [first] = group;
    if (!first) return [];
    const of = (side: SideName, pick: (sample: Sample) => number): number => median(group.filter((one) => one.side === side).map(pick));
    const wall = of('ours', ({ wall_ms }) => wall_ms);
    const limit = of('least', ({ wall_ms }) => wall_ms);
    const requestsOf = ({ reads, writes, refused }: Sample): number => reads + writes + refused;
    return {
      name: first.case,
      phase: first.phase,
      wall_ms: wall,
      cpu_ms: of('ours', ({ cpu_ms }) => cpu_ms),
      rss_mb: of('ours', ({ rss_mb }) => rss_mb),
      waited_ms: of('ours', ({ waited_ms }) => waited_ms),
      requests: of('ours', requestsOf),
      reads: of('ours', ({ reads }) => reads),
      writes: of('ours', ({ writes }) => writes),
      refused: of('ours', ({ refused }) => refused),
      bytes: of('ours', ({ bytes }) => bytes),
      pushes: of('ours', ({ pushes }) => pushes),
      limit_wall_ms: limit,
      limit_requests: of('least', requestsOf),
      find_wall_ms: of('find', ({ wall_ms }) => wall_ms),
      local_wall_ms: group.some(({ side }) => side === 'local') ? of('local', ({ wall_ms }) => wall_ms) : null,
      ratio: wall / limit,
    };
  });
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = Number.NaN, high = low] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return (low + high) / 2;
}
