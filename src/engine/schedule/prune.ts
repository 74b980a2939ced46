import { door } from '../../core/door.ts';
import type { RunStatus } from '../document.ts';
import { endState } from '../finish/end-state.ts';
import { orphanLines } from '../line/ledger-lines.ts';
import type { Orphan } from '../orphan-document.ts';
import type { Session } from '../session.ts';
import type { Parents } from '../shared/parents.ts';
import type { Prepared } from '../types.ts';
import { Drive, linesEnd } from './drive.ts';
import type { LinePosition } from './lines.ts';
import { gone, isSealedOrphan, type Orphans, orphanOf, orphansNow, whyUnsealed } from './orphans.ts';

/** The orphans of a run with `--prune`. */
export interface Selection {
  readonly orphans: Orphans;
  /** Those that the run takes: their records and intents. Nothing else of the run touches them. */
  readonly taken: Orphans;
  /** Identities of the others, each with the reason. */
  readonly stays: ReadonlyMap<string, string>;
}

/** `named`: identities of the orphans that a digest names; `null` where none was asked for. */
export async function selectOrphans(session: Session, prepared: Prepared | null, named: ReadonlySet<string> | null): Promise<Selection> {
  const orphans = await orphansNow(session, prepared);
  const stays = new Map<string, string>();
  for (const [identity, recorded] of orphans) {
    const fact = recorded.record ?? recorded.intent;
    if (!fact) continue;
    if (!(await isSealedOrphan(session, recorded))) stays.set(identity, whyUnsealed(session, fact));
    else if (named?.has(identity) === false) stays.set(identity, `${gone}; the plan of ${door.named('expect')} does not name it`);
  }
  return { orphans, stays, taken: new Map([...orphans].filter(([identity]) => !stays.has(identity))) };
}

/** The lines of the orphans. */
export interface Pruning extends Selection {
  /** Identities with their lines. */
  readonly ids: ReadonlyMap<string, string>;
  /** `null` where the run takes no orphan. */
  readonly drive: Drive | null;
}

/**
 * Starts the lines of the orphans. They are lines of a destroy: judged by the ledger, and removed in reverse order of its edges. `plan`: the
 * lines end with their verdict. `main`: the lines of the plan, which have ended.
 */
export function beginPrune(
  session: Session,
  purpose: 'plan' | 'destroy',
  { selection, parents, main }: { readonly selection: Selection; readonly parents: Parents; readonly main: Drive },
): Pruning {
  const { taken } = selection;
  if (taken.size === 0) return { ...selection, ids: new Map(), drive: null };
  const end = linesEnd(session.stopping);
  const nodes = orphanLines(session, taken, { stopping: end.stopping, isAhead: purpose === 'plan' });
  const ids = new Map([...taken.keys()].map((identity, i) => [identity, nodes[i]?.id ?? '']));
  const drive = new Drive({ session, nodes, purpose, parents, end, restored: new Map(), prepared: null, before: main });
  return { ...selection, ids, drive };
}

/** Judges the orphans as a plan does, and waits for that. */
export async function judgeOrphans(
  session: Session,
  { prepared, ...more }: { readonly prepared: Prepared | null; readonly parents: Parents; readonly main: Drive },
): Promise<{ readonly pruning: Pruning; readonly positions: readonly LinePosition[] }> {
  const selection = await selectOrphans(session, prepared, null);
  const pruning = beginPrune(session, 'plan', { selection, ...more });
  const ended = await pruning.drive?.done;
  return { pruning, positions: ended?.positions() ?? [] };
}

/** The orphans as the run leaves them, or as an apply of this plan would leave them. */
export function prunedDocs({ orphans, stays, ids }: Pruning, positions: readonly LinePosition[]): readonly Orphan[] {
  const byId = new Map(positions.map((position) => [position.id, position]));
  return [...orphans].flatMap(([identity, { record, intent }]): Orphan[] => {
    const fact = record ?? intent;
    if (!fact) return [];
    const why = stays.get(identity);
    if (why !== undefined) return [{ ...orphanOf(fact), verdict: 'none', why, becomes: 'left' }];
    const id = ids.get(identity) ?? '';
    return [{ ...orphanOf(fact), id, ...endOf(byId.get(id)) }];
  });
}

function endOf(position: LinePosition | undefined): Pick<Orphan, 'verdict' | 'why' | 'becomes' | 'state' | 'error'> {
  if (!position) return { verdict: 'none', why: gone, becomes: 'left' };
  const { context } = position;
  const state = endState(position.state);
  const verdict = context.verdict ?? (context.error ? 'failed' : 'none');
  const isDone = state === 'settled' || state === 'planned';
  const becomes = !isDone ? 'left' : verdict === 'delete' ? 'removed' : verdict === 'forget' ? 'forgotten' : 'left';
  const more = verdict === 'delete' || context.why === '' ? '' : `; ${context.why}`;
  return { verdict, why: `${gone}${more}`, becomes, state, ...(context.error && { error: context.error }) };
}

/** The sentence of a run that asked for pruning and must not: its plan does not stand whole. */
export function unprunedText(orphans: Orphans, status: RunStatus, isRestored: boolean): string | null {
  const why = isRestored ? 'the ledger had lost facts' : reasons[status];
  if (orphans.size === 0 || why === null) return null;
  const one = orphans.size === 1;
  return `Nothing was pruned, because ${why}. The next run with ${door.named('prune')} takes ${one ? 'the orphan' : `the ${orphans.size} orphans`}.`;
}

const reasons: { readonly [status in RunStatus]: string | null } = {
  complete: null,
  failed: 'a line of the plan failed',
  partial: 'a line of the plan waits for a deployment',
  interrupted: 'the run was interrupted',
  stale: 'the run is stale',
};
