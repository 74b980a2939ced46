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
 *
 * What is told is a hint. Every workflow with the token of jobs writes in the name that our comments have, so a comment proves nothing:
 * it counts only where the remote still holds the commit that it names, as one of this scope's ledger, and who writes comments alone
 * cannot make that. Anything else goes to `warn`, and the run goes on.
 */
export async function mustNotBeMissing(
  store: Store,
  environment: string,
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
  // A local ledger is lost with its machine, which no comment of another one tells anything about.
  const told = known === null && store.kind !== 'local' ? await o.told() : null;
  const last = known?.head ?? told?.commit;
  if (last === undefined || (await removedScope(store, environment, branch)) !== null) return;
  // Another run may have made it since this one asked: then that one is known here, and this one finds at its first push that it moved.
  if ((await store.head(branch)) !== null) return;
  if (told !== null && !(await isHeld(store, told.commit, o.begins))) {
    o.warn(
      `The ledger ${branch} is not on ${store.location}. ${sentence(told.where)} tells of its receipt ${last.slice(0, 12)}, but the remote shows no such commit of this scope, so the comment may be forged and the run goes on as the first one. If the branch was deleted, what only it named is in no record: bring it back.`,
    );
    return;
  }
  const whence = told
    ? `${told.where} tells of its receipt ${last.slice(0, 12)}`
    : `this machine knows that it was there (last seen at ${last.slice(0, 12)})`;
  throw new Failure('LEDGER_CORRUPT', {
    detail: `The ledger ${branch} is not on ${store.location} any more, and ${whence}. Without it, objects that pilotfish made would be taken for foreign ones and would be left behind. Nothing was written.`,
    fix: fixOf(known, told, o.restore),
  });
}

/** A store that cannot tell has no remote that many may push to. */
async function isHeld(store: Store, commit: string, begins: string): Promise<boolean> {
  if (!store.message) return true;
  return (await store.message(commit))?.startsWith(begins) ?? false;
}

function fixOf(known: Remembered | null, told: ToldReceipt | null, restore: (commit: string) => string): string {
  const anew = `Remove ${known?.place ?? told?.where} when nothing of this scope is left at the providers`;
  if (known?.copy) return `Run \`${restore(known.copy.slice(0, 12))}\`; this machine has a copy. ${anew}.`;
  const at = told ? ` at ${told.commit}` : '';
  return `Bring the branch back${at} from where it was deleted. ${anew}.`;
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

/** What is too large to be fetched is damage of the newest commits, and says nothing of older ones. */
function noneWhereDamaged(error: unknown): readonly string[] {
  if (isLedgerDamage(error)) return [];
  throw error;
}
