import { Failure } from '../../core/errors.ts';
import type { LedgerState, Receipt } from '../../ledger/model/facts.ts';
import { fileSchemas } from '../../ledger/model/file-schema.ts';
import { paths } from '../../ledger/model/state.ts';
import type { Store } from '../../ledger/stores/store.ts';
import type { PastRunDoc } from '../stands-document.ts';

/** So many runs are shown, and at most so many commits are read for their receipts. */
const mostRuns = 10;
const mostCommits = 40;

/** The last runs, the newest first: the history names them, and older commits have their receipts. */
export async function pastRuns(store: Store, branch: string, state: LedgerState): Promise<readonly PastRunDoc[]> {
  const receipts = await receiptsBack(store, branch, state.receipt);
  return state.history
    .slice(-mostRuns)
    .reverse()
    .map(({ run, at, outcome, event, commit }) => {
      const receipt = receipts.get(run);
      const failed = receipt?.lines.filter(({ code, state: end }) => code !== undefined || end === 'failed') ?? [];
      return { run, at, outcome, event, commit, ...(receipt && { ms: receipt.ms }), ...(failed.length > 0 && { failed }) };
    });
}

/** An older receipt is only for people, so trouble with older commits leaves their times out. */
async function receiptsBack(store: Store, branch: string, last: Receipt | null): Promise<ReadonlyMap<string, Receipt>> {
  const found = new Map<string, Receipt>();
  const add = (text: string | undefined): void => {
    const { data } = fileSchemas().receipt.safeParse(jsonIn(text));
    if (data && !found.has(data.run)) found.set(data.run, data as unknown as Receipt);
  };
  if (last) found.set(last.run, last);
  try {
    if (store.past) for (const { text } of (await store.past(branch, paths.receipt, mostCommits)).commits) add(text);
    else if (store.history && store.kind === 'local') {
      for (const head of await store.history(branch, mostCommits)) add((await store.readAt(branch, head))?.files.get(paths.receipt));
    }
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
  }
  return found;
}

function jsonIn(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}
