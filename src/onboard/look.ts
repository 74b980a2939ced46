import type { Detect } from '../ops/detect.ts';
import type { Registry } from '../ops/registry.ts';
import { buildPrefixes } from '../ops/signals.ts';
import { type CatalogueService, loadCatalogue } from './catalogue/load.ts';
import { type Finding, findProviders } from './detect/findings.ts';
import type { Evidence } from './detect/ids.ts';
import { type Repository, readRepository } from './detect/repository.ts';
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
  readonly repository: Repository;
  readonly seen: readonly SeenProvider[];
  readonly unsupported: readonly (CatalogueService & { readonly evidence: readonly Evidence[] })[];
}

/** Finds the providers in a repository's files: those with adapters or recipes, and those without. */
export async function look(root: string, registry: Registry): Promise<Looked> {
  const [providers, services] = await Promise.all([allProviders(registry), loadCatalogue()]);
  const marks = services.map(marksOf);
  const hosts = [...providers.map(({ adapter }) => adapter.detect), ...marks].flatMap((detect) => detect?.hosts ?? []);
  const repository = await readRepository(root, { hosts: [...new Set(hosts)] });
  // An adapter and a recipe family may share a name, so each is looked up by its index.
  const asked = [
    ...providers.map((provider, i) => ({ name: String(i), ...(provider.adapter.detect && { detect: provider.adapter.detect }) })),
    ...marks.map((detect, i) => ({ name: `-${i}`, detect })),
  ];
  const found = new Map((await findProviders(repository, asked)).map((finding) => [finding.name, finding]));
  const seen = providers.flatMap((provider, i) => seenAs(provider, found.get(String(i))));
  const others = services.flatMap((service, i) => {
    const finding = found.get(`-${i}`);
    return finding ? [{ ...service, evidence: finding.evidence }] : [];
  });
  return { repository, seen, unsupported: others.filter((service) => !service.isEngine || !hasProvider(service, seen, others)) };
}

/** Tells whether a provider of the engine is seen, so that the engine's driver says nothing more. */
function hasProvider(engine: CatalogueService, seen: readonly SeenProvider[], others: readonly CatalogueService[]): boolean {
  return (
    seen.some(({ provider: { adapter } }) => engine.ways.includes(adapter.name) || adapter.detect?.database?.engine === engine.name) ||
    others.some(({ engines }) => engines.includes(engine.name))
  );
}

/** The signals of which one suffices, as `findProviders` asks for them. */
function marksOf({ uses }: CatalogueService): Detect {
  const variables = uses?.variables ?? [];
  return {
    files: uses?.files ?? [],
    holds: uses?.holds ?? [],
    dependencies: Object.values(uses?.packages ?? {}).flat(),
    commands: uses?.commands ?? [],
    env: ['', ...buildPrefixes].flatMap((prefix) => variables.map((name) => prefix + name)),
    hosts: (uses?.hosts ?? []).filter((host) => host.startsWith('.')),
  };
}

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

function seenAs(provider: DraftProvider, finding: Finding | undefined): readonly SeenProvider[] {
  if (!finding) return [];
  const ids = Object.fromEntries(Object.entries(finding.ids).map(([param, { value }]) => [param, value]));
  const unclear = Object.fromEntries(Object.entries(finding.unclear).map(([param, values]) => [param, values.map(({ value }) => value)]));
  return [{ provider, evidence: finding.evidence, ids, unclear }];
}
