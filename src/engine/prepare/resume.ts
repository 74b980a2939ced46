import { hashJson } from '../../core/canonical.ts';
import type { VerdictName } from '../../machines/line/decide.ts';
import { lineMachineVersion } from '../../machines/line/line.machine.ts';
import { reportsDrift } from '../line/drift.ts';
import { templateOf } from '../line/record.ts';
import { keep, type Session, workOf } from '../session.ts';
import type { Prepared } from '../types.ts';

/** Equal for plans whose lines say the same. Every push stores this with the run's position, and it never changes for a plan. */
export function planDigest(prepared: Prepared): string {
  const known = digests.get(prepared);
  if (known !== undefined) return known;
  const digest = hashJson(prepared.lines.map((line) => [line.line.id, templateOf(line), line.after, line.line.drift])).slice(0, 16);
  digests.set(prepared, digest);
  return digest;
}

const digests = new WeakMap<Prepared, string>();

/**
 * Lines that an interrupted run settled and that need no look now: their record still has the snapshot's generation, and every
 * line that may need their outputs is settled as well. All others start over. A snapshot is a position, never the truth.
 */
export function restoredLines(session: Session, prepared: Prepared): ReadonlyMap<string, VerdictName> {
  const none: ReadonlyMap<string, VerdictName> = new Map();
  const { records } = session.writer.state;
  const snapshot = session.writer.position;
  if (!snapshot || session.recreate.size > 0 || session.reconcile || session.putBack) return none;
  if (snapshot.digest !== planDigest(prepared) || snapshot.commit !== session.sha || snapshot.machine !== lineMachineVersion) {
    const anew = 'An interrupted run left a position of another plan, commit or version, so this run looks at every line anew.';
    // One warning is enough, although the lines may begin anew.
    if (!session.warnings.includes(anew)) session.warnings.push(anew);
    return none;
  }
  // Each run that leaves what others changed must tell it.
  const toldAnew = new Set(prepared.lines.flatMap((one) => (reportsDrift({ prepared: one }) ? [one.line.id] : [])));
  const settled = new Map<string, VerdictName>();
  for (const line of snapshot.lines) {
    const record = line.identity === null ? undefined : records.get(line.identity);
    // A line that was being recorded is settled only if that very record arrived.
    const isSettled = line.state === 'settled' || (line.state === 'recording' && record?.run === snapshot.run);
    // A look must confirm a fact that nobody sealed.
    if (
      isSettled &&
      record &&
      !session.trust.isDoubtful(record.identity) &&
      record.generation === line.generation &&
      !record.unready &&
      record.line === line.id &&
      !toldAnew.has(line.id)
    )
      settled.set(line.id, 'none');
  }
  // From the end of the order: a line is kept only when all lines after it are.
  for (const { line, after } of [...prepared.lines].reverse()) {
    if (settled.has(line.id)) continue;
    for (const producer of after) settled.delete(producer);
  }
  for (const { id, identity } of snapshot.lines) {
    if (!settled.has(id) || !identity || session.works.get(id)?.identity) continue;
    keep(session, { ...workOf(session, id), phase: 'unjudged', identity, record: records.get(identity) ?? null });
    session.identities.set(identity, id);
  }
  return settled;
}
