/**
 * Tells whether a pattern matches a folder or one above it. `*` stays within a name, `**` is any number of folders; other signs match
 * themselves.
 */
export const isWithin = (folder: string, pattern: string): boolean => fits(folder, [...partsOf(pattern), '**']);

/** Tells whether a pattern matches the folder itself. */
export const isMatch = (folder: string, pattern: string): boolean => fits(folder, partsOf(pattern));

const partsOf = (pattern: string): readonly string[] => pattern.replace(/^\.?\/+|\/+$/g, '').split('/');

const fits = (folder: string, wanted: readonly string[]): boolean =>
  isLike(wanted, folder.split('/'), '**', (name, part) => isLike([...name], [...part], '*', (a, b) => a === b));

/** Matches with backtracking to the last wildcard only, so that no pattern makes it slow. */
function isLike(wanted: readonly string[], given: readonly string[], any: string, fits: (a: string, b: string) => boolean): boolean {
  let [at, i] = [0, 0];
  let last: { readonly at: number; readonly i: number } | null = null;
  while (i < given.length) {
    const [want, have] = [wanted[at], given[i]];
    if (want === any) {
      last = { at, i };
      at += 1;
    } else if (want !== undefined && have !== undefined && fits(want, have)) {
      at += 1;
      i += 1;
    } else if (last) {
      last = { at: last.at, i: last.i + 1 };
      at = last.at + 1;
      i = last.i;
    } else {
      return false;
    }
  }
  return wanted.slice(at).every((want) => want === any);
}
