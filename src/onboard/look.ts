import type { Registry } from '../ops/registry.ts';
import { type CatalogueService, loadCatalogue } from './catalogue/load.ts';
import type { Evidence } from './detect/ids.ts';
import type { Service } from './detect/service.ts';
import type { Claim, Survey } from './detect/survey.ts';
import { survey } from './detect/take-survey.ts';
import type { DraftProvider } from './draft.ts';

/** A provider that the repository uses. */
export interface SeenProvider {
  readonly provider: DraftProvider;
  readonly evidence: readonly Evidence[];
  readonly ids: { readonly [param: string]: string };
  /** Params for which files hold several values. */
  readonly unclear: { readonly [param: string]: readonly string[] };
}

export interface Looked {
  readonly survey: Survey;
  readonly seen: readonly SeenProvider[];
  readonly unsupported: readonly (CatalogueService & { readonly evidence: readonly Evidence[] })[];
}

/** Finds the providers in a repository's files: those with adapters or recipes, and those without. */
export async function look(root: string, registry: Registry): Promise<Looked> {
  const [providers, catalogue] = await Promise.all([allProviders(registry), loadCatalogue()]);
  const taken = await survey(root, [...providers.map((provider) => serviceOf(provider, catalogue)), ...catalogue.map(asService)]);
  // An adapter and a recipe family may share a name.
  const claims = new Map(taken.claims.map((claim) => [`${claim.from} ${claim.service}`, claim]));
  return {
    survey: taken,
    seen: providers.flatMap((provider) => seenAs(provider, claims.get(`${fromOf(provider)} ${provider.adapter.name}`))),
    unsupported: catalogue.flatMap((service) => {
      const claim = claims.get(`catalogue ${service.name}`);
      return claim ? [{ ...service, evidence: claim.evidence }] : [];
    }),
  };
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

/** The providers of a first plan if nothing is found. */
const templateProviders = ['neon', 'vercel'];

export async function assumedProviders(registry: Registry): Promise<readonly SeenProvider[]> {
  const adapters = await Promise.all(templateProviders.map((name) => registry.adapter(name)));
  return adapters.flatMap((adapter) => (adapter ? [{ provider: { adapter, isRecipe: false }, evidence: [], ids: {}, unclear: {} }] : []));
}

async function allProviders(registry: Registry): Promise<readonly DraftProvider[]> {
  const adapters = await Promise.all(registry.adapterNames().map((name) => registry.adapter(name)));
  const families = await Promise.all(registry.familyNames().map((name) => registry.family(name)));
  return [
    ...adapters.flatMap((adapter) => (adapter ? [{ adapter, isRecipe: false }] : [])),
    ...families.flatMap((adapter) => (adapter ? [{ adapter, isRecipe: true }] : [])),
  ];
}

function seenAs(provider: DraftProvider, claim: Claim | undefined): readonly SeenProvider[] {
  return claim ? [{ provider, evidence: claim.evidence, ids: claim.ids, unclear: claim.unclear }] : [];
}
