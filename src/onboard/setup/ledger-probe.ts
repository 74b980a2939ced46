import { Failure } from '../../core/errors.ts';
import { BranchRefused, HeadMoved, type Store } from '../../ledger/stores/store.ts';
import type { Plan } from '../../plan/types.ts';
import type { SetupLedger } from './document.ts';
import type { SetupWorld } from './world.ts';

/** A branch below the prefix that every rule for receipts must allow. No environment has this name. */
const branch = 'pilotfish-receipts/_probe';

/** Whether the remote accepts the records of a run. */
export type LedgerProbe = Omit<SetupLedger, 'key'>;

/**
 * Tests whether the remote accepts a ledger: it pushes one small branch and removes it again. A rule of the host that refuses the branch
 * would stop the first apply after its first announced write, so the setup reports the rule now, with the exception that it needs. A right
 * that this machine's own credential lacks says nothing about CI.
 */
export async function probeLedger(receipts: Plan['receipts'], world: SetupWorld): Promise<LedgerProbe> {
  const not = (problem: string | null, location: string | null = null): LedgerProbe => ({ location, status: 'not tried', problem });
  if (receipts !== null && receipts !== 'git-branch') return not(null);
  if (world.openLedger === null) return not('There is no remote to hold it.');
  if (world.ask === null && !world.isYes)
    return not('The test pushes a branch, and nobody could be asked: run `pilotfish init --setup` in a terminal, or with `--yes`.');
  world.signal.throwIfAborted();
  let store: Store | null = null;
  let isReached = false;
  try {
    store = await world.openLedger();
    const before = await store.head(branch);
    isReached = true;
    await push(store, before);
    return { location: store.location, status: 'works', problem: null };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    const problem = [thrown.detail, thrown.fix ?? ''].join(' ').trim();
    // A remote that cannot be read has not refused the ledger.
    if (isReached && thrown instanceof BranchRefused) return { location: store?.location ?? null, status: 'refused', problem };
    return not(problem, store?.location ?? null);
  } finally {
    await store?.close();
  }
}

async function push(store: Store, before: string | null): Promise<void> {
  const text = `${JSON.stringify({ v: 1, what: 'pilotfish init --setup tried whether this remote takes a ledger' })}\n`;
  try {
    const head = await store.append(branch, new Map([['probe.json', text]]), before, 'whether this remote takes a ledger');
    await store.remove(branch, head);
  } catch (thrown) {
    // Another probe came first, so the remote accepts one.
    if (!(thrown instanceof HeadMoved)) throw thrown;
  }
}
