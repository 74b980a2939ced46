import { bounds, inMb } from '../../core/bounds.ts';
import { Failure } from '../../core/errors.ts';

/** The failure for more than any ledger has. Nothing of it is read, so one push cannot take the memory of every run. `most`: the limit, in words. */
export const tooLarge = (why: string, most: string, fix: string = onGit): Failure =>
  new Failure('LEDGER_CORRUPT', {
    detail: `The ledger cannot be used: ${why}. The limit is ${most}. Nothing was read from it and nothing was written.`,
    fix,
  });

const onGit = 'Set the branch on its host back to the commit before that (`git push --force <remote> <commit>:<branch>`), then run again.';

/** Refuses a change that no later run could read, before the run does what the change announces. */
export function mustStayReadable(branch: string, files: ReadonlyMap<string, { readonly length: number }>): void {
  const refuse = (why: string, most: string): Failure =>
    new Failure('LEDGER_REFUSED', {
      detail: `The ledger ${branch} would be larger than a run reads: ${why}. The limit is ${most}. Nothing was written.`,
      fix: 'Split the plan into two, and give each its own `name:`.',
    });
  if (files.size > bounds.files) throw refuse(`it would have ${files.size} files`, `${bounds.files} files`);
  let total = 0;
  for (const [path, { length }] of files) {
    if (length > bounds.file) throw refuse(`${path} would have ${inMb(length)}`, `${inMb(bounds.file)} for a file`);
    total += length;
  }
  if (total > bounds.ledger) throw refuse(`its files would have ${inMb(total)}`, `${inMb(bounds.ledger)} for all files together`);
}
