import type { Registry } from '../ops/registry.ts';
import { type CatalogueService, loadCatalogue } from './catalogue/load.ts';
import type { Service } from './detect/service.ts';
import type { Survey } from './detect/survey.ts';
import { survey } from './detect/take-survey.ts';
import type { DraftProvider } from './draft.ts';
import { entriesOf, type ProviderEntry, providersOf } from './providers.ts';

export interface Looked {
  readonly survey: Survey;
  /** The providers with an adapter or a recipe family that the survey names. */
  readonly providers: readonly DraftProvider[];
  /** Every service without one. */
  readonly catalogue: readonly CatalogueService[];
  /** Every provider, whether or not the survey names it. */
  readonly entries: readonly ProviderEntry[];
}

/** Takes the survey of a repository's files, with the providers and services that its claims name. */
export async function look(root: string, registry: Registry): Promise<Looked> {
  const [entries, catalogue] = await Promise.all([entriesOf(registry), loadCatalogue()]);
  const services = [...entries.map((entry) => serviceOf(entry, catalogue)), ...catalogue.map(asService)];
  const taken = await survey(root, services);
  return { survey: taken, providers: await providersOf(registry, namesIn(taken, catalogue)), catalogue, entries };
}

/** The names of providers and services for people. */
export function titlesOf({ entries, catalogue }: Looked): (name: string) => string {
  const titles = new Map([...catalogue, ...entries].map(({ name, title }) => [name, title]));
  return (name) => titles.get(name) ?? name;
}

/** The names of the services that a survey claims, of the hosts, and of what could give a database in place of an engine. */
function namesIn({ claims, deployables }: Survey, catalogue: readonly CatalogueService[]): ReadonlySet<string> {
  const claimed = new Set(claims.map(({ service }) => service));
  return new Set([
    ...claimed,
    ...deployables.flatMap(({ host, others }) => [...(host ? [host] : []), ...others].map(({ provider }) => provider)),
    ...catalogue.flatMap(({ name, ways }) => (claimed.has(name) ? ways : [])),
  ]);
}

function serviceOf({ name, isRecipe, signals, ids, isHost, engine }: ProviderEntry, catalogue: readonly CatalogueService[]): Service {
  const offered = catalogue.filter(({ ways }) => ways.includes(name)).map((one) => one.name);
  return {
    name,
    from: isRecipe ? 'family' : 'adapter',
    signals,
    ids,
    isHost,
    isEngine: false,
    engines: [...(engine === null ? [] : [engine]), ...offered],
  };
}

const asService = (service: CatalogueService): Service => ({
  name: service.name,
  from: 'catalogue',
  signals: service,
  ids: [],
  isHost: service.kind === 'host',
  isEngine: service.isEngine,
  engines: service.engines,
});
