import { Failure } from '../../core/errors.ts';
import type { LedgerRecord } from '../../ledger/model/facts.ts';
import { decide, type Verdict } from '../../machines/line/decide.ts';
import type { ActionBound, Readiness, WaitBound } from '../../ops/bound.ts';
import { isProduction } from '../../plan/context.ts';
import { hasPending } from '../../remote/value.ts';
import type { Session } from '../session.ts';
import { lookAtAwaited } from '../timing/host-time.ts';
import { storedRecord } from '../trust/trust.ts';
import { unsealed } from '../trust/unsealed.ts';
import { hashOf } from './compare.ts';
import { conclude, goneOutput, refuse, verdictOf } from './conclude.ts';
import { ownChanges } from './drift.ts';
import { type Findings, ioOf, type Judged, type Ready, type Written } from './phases.ts';
import { printerOf } from './printer.ts';
import { recordChanges } from './record-changes.ts';

const nothing: Findings = { live: null, changed: [], going: [], goingOf: [], alikes: [], replaced: null, isPassed: false };

export async function observeAction(session: Session, line: Ready<ActionBound>): Promise<Judged | Written> {
  const { bound } = line;
  const record = await believedAction(session, line);
  const isOpen = hasPending(Object.values(bound.fields));
  const hash = isOpen ? '' : await hashOf(bound.fields, [], { printer: await printerOf(session, line), record, keepsUnknown: true });
  const changed = record && record.hash === hash ? [] : Object.keys(bound.fields);
  const look: Findings = { ...nothing, changed, live: record && { id: '', values: {}, outputs: record.outputs } };
  // The outputs of a record that nobody sealed do not count, so this run does not write it anew.
  const changes = record === line.record ? recordChanges(session, line, record) : [];
  const verdict = decide({
    purpose: 'apply',
    kind: 'action',
    recordChanges: changes.map(({ field }) => field),
    record: record && { owned: record.owned, sameRemoval: true },
    hasIntent: false,
    wasLeft: false,
    found: 'none',
    isRecorded: false,
    changed,
    drifted: [],
    immutable: [],
    canUpdate: false,
    isAdoption: false,
    recreate: session.recreate.has(line.id),
    reconcile: false,
    destroy: 'never',
    missingOutput: goneOutput(line.resolved),
  });
  const seen = { ...line, recordChanges: changes };
  if (verdict.verdict === 'refused') return refuse(session, seen, look, verdict);
  return conclude(session, seen, look, verdict, verdict.verdict === 'rename');
}

/**
 * Nothing at a provider shows whether an action was sent, or what it gave. In a preview an unsealed record counts as sent, so that two
 * people do not send the action in turn. Nobody may use the outputs of such a record.
 */
async function believedAction(session: Session, { id, record }: Ready<ActionBound>): Promise<LedgerRecord | null> {
  if (!record) return null;
  const stored = storedRecord(record);
  if (await session.trust.isSealed(stored)) return record;
  const why = session.recreate.has(id) ? null : whyUnbelieved(session, id);
  if (why !== null) throw unsealed(session, stored, why);
  return { ...record, outputs: {} };
}

function whyUnbelieved(session: Session, id: string): string | null {
  if (session.isSealedOnly) return 'The plan says `ledger: sealed`.';
  if (isProduction(session.environment)) return 'Nothing at its provider shows that it was sent.';
  const isUsed = [...session.works.values()].some(({ prepared }) => prepared?.edges.some(({ ref }) => ref.line === id) ?? false);
  return isUsed ? 'Other lines use its outputs, which stand in the ledger alone.' : null;
}

export async function observeWait(session: Session, line: Ready<WaitBound>): Promise<Judged | Written> {
  const willWrite = line.isAhead && line.after.some((id) => isPendingInPlan(session, id));
  if (willWrite) return conclude(session, line, nothing, await judgeBeforeWrites(session, line));
  const { seen, isPassed } = await lookAtAwaited(session, line);
  if (seen.state === 'failed') throw new Failure('EXTERNAL_FAILED', { detail: seen.detail });
  if (seen.state === 'ready') return conclude(session, line, { ...nothing, isPassed, live: seen.live }, verdictOf('none', 'ready'));
  return conclude(
    session,
    line,
    { ...nothing, isPassed },
    session.purpose === 'plan' ? openVerdict(line, seen) : verdictOf('pending', seen.detail),
  );
}

/** Every deployment of now is older than what this plan writes. One that is there is made again, and one that is to come has it all. */
async function judgeBeforeWrites({ purpose }: Session, line: Ready<WaitBound>): Promise<Verdict> {
  const writes = 'waits for a deployment of what this plan writes';
  if (!line.bound.kick || purpose !== 'plan') return verdictOf('pending', writes);
  const seen = await line.bound.poll(ioOf(line, line.stopping), Number.POSITIVE_INFINITY);
  return seen.state === 'stale'
    ? verdictOf('redeploy', 'the deployment that is there lacks what this plan writes')
    : verdictOf('pending', writes);
}

/** A plan says whether the apply would start the awaited thing again. An apply learns that while it waits (`wait.ts`). */
const openVerdict = ({ bound }: Ready<WaitBound>, seen: Exclude<Readiness, { state: 'ready' }>): Verdict =>
  verdictOf(seen.state === 'stale' && bound.kick ? 'redeploy' : 'pending', seen.detail);

function isPendingInPlan(session: Session, id: string): boolean {
  const line = session.works.get(id);
  const differs = (line?.phase === 'judged' || line?.phase === 'written') && ownChanges(line).length > 0;
  return differs || session.vault.get(id) === null;
}
