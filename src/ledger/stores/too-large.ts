import { inMb } from '../../core/bounds.ts';
import { Failure } from '../../core/errors.ts';

/** More than any ledger has: nothing of it is read, so that one push cannot take the memory of every run. */
export const tooLarge = (what: string, most: number, isCounted = false): Failure =>
  new Failure('LEDGER_CORRUPT', {
    detail: `${what} of the ledger cannot be used: there may be at most ${isCounted ? most : inMb(most)}. Nothing was read from it and nothing was written.`,
    fix: 'Put the branch back to the commit before that on its host (`git push --force <remote> <commit>:<branch>`), then run again.',
  });
