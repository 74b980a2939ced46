import type { Simulation } from 'pilotfish-sandbox/kit/index';
import type { Team } from './team.ts';

/** What a command cost, as the providers and the git host saw it: nothing of it is the program's own account. */
export interface Cost {
  readonly requests: number;
  readonly writes: number;
  /** Pushes to the scope's branch. */
  readonly pushes: number;
  /** Pushes of the locks that parents are shared by. */
  readonly lockPushes: number;
}

export const branchOf = (scope: string): string => `pilotfish-receipts/preview/${scope}`;

/** Starts to count; the returned function tells what went by since. */
export async function measure(team: Team, scope: string): Promise<() => Promise<Cost>> {
  const before = await counters(team, scope);
  return async () => {
    const now = await counters(team, scope);
    const pushes = now.commits - before.commits;
    return {
      requests: now.requests - before.requests,
      writes: now.writes - before.writes,
      pushes,
      lockPushes: now.pushes - before.pushes - pushes,
    };
  };
}

async function counters({ world, remote }: Team, scope: string) {
  const sum = (count: (simulation: Simulation) => number): number => world.simulations.reduce((all, one) => all + count(one), 0);
  return {
    requests: sum(({ log, unhandled }) => log.length + unhandled.length),
    writes: sum((simulation) => simulation.writes().length),
    pushes: remote.count.pushes,
    // Each push of the program is one commit.
    commits: Number(await remote.git('rev-list', '--count', `--glob=refs/heads/${branchOf(scope)}*`)),
  };
}
