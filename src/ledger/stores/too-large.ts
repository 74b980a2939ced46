import { Failure } from '../../core/errors.ts';

/** More than any ledger has: nothing of it is read, so that one push cannot take the memory of every run. `most`: the limit, in words. */
export const tooLarge = (why: string, most: string): Failure =>
  new Failure('LEDGER_CORRUPT', {
    detail: `The ledger cannot be used: ${why}. The limit is ${most}. Nothing was read from it and nothing was written.`,
    fix: 'Put the branch back to the commit before that on its host (`git push --force <remote> <commit>:<branch>`), then run again.',
  });
