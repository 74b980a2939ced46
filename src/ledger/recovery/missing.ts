import { Failure } from '../../core/errors.ts';
import { removedScope } from '../model/removed.ts';
import { isLedgerDamage, parseState } from '../model/state.ts';
import type { Remembered, Store } from '../stores/store.ts';

/** A receipt that others tell of: its commit, and where they do, in words. */
export interface ToldReceipt {
  readonly commit: string;
  readonly where: string;
}

/**
 * A branch that is not there although this machine, or others, know it was deleted, with everything that pilotfish knows of the
 * scope: that is damage and no first apply. A scope whose branch was taken away long after its destroy stands in `_history`.
 * `restore` gives the command for a commit; `told` is asked where this machine knows nothing. Throws `LEDGER_CORRUPT`.
 */
export async function mustNotBeMissing(
  store: Store,
  environment: string,
  branch: string,
  o: { readonly restore: (commit: string) => string; readonly told: () => Promise<ToldReceipt | null> },
): Promise<void> {
  const known = (await store.remembered?.(branch)) ?? null;
  // A local ledger is lost with its machine, which no comment of another one tells anything about.
  const told = known === null && store.kind !== 'local' ? await o.told() : null;
  const last = known?.head ?? told?.commit;
  if (last === undefined || (await removedScope(store, environment, branch)) !== null) return;
  // Another run may have made it since this one asked: then that one is known here, and this one finds at its first push that it moved.
  if ((await store.head(branch)) !== null) return;
  const whence = told
    ? `${told.where} tells of its receipt ${last.slice(0, 12)}`
    : `this machine knows that it was there (last seen at ${last.slice(0, 12)})`;
  throw new Failure('LEDGER_CORRUPT', {
    detail: `The ledger ${branch} is not on ${store.location} any more, and ${whence}. Without it, objects that pilotfish made would be taken for foreign ones and would be left behind. Nothing was written.`,
    fix: fixOf(known, told, o.restore),
  });
}

function fixOf(known: Remembered | null, told: ToldReceipt | null, restore: (commit: string) => string): string {
  const anew = `Remove ${known?.place ?? told?.where} when nothing of this scope is left at the providers`;
  if (known?.copy) return `Run \`${restore(known.copy.slice(0, 12))}\`; this machine has a copy. ${anew}.`;
  const at = told ? ` at ${told.commit}` : '';
  return `Bring the branch back${at} from where it was deleted. ${anew}.`;
}

/** The newest commit of a damaged branch that can be used; `null` when there is none, or the store cannot tell. */
export async function newestSound(store: Store, branch: string): Promise<string | null> {
  const heads = (await store.history?.(branch).catch(noneWhereDamaged)) ?? [];
  for (const head of heads) {
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

/** What is too large to be fetched is damage of the newest commits, and says nothing of older ones. */
function noneWhereDamaged(error: unknown): readonly string[] {
  if (isLedgerDamage(error)) return [];
  throw error;
}
