import type { Registry } from '../ops/registry.ts';
import { type CatalogueService, loadCatalogue } from './catalogue/load.ts';
import type { Service } from './detect/service.ts';
import type { Survey } from './detect/survey.ts';
import { survey } from './detect/take-survey.ts';
import type { DraftProvider } from './draft.ts';

export interface Looked {
  readonly survey: Survey;
  /** Every provider with an adapter or a recipe family. */
  readonly providers: readonly DraftProvider[];
  /** Every service without one. */
  readonly catalogue: readonly CatalogueService[];
}

/** Takes the survey of a repository's files, with the providers and services that its claims name. */
export async function look(root: string, registry: Registry): Promise<Looked> {
  const [providers, catalogue] = await Promise.all([allProviders(registry), loadCatalogue()]);
  const services = [...providers.map((provider) => serviceOf(provider, catalogue)), ...catalogue.map(asService)];
  return { survey: await survey(root, services), providers, catalogue };
}

/** The names of providers and services for people. */
export function titlesOf({ providers, catalogue }: Looked): (name: string) => string {
  const titles = new Map([...catalogue, ...providers.map(({ adapter }) => adapter)].map(({ name, title }) => [name, title]));
  return (name) => titles.get(name) ?? name;
}

const fromOf = ({ isRecipe }: DraftProvider): Service['from'] => (isRecipe ? 'family' : 'adapter');

function serviceOf(provider: DraftProvider, catalogue: readonly CatalogueService[]): Service {
  const { name, detect = {} } = provider.adapter;
  return {
    name,
    from: fromOf(provider),
    signals: detect,
    ids: detect.ids ?? [],
    isHost: detect.hosting !== undefined,
    isEngine: false,
    engines: [
      ...(detect.database?.engine === undefined ? [] : [detect.database.engine]),
      ...catalogue.filter(({ ways }) => ways.includes(name)).map((engine) => engine.name),
    ],
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

async function allProviders(registry: Registry): Promise<readonly DraftProvider[]> {
  const adapters = await Promise.all(registry.adapterNames().map((name) => registry.adapter(name)));
  const families = await Promise.all(registry.familyNames().map((name) => registry.family(name)));
  return [
    ...adapters.flatMap((adapter) => (adapter ? [{ adapter, isRecipe: false }] : [])),
    ...families.flatMap((adapter) => (adapter ? [{ adapter, isRecipe: true }] : [])),
  ];
}
