import type { DraftedValue } from '../draft.ts';
import { isConnection, kindOf } from '../wiring/kinds.ts';
import { valueFor } from './fill.ts';
import { draftsOf } from './lines.ts';
import type { Site } from './sites.ts';
import type { Way } from './sources.ts';

/** A variable that opens the database of a way, and its value there. */
export interface WayHand {
  readonly site: Site;
  readonly key: string;
  readonly value: DraftedValue;
}

interface Facts {
  readonly repository: string;
  readonly renamed: ReadonlyMap<string, string>;
}

/** The variables that a person needs beside the lines of a way: whoever takes the database off its comment also hands it to the app. */
export function handsOfWay({ provider, variable, deployables }: Way, sites: readonly Site[], facts: Facts): readonly WayHand[] {
  const given = provider.adapter.detect?.database?.variables.find((one) => isConnection(kindOf(one)));
  if (variable === null || !given) return [];
  return sites
    .filter(({ deployable, provider: host }) => deployables.includes(deployable.folder) && draftsOf(host, 'variable').length > 0)
    .filter(({ host }) => host.builds !== 'ci')
    .map((site) => ({ site, key: variable, value: valueFor(given.value, { ...facts, todo: given.todo }) }));
}
