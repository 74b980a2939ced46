import { Failure } from '../../core/errors.ts';

/** Refuses a path that would leave the tree of a branch. Such a path is a defect of the caller, never of the user. */
export function checkPaths(paths: Iterable<string>): void {
  for (const path of paths) {
    const isPlain = path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && part.toLowerCase() !== '.git');
    if (!isPlain || path.includes('\\') || path.includes('\0')) {
      throw new Failure('INTERNAL', { detail: `${JSON.stringify(path)} is not a path of a ledger file.` });
    }
  }
}
