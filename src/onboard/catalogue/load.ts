import type { ServiceSignals } from '../../ops/signals.ts';
import { readIndex, readServiceFiles } from '../catalogue-files.ts';
import { type Kind, wordsOfKind } from './kinds.ts';
import type { ServiceFile } from './schema.ts';

/** A service that no adapter and no recipe manages, or an engine that many providers run. */
export interface CatalogueService extends ServiceSignals {
  readonly name: string;
  readonly title: string;
  readonly kind: Kind;
  /** Many providers run it. It is claimed where a driver or a scheme shows it and none of them is. */
  readonly isEngine: boolean;
  /** For an engine: adapters and recipe families that give each preview one. They are its providers as well. */
  readonly ways: readonly string[];
  /** For a provider: the engines that it may run. */
  readonly engines: readonly string[];
  /** The reason: no API can manage it, or nobody has written an adapter yet. */
  readonly why: string;
  /** The advice, or the place to ask. */
  readonly ask: string;
}

/** A service as the index of a build has it. A title that follows from the name is left out. */
export type IndexedService = Omit<ServiceFile, 'shares' | 'title'> & { readonly title?: string };

let loaded: Promise<readonly CatalogueService[]> | null = null;

/** All services of the catalogue, by name. They do not change while this version runs. */
export function loadCatalogue(): Promise<readonly CatalogueService[]> {
  loaded ??= read();
  return loaded;
}

async function read(): Promise<readonly CatalogueService[]> {
  // The build has checked the index.
  const services = ((await readIndex('services')) as readonly IndexedService[] | null) ?? (await indexOf(await readServiceFiles()));
  return services.map(serviceOf);
}

/** The index of these files, sorted by name. Throws at the first file that is not valid. */
export async function indexOf(files: ReadonlyMap<string, string>): Promise<readonly IndexedService[]> {
  // A build has the index, and needs no schema and no reader of YAML for it.
  const { readService } = await import('./read-service.ts');
  return [...files].map(([name, text]) => {
    const { shares, title, ...service } = readService(text, name);
    return title === titleOf(name) ? service : { ...service, title };
  });
}

/** `agility_cms` → `Agility Cms`. */
const titleOf = (name: string): string => name.replace(/(?:^|_)[a-z]/g, (start) => start.replace('_', ' ').toUpperCase());

const unknownProvider = 'No file says which provider runs it.';

function serviceOf({ engine, ways = [], engines = [], ...service }: IndexedService): CatalogueService {
  const words = wordsOfKind(service.kind);
  return {
    title: titleOf(service.name),
    ...words,
    ...(engine && { why: unknownProvider }),
    ...service,
    isEngine: engine === true,
    ways,
    engines,
  };
}
