import { Failure } from '../core/errors.ts';
import { newestSound } from '../ledger/recovery/missing.ts';
import { restoreLedger } from '../ledger/recovery/restore.ts';
import { HistoryLost } from '../ledger/stores/store.ts';
import { applyAgain } from './command-again.ts';
import type { Session } from './session.ts';

/** `--restore-ledger <commit>`: an older commit of the receipts branch becomes the newest one, before the run looks at it. */
export async function restore(session: Session, commit: string): Promise<void> {
  const head = await restoreLedger({
    store: session.store,
    branch: session.receiptsBranch,
    commit,
    clock: session.clock,
    terms: session.terms,
    leaseTimeoutMs: session.leaseTimeoutMs,
    signal: session.stopping,
    onWait: (detail) => session.tell({ type: 'run', state: 'waiting', detail, at: session.clock.now() }),
  });
  session.warnings.push(
    `The ledger was restored from ${commit} as ${head.slice(0, 12)}. An object that was made after that commit, and that no credential of this run sealed, is in no record. A line with RESOURCE_FOREIGN may mean such an object.`,
  );
}

/** Reads the ledger. The error of a damaged one names the command that restores the newest usable commit, where there is one. */
export async function lookAt(session: Session): Promise<void> {
  const { writer, store, receiptsBranch } = session;
  try {
    await writer.look();
  } catch (error) {
    if (error instanceof HistoryLost) throw new Failure(error.code, { detail: error.detail, fix: wayOut(session, error), cause: error });
    if (!(error instanceof Failure) || error.code !== 'LEDGER_CORRUPT' || (await store.head(receiptsBranch)) === null) throw error;
    const commit = await newestSound(store, receiptsBranch);
    if (commit === null) throw error;
    throw new Failure(error.code, {
      detail: error.detail,
      fix: `Run ${applyAgain(session, ['restore-ledger', commit.slice(0, 12)])}; it is the newest commit of the branch that can be used.`,
      cause: error,
    });
  }
}

/** A copy of the lost commits brings back the objects that they name. Without one, a person has to look. */
function wayOut(session: Session, { known, tree }: HistoryLost): string {
  const restore = (commit: string): string => applyAgain(session, ['restore-ledger', commit.slice(0, 12)]);
  if (known.copy !== null) return `Run ${restore(known.copy)}; it adds the facts of this machine's copy to those of the branch.`;
  return `Restore the commit ${known.head} on the branch. If nothing that only this commit names is left at the providers, run ${restore(tree.head)} instead, which accepts the branch as it is.`;
}
