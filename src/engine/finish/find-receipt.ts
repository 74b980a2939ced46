import { door } from '../../core/door.ts';
import { Failure } from '../../core/errors.ts';
import { readAhead } from '../../core/read-ahead.ts';
import type { LedgerRecord, Receipt } from '../../ledger/model/facts.ts';
import { receiptsBranch, receiptsOf } from '../../ledger/model/names.ts';
import { parseState } from '../../ledger/model/state.ts';
import { readSound, type Store } from '../../ledger/stores/store.ts';
import { documentShape } from '../shapes.ts';
import type { RunWorld } from '../types.ts';
import { type OpenLedger, type ReceiptRequest, withLedger } from './receipts.ts';

/** A receipt of any run that the ledger still has, with the records that its commit holds. */
export interface FoundReceipt {
  readonly branch: string;
  /** The commit of the ledger that holds the receipt. */
  readonly commit: string;
  readonly receipt: Receipt;
  readonly records: readonly LedgerRecord[];
}

/**
 * The receipt of a run, whatever machine made it: on the branch of the scope that the request names, or on any branch of the environment.
 * It reads the ledger and nothing else. Throws `USAGE` where the ledger knows no such run, or no longer has its receipt.
 */
export function findReceipt(request: ReceiptRequest, run: string, world: RunWorld = {}): Promise<FoundReceipt> {
  return withLedger(
    request,
    world,
    async (ledger) => {
      const { store, environment } = ledger;
      const seen: string[] = [];
      const branches = await branchesOf(ledger);
      const read = readAhead(branches, atOnce, (branch) => stateAt(store, branch));
      const damaged: Failure[] = [];
      for (const branch of branches) {
        const state = await read(branch).catch((error: unknown) => {
          // The receipt may stand on another branch.
          if (!(error instanceof Failure)) throw error;
          damaged.push(error);
          return null;
        });
        if (!state) continue;
        if (state.receipt?.run === run) return found(branch, state);
        if (state.history.some((entry) => entry.run === run)) return await olderReceipt(store, branch, run);
        seen.push(...state.history.slice(-shownRuns).map((entry) => entry.run));
      }
      const where = ledger.scope === null ? `of the environment ${environment}` : `of ${environment}/${ledger.scope}`;
      const [first] = damaged;
      if (first) {
        const more = damaged.slice(1).map(({ detail }) => ` ${detail}`);
        throw new Failure(first.code, {
          detail: `No ledger ${where} that can be read knows a run ${run}. ${first.detail}${more.join('')}`,
          cause: first,
        });
      }
      throw new Failure('USAGE', {
        detail: `No ledger ${where} knows a run ${run}.${seen.length > 0 ? ` Its last runs are ${seen.slice(-shownRuns).join(', ')}.` : ''}`,
        fix: `Pass to ${door.named('run')} the id that a report or a receipt gives, with ${door.named('env')} and ${door.named('scope')} if the run was of another scope.`,
      });
    },
    foundShape,
  );
}

/** Records are read here for the names in them, and hold no secret. */
const foundShape = { of: { ...documentShape.of, records: 'own' } } as const;

const shownRuns = 5;

/** At most this many ledgers are read at the same time. */
const atOnce = 16;

async function branchesOf({ store, environment, scope, planName }: OpenLedger): Promise<readonly string[]> {
  if (scope !== null) return [receiptsBranch(environment, scope, planName)];
  return (await store.list(receiptsOf(environment))).map(({ branch }) => branch).filter((branch) => !branch.endsWith('/_history'));
}

type State = ReturnType<typeof parseState> & { readonly head: string };

async function stateAt(store: Store, branch: string, commit?: string): Promise<State | null> {
  const tree = commit === undefined ? await readSound(store, branch) : await store.readAt(branch, commit);
  return tree && { ...parseState(tree.files, branch), head: tree.head };
}

const found = (branch: string, { head, receipt, records }: State): FoundReceipt => {
  if (receipt === null) throw new Error(`the commit ${head} of ${branch} has no receipt`);
  return { branch, commit: head, receipt, records: [...records.values()] };
};

/**
 * A run's receipt came with its line of history, and every later commit keeps that line. So a search by halves finds the first commit that
 * has it.
 */
async function olderReceipt(store: Store, branch: string, run: string): Promise<FoundReceipt> {
  for (const most of reaches) {
    const heads = (await store.history?.(branch, most)) ?? [];
    let [newest, oldest] = [0, heads.length - 1];
    while (newest < oldest) {
      const middle = Math.ceil((newest + oldest) / 2);
      const state = await stateAt(store, branch, heads[middle]);
      if (state?.history.some((entry) => entry.run === run)) newest = middle;
      else oldest = middle - 1;
    }
    const state = heads[newest] === undefined ? null : await stateAt(store, branch, heads[newest]);
    if (state?.receipt?.run === run) return found(branch, state);
    if (heads.length < most) break;
  }
  throw new Failure('USAGE', {
    detail: `The run ${run} is in the history of ${branch}, but its receipt is in none of the commits that ${store.location} still has.`,
    fix: `Pass ${door.named('run')} the id of a newer run.`,
  });
}

/** How many commits are looked through: the last ones, then all that a branch may have. */
const reaches = [50, 5_000];
