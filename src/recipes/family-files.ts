import { readFile } from 'node:fs/promises';

/** The text of a file of the recipe families, by its name; `null` where there is none of that name. */
export type ReadFamilyFile = (name: string) => Promise<string | null>;

/** Beside this module; the build of the package copies the folder beside its bundle. */
export const familiesFolder = new URL('./families/', import.meta.url);

/** The families of this version. A bundle that is one file has another module in place of this one: it holds them. */
export const readFamilyFile: ReadFamilyFile = filesIn(familiesFolder);

export function filesIn(folder: URL): ReadFamilyFile {
  return async (name) => {
    try {
      return await readFile(new URL(name, folder), 'utf8');
    } catch (error) {
      if (isErrno(error) && error.code === 'ENOENT') return null;
      throw error;
    }
  };
}

const isErrno = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'code' in error;
