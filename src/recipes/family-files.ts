import { once } from '../core/once.ts';
import { readBrotli } from '../platform/brotli-file.ts';
import { readOwnFile } from '../platform/own-files.ts';

/** The text of a file of the recipe families by its name; `null` where there is no such file. */
export type ReadFamilyFile = (name: string) => Promise<string | null>;

/** The folder beside this module. The build of the package writes one of this name beside its bundle. */
export const familiesFolder = new URL('./families/', import.meta.url);

/** The names of all families. Every run reads this file. */
export const familyIndexName = 'index.json';

/** A build has the texts of all other files in this one, by name. Packed one by one they take 1.7 times the room. */
export const familyPackName = 'families.json.br';

/** Reads the families of this version. A bundle of one file replaces this module by one that holds the families. */
export const readFamilyFile: ReadFamilyFile = filesIn(familiesFolder);

export function filesIn(folder: URL): ReadFamilyFile {
  const pack = once(async () => {
    const text = await readBrotli(new URL(familyPackName, folder));
    return text === null ? null : new Map(Object.entries(JSON.parse(text) as { readonly [name: string]: string }));
  });
  return async (name) =>
    (name === familyIndexName ? null : (await pack())?.get(name)) ?? readOwnFile(new URL(name, folder))?.toString('utf8') ?? null;
}
