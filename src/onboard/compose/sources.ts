import type { Detect } from '../../ops/detect.ts';
import type { Claim } from '../detect/survey.ts';
import type { DraftProvider } from '../draft.ts';
import type { Looked } from '../look.ts';
import type { Source } from '../wiring/wiring.ts';

/** A provider that gives each preview a database of an engine. */
export interface Way {
  readonly provider: DraftProvider;
  /** The engine as people call it: `PostgreSQL`. */
  readonly engine: string;
  /** The variable that opens the database, if a file names it. */
  readonly variable: string | null;
  /** The folders of the deployables that use the database. */
  readonly deployables: readonly string[];
}

/** The providers whose lines give values, for the wiring. */
export function sourcesOf({ survey, providers }: Looked): readonly Source[] {
  return survey.claims.flatMap((claim) => {
    const provider = claim.madeByHost === null ? providerOf(claim, providers) : undefined;
    return provider && claim.from !== 'catalogue' ? [sourceOf(claim, claim.from, provider)] : [];
  });
}

function sourceOf({ service, deployables }: Claim, from: Source['from'], { adapter: { title, detect = {} } }: DraftProvider): Source {
  const variables = [...(detect.database?.variables ?? []), ...(detect.variables ?? [])];
  return {
    service,
    from,
    title,
    deployables,
    variables,
    engine: detect.database?.engine ?? null,
    hosts: hostsOf(detect),
    packages: packagesOf(detect),
  };
}

const hostsOf = ({ uses, may }: Detect): readonly string[] => [...new Set([...(uses?.hosts ?? []), ...(may?.hosts ?? [])])];

const packagesOf = ({ uses }: Detect): readonly string[] => Object.values(uses?.packages ?? {}).flat();

export const providerOf = (
  { service, from }: Pick<Claim, 'service' | 'from'>,
  providers: readonly DraftProvider[],
): DraftProvider | undefined => providers.find(({ adapter, isRecipe }) => adapter.name === service && isRecipe === (from === 'family'));

/** The managed ways to each database whose provider nobody can tell. */
export function waysOf({ survey, providers, catalogue }: Looked): readonly Way[] {
  return survey.claims.flatMap((claim) => {
    const engine =
      claim.from === 'catalogue' && claim.madeByHost === null ? catalogue.find(({ name }) => name === claim.service) : undefined;
    if (!engine?.isEngine) return [];
    const opened = survey.variables.find(({ opens }) => opens?.engine === engine.name && opens.role === undefined);
    return engine.ways.flatMap((name): Way[] => {
      const provider = providers.find(({ adapter }) => adapter.name === name && adapter.detect?.database !== undefined);
      const isClaimed = survey.claims.some(({ service, from }) => service === name && from !== 'catalogue');
      return provider && !isClaimed
        ? [{ provider, engine: engine.title, variable: opened?.name ?? null, deployables: claim.deployables }]
        : [];
    });
  });
}
