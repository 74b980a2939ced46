import { baseOf, folderOf } from './paths.ts';

/** The files of one name. A large repository has few names beside the number of its files: `index.ts`, `page.tsx`, `route.ts`. */
export interface Named {
  /** The name without folders. */
  readonly name: string;
  /** What stands behind its last dot, or the whole name, in lower case. */
  readonly ending: string;
  /** The places of its files in the walk. */
  readonly places: number[];
}

/** The files of a repository by their names and folders. Whoever looks for some of them asks each name once, and not each file. */
export interface Listing {
  readonly names: ReadonlyMap<string, Named>;
  /** The names of the files in each folder that has some. */
  readonly folders: ReadonlyMap<string, readonly string[]>;
  /** The name of each file, in the order of the walk. */
  readonly inOrder: readonly Named[];
  has(file: string): boolean;
}

const known = new WeakMap<readonly string[], Listing>();

/** The listing of these files. It is made once for each list. */
export function listingOf(files: readonly string[]): Listing {
  const listing = known.get(files) ?? made(files);
  known.set(files, listing);
  return listing;
}

function made(files: readonly string[]): Listing {
  const names = new Map<string, Named>();
  const folders = new Map<string, string[]>();
  const inOrder: Named[] = [];
  let here: string[] = [];
  let before = '/';
  let place = 0;
  for (const file of files) {
    // Files of one folder follow each other.
    const begin = file.lastIndexOf('/') + 1;
    if (begin !== before.length || !file.startsWith(before)) {
      const folder = folderOf(file);
      before = file.slice(0, begin);
      here = folders.get(folder) ?? [];
      folders.set(folder, here);
    }
    const name = begin === 0 ? file : file.slice(begin);
    let named = names.get(name);
    if (named === undefined) {
      named = { name, ending: endingOf(name), places: [] };
      names.set(name, named);
    }
    named.places.push(place);
    inOrder.push(named);
    here.push(named.name);
    place += 1;
  }
  return {
    names,
    folders,
    inOrder,
    has: (file) => names.has(baseOf(file)) && (folders.get(folderOf(file))?.includes(baseOf(file)) ?? false),
  };
}

/** What stands behind the last dot of a file's name, or the whole name, in lower case. */
export function endingOf(file: string): string {
  const dot = file.lastIndexOf('.');
  const slash = file.lastIndexOf('/');
  return file.slice(Math.max(dot, slash) + 1).toLowerCase();
}
