import { ledgerLines } from './line/ledger-lines.ts';
import { type LinePhase, newLine } from './line/phases.ts';
import { secretsOf } from './prepare/access.ts';
import { leftoversOf } from './prepare/digest.ts';
import { heldLines } from './prepare/expected.ts';
import { factsOf, type Wanted } from './prepare/recorded-lines.ts';
import { restoredLines } from './prepare/resume.ts';
import { Drive, linesEnd } from './schedule/drive.ts';
import { keep, type Session } from './session.ts';
import type { Parents } from './shared/parents.ts';
import type { Prepared, PreparedLine } from './types.ts';

/** All starts of the lines of a run have these in common. */
export interface Common {
  readonly parents: Parents;
  /** Chooses the recorded lines of a destroy. */
  readonly wanted: Wanted;
}

/**
 * Starts the lines: those of the plan, or for a destroy those of the ledger. `ahead`: the phases of the lines when all were judged before
 * the first write. A line that could be judged then goes on from there, and the others must stay within it.
 */
export function begin(
  opened: { readonly session: Session; readonly prepared: Prepared | null },
  purpose: 'plan' | 'apply' | 'destroy',
  { parents, wanted, ahead = new Map() }: Common & { readonly ahead?: Ahead },
): { drive: Drive; stays: readonly string[] } {
  const { session, prepared } = opened;
  const end = linesEnd(session.stopping);
  // Each line that needs the lease gets the reason itself when the lease cannot be taken.
  if (purpose === 'destroy' && isSureToWrite(session, wanted)) session.writer.ensureLease().catch(() => undefined);
  session.identities.clear();
  if (purpose === 'plan') session.vault.forget();
  // The orphans of an earlier start are judged anew.
  if (prepared) for (const [id, line] of session.works) if (line.prepared === null) session.works.delete(id);
  for (const line of prepared?.lines ?? []) {
    keep(session, { ...newLine(line.line.id, line, end.stopping), isAhead: purpose === 'plan' });
    for (const id of line.after) session.awaited.add(id);
    // The line's secrets are read before it is bound.
    session.hosts.noteLine(line, line.sends);
  }
  const { nodes, stays } = prepared
    ? { nodes: prepared.lines.map(({ line, after }) => ({ id: line.id, after })), stays: [] }
    : ledgerLines(session, { stopping: end.stopping, wanted, isAhead: purpose === 'plan' });
  session.leftovers.hash = prepared ? leftoversOf(session, prepared.lines) : '';
  takeOver(session, ahead, end.stopping);
  // A digest covers every line, also one that an interrupted run settled.
  const restored = prepared && purpose === 'apply' && ahead.size === 0 ? restoredLines(session, prepared) : new Map();
  readAhead(session, prepared?.lines.filter(({ line }) => !restored.has(line.id)) ?? []);
  return { drive: new Drive({ session, nodes, purpose, parents, end, restored, prepared }), stays };
}

type Ahead = ReadonlyMap<string, LinePhase>;

function takeOver(session: Session, ahead: Ahead, stopping: AbortSignal): void {
  const held = heldLines(ahead.values());
  for (const [id, expected] of ahead) {
    if (!held.has(id)) {
      const line = session.works.get(id);
      if (line) keep(session, { ...line, expected });
      continue;
    }
    keep(session, { ...expected, isHeld: true, isAhead: false, endedAt: null, stopping });
    if (expected.identity !== null) session.identities.set(expected.identity, id);
  }
}

/**
 * Whether a destroy is sure to remove something before any of its lines has looked. Then it takes the lease while the lines start. An object
 * of an unfinished create is recorded in the same push as the lease, and entries of one list go together, so those wait for all lines.
 */
function isSureToWrite(session: Session, isWanted: Wanted): boolean {
  const facts = factsOf(session);
  const wanted = isWanted(facts);
  const records = [...facts].flatMap(([identity, { record, isPast }]) => (record && !isPast && wanted.has(identity) ? [record] : []));
  const isAlone = session.writer.state.intents.size === 0 && records.every(({ reach }) => reach.kind !== 'item');
  return isAlone && records.some(({ owned, destroy }) => owned && destroy === 'delete');
}

/** Asks for all secrets at once. A line waits for its own secrets when it needs them, and only that line fails with them. */
function readAhead(session: Session, lines: readonly PreparedLine[]): void {
  for (const ref of lines.flatMap(secretsOf)) void session.readSecret(ref.reference).catch(() => undefined);
}
