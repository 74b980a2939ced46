import type { FoundId } from '../ops/detect.ts';
import type { Registry } from '../ops/registry.ts';
import type { ServiceSignals } from '../ops/signals.ts';
import { readIndex } from './catalogue-files.ts';
import type { DraftProvider } from './draft.ts';

/** What a survey needs of a provider, so that its code is loaded only where the survey finds it. */
export interface ProviderEntry {
  readonly name: string;
  readonly title: string;
  readonly isRecipe: boolean;
  readonly signals: ServiceSignals;
  readonly ids: readonly FoundId[];
  readonly isHost: boolean;
  /** The engine of the databases that it makes. */
  readonly engine: string | null;
}

/** The entries of every provider of a registry: the adapters first, then the recipe families. A build has those of its own ones. */
export async function entriesOf(registry: Registry): Promise<readonly ProviderEntry[]> {
  // The build made the index from these providers, and left the signals out of their code.
  const built = ((await readIndex('providers')) ?? []) as readonly ProviderEntry[];
  const known = new Map(built.map((entry) => [keyOf(entry), entry]));
  const entryOf = async (name: string, isRecipe: boolean): Promise<readonly ProviderEntry[]> => {
    const entry = known.get(keyOf({ name, isRecipe }));
    return entry ? [entry] : (await loaded(registry, [name], isRecipe)).map(asEntry);
  };
  const entries = await Promise.all([
    ...registry.adapterNames().map((name) => entryOf(name, false)),
    ...registry.familyNames().map((name) => entryOf(name, true)),
  ]);
  return entries.flat();
}

const keyOf = ({ name, isRecipe }: Pick<ProviderEntry, 'name' | 'isRecipe'>): string => `${isRecipe} ${name}`;

/** The providers of these names: the adapters first, then the recipe families. */
export async function providersOf(registry: Registry, names: ReadonlySet<string>): Promise<readonly DraftProvider[]> {
  const isWanted = (name: string): boolean => names.has(name);
  return [
    ...(await loaded(registry, registry.adapterNames().filter(isWanted), false)),
    ...(await loaded(registry, registry.familyNames().filter(isWanted), true)),
  ];
}

async function loaded(registry: Registry, names: readonly string[], isRecipe: boolean): Promise<readonly DraftProvider[]> {
  const adapters = await Promise.all(names.map((name) => (isRecipe ? registry.family(name) : registry.adapter(name))));
  return adapters.flatMap((adapter) => (adapter ? [{ adapter, isRecipe }] : []));
}

function asEntry({ adapter: { name, title, detect = {} }, isRecipe }: DraftProvider): ProviderEntry {
  const { uses, may, nothing, unless, ids = [], hosting, database } = detect;
  return {
    name,
    title,
    isRecipe,
    signals: { ...(uses && { uses }), ...(may && { may }), ...(nothing && { nothing }), ...(unless && { unless }) },
    ids,
    isHost: hosting !== undefined,
    engine: database?.engine ?? null,
  };
}
