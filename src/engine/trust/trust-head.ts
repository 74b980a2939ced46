import { door } from '../../core/door.ts';
import { Failure } from '../../core/errors.ts';
import type { Session } from '../session.ts';

/**
 * `--trust-ledger <commit>`: a person's word for the facts that this commit holds. Facts that changed since are not among them. Throws
 * `USAGE` where the ledger has no such commit.
 */
export async function trustHead({ store, trust, receiptsBranch, redactor }: Session, commit: string): Promise<void> {
  const tree = /^[\w-]{7,64}$/.test(commit) ? await store.readAt(receiptsBranch, commit.toLowerCase()) : null;
  if (tree) return await trust.trustFiles(tree.files);
  throw new Failure('USAGE', {
    detail: redactor.text(
      `${door.named('trust-ledger')} names ${commit}, but the ledger ${receiptsBranch} has no such commit. Nothing was sent.`,
    ),
    fix: 'Look at the ledger as it is now, and give at least 7 characters of its commit.',
  });
}
