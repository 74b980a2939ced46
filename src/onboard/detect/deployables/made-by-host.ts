import type { HostEvidence } from '../facts.ts';
import type { Deployable } from '../survey.ts';

/** A service that the host of a deployable, or a workflow of the repository, makes for each preview by itself. */
export interface MadeByHost {
  readonly service: string;
  /** The name of the host; `github` for a workflow. */
  readonly host: string;
  readonly what: string;
  readonly file: string;
  readonly line: number;
  /** The folder of the deployable; `null` where all of them get it. */
  readonly deployable: string | null;
}

/** What hosts make by themselves. Only the chosen host of a deployable counts: the file of another may be a leftover. */
export function madeByHostsOf(deployables: readonly Deployable[], hosts: readonly HostEvidence[]): readonly MadeByHost[] {
  const chosen = deployables.flatMap(({ folder, host }) => (host?.evidence ?? []).flatMap((evidence) => made(evidence, folder)));
  return [...chosen, ...hosts.filter(({ isMaker }) => isMaker).flatMap((evidence) => made(evidence, null))];
}

const made = ({ provider, file, line, makes = [] }: HostEvidence, deployable: string | null): readonly MadeByHost[] =>
  makes.map(({ service, what }) => ({ service, host: provider, what, file, line, deployable }));
