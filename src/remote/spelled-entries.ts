import type { Collection } from './collection.ts';
import { isOtherForm } from './forms.ts';

/** The collection with entries under their plan's names. `kept`: the provider's spelling → the plan's. */
export function underPlanNames(collection: Collection, kept: ReadonlyMap<string, string>): Collection {
  if (kept.size === 0) return collection;
  const entries = collection.entries.map((entry) => {
    const name = kept.get(entry.name);
    return name === undefined || name === entry.name ? entry : { ...entry, name, spelling: entry.name };
  });
  return { ...collection, entries };
}

export const namesIn = ({ entries }: Collection): ReadonlySet<string> => new Set(entries.map(({ name }) => name));

/** Names of entries that a provider may have made of this name, in their order. */
export const formsOf = (names: Iterable<string>, item: string): readonly string[] =>
  [...new Set(names)].filter((name) => name !== item && isOtherForm(item, name, { isLoose: true }));
