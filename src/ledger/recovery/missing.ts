import { Failure } from '../../core/errors.ts';
import { removedScope } from '../model/removed.ts';
import { isLedgerDamage, parseState } from '../model/state.ts';
import type { Remembered, Store } from '../stores/store.ts';

/** A receipt that others report: its commit, and the place of the report in words. */
export interface ToldReceipt {
  readonly commit: string;
  readonly where: string;
}

/**
 * Throws `LEDGER_CORRUPT` for a branch that is missing although this machine, or others, know it. Somebody deleted the branch with all
 * that pilotfish knows of the scope, so this is damage and no first apply. A scope whose branch was removed long after its destroy stands
 * in `_history`. `restore` gives the command for a commit. `told` is asked when this machine knows nothing.
 *
 * A told receipt is a hint. Every workflow with the token of jobs writes under the name of our comments, so a comment proves nothing.
 * The hint counts only while the remote still holds its commit, as one of this scope's ledger: somebody who can only write comments
 * cannot make that commit. Any other hint goes to `warn`, and the run goes on.
 */
export async function mustNotBeMissing(
  store: Store,
  branch: string,
  o: {
    readonly restore: (commit: string) => string;
    readonly told: () => Promise<ToldReceipt | null>;
    /** How the messages of this scope's commits begin. */
    readonly begins: string;
    readonly warn: (text: string) => void;
  },
): Promise<void> {
  const known = (await store.remembered?.(branch)) ?? null;
  // A local ledger is lost with its machine, and no comment of another machine tells of it.
  const told = known === null && store.kind !== 'local' ? await o.told() : null;
  const last = known?.head ?? told?.commit;
  if (last === undefined || (await removedScope(store, branch)) !== null) return;
  // Another run may have made the branch since this run asked. Then nothing is missing, and this run's first push finds the moved head.
  if ((await store.head(branch)) !== null) return;
  if (told !== null && !(await isHeld(store, told.commit, o.begins))) {
    o.warn(
      `The ledger ${branch} is not on ${store.location}. ${sentence(told.where)} names its receipt ${last.slice(0, 12)}, but the remote holds no such commit of this scope. The comment may be forged, so the run goes on as the first one. If the branch was deleted, restore it: no other record names its objects.`,
    );
    return;
  }
  const whence = told ? `${told.where} names its receipt ${last.slice(0, 12)}` : `this machine saw it there (last at ${last.slice(0, 12)})`;
  throw new Failure('LEDGER_CORRUPT', {
    detail: `The ledger ${branch} is no longer on ${store.location}, but ${whence}. Without the ledger, pilotfish would take its own objects for foreign ones and leave them behind. Nothing was written.`,
    fix: fixOf(known, told, o.restore),
  });
}

/** A store that cannot tell has no remote that many may push to. */
async function isHeld(store: Store, commit: string, begins: string): Promise<boolean> {
  if (!store.message) return true;
  return (await store.message(commit))?.startsWith(begins) ?? false;
}

function fixOf(known: Remembered | null, told: ToldReceipt | null, restore: (commit: string) => string): string {
  const anew = `If nothing of this scope is left at the providers, remove ${known?.place ?? told?.where} instead`;
  if (known?.copy) return `Run ${restore(known.copy.slice(0, 12))}; this machine has a copy. ${anew}.`;
  const at = told ? ` at ${told.commit}` : '';
  return `Restore the deleted branch${at} on the remote. ${anew}.`;
}

const sentence = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;

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

/** A commit that is too large to fetch is damage of the newest commits. Older commits may still be sound. */
function noneWhereDamaged(error: unknown): readonly string[] {
  if (isLedgerDamage(error)) return [];
  throw error;
}
