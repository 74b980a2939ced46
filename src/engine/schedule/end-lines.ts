import { statusOf } from '../finish/end-state.ts';
import type { Orphan } from '../orphan-document.ts';
import type { Session } from '../session.ts';
import type { Parents } from '../shared/parents.ts';
import type { Prepared, RunRequest } from '../types.ts';
import type { Drive } from './drive.ts';
import { orphanDocs, orphansNow } from './orphans.ts';
import { beginPrune, type Pruning, selectOrphans, unprunedText } from './prune.ts';
import { finishTail } from './tail.ts';

/** The work of an apply after its lines. */
export interface Tail {
  /** `null` where the run removes no orphan. */
  readonly pruning: Pruning | null;
  /** The orphans of such a run. */
  readonly orphans: readonly Orphan[];
}

export const noTail: Tail = { pruning: null, orphans: [] };

interface EndOptions {
  readonly request: RunRequest;
  readonly prepared: Prepared | null;
  readonly parents: Parents;
  readonly main: Drive;
  readonly unsettled: ReadonlySet<string>;
  readonly named: ReadonlySet<string> | null;
  readonly hasLost: boolean;
}

/**
 * Ends an apply whose lines have ended. Orphans go last: by then the objects that took their place stand, and the lines that used them
 * have other values. So nothing is pruned where a line of the plan did not settle.
 */
export async function endLines(session: Session, o: EndOptions): Promise<Tail> {
  const { request, prepared, parents, main, unsettled, named, hasLost } = o;
  const status = statusOf(main.positions(), session.stopping.aborted);
  const isWhole = status === 'complete' && !hasLost;
  const selection = request.prune && isWhole ? await selectOrphans(session, prepared, named) : null;
  await finishTail(session, parents, { prepared, unsettled, taken: selection?.taken ?? new Map() });
  if (selection) {
    const pruning = beginPrune(session, 'destroy', { selection, parents, main });
    await pruning.drive?.ending();
    return { pruning, orphans: [] };
  }
  const orphans = await orphansNow(session, prepared);
  if (!request.prune) return { pruning: null, orphans: await orphanDocs(session, orphans) };
  const text = unprunedText(orphans, status, hasLost);
  if (text !== null && !session.warnings.includes(text)) session.warnings.push(text);
  return { pruning: null, orphans: await orphanDocs(session, orphans, { becomes: 'left' }) };
}
