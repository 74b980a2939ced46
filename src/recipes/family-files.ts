import { readFile } from 'node:fs/promises';

/** The text of a file of the recipe families by its name; `null` where there is no such file. */
export type ReadFamilyFile = (name: string) => Promise<string | null>;

/** The folder beside this module. The build of the package copies it beside its bundle. */
export const familiesFolder = new URL('./families/', import.meta.url);

/** Reads the families of this version. A bundle of one file replaces this module by one that holds the families. */
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
