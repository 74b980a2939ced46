import { Failure } from '../core/errors.ts';
import { isLedgerDamage } from './damage.ts';
import { removedScope } from './removed.ts';
import { parseState } from './state.ts';
import type { Store } from './store.ts';

/**
 * A branch that is not there although this machine knows it was deleted, with everything that pilotfish knows of the scope: that
 * is damage and no first apply. A scope whose branch was taken away long after its destroy stands in `_history`. Throws
 * `LEDGER_CORRUPT`.
 */
export async function mustNotBeMissing(
  store: Store,
  environment: string,
  branch: string,
  restore: (commit: string) => string,
): Promise<void> {
  const known = await store.remembered?.(branch);
  if (!known || (await removedScope(store, environment, branch)) !== null) return;
  const last = known.head.slice(0, 12);
  const detail = `The ledger ${branch} is not on ${store.location} any more, and this machine knows that it was there (last seen at ${last}). Without it, objects that pilotfish made would be taken for foreign ones and would be left behind. Nothing was written.`;
  const anew = `Remove ${known.place} when nothing of this scope is left at the providers`;
  throw new Failure('LEDGER_CORRUPT', {
    detail,
    fix:
      known.copy === null
        ? `Bring the branch back from where it was deleted. ${anew}.`
        : `Run \`${restore(known.copy.slice(0, 12))}\`; this machine has a copy. ${anew}.`,
  });
}

/** The newest commit of a damaged branch that can be used; `null` when there is none, or the store cannot tell. */
export async function newestSound(store: Store, branch: string): Promise<string | null> {
  for (const head of (await store.history?.(branch)) ?? []) {
    try {
      const tree = await store.readAt(branch, head);
      if (tree === null) continue;
      parseState(tree.files, branch);
      return tree.head;
    } catch (error) {
      if (!isLedgerDamage(error)) throw error;
    }
  }
  return null;
}
