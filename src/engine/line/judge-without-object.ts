import { Failure } from '../../core/errors.ts';
import { decide } from '../../machines/line/decide.ts';
import type { Judgement } from '../../machines/line/steps.ts';
import type { ActionBound, WaitBound } from '../../ops/bound.ts';
import { hasPending } from '../../remote/value.ts';
import type { Session } from '../session.ts';
import { lookAtAwaited } from '../timing/host-time.ts';
import { hashOf } from './compare.ts';
import { conclude, goneOutput, refuse, verdictOf } from './conclude.ts';
import type { LineWork } from './work.ts';

export async function observeAction(session: Session, work: LineWork, bound: ActionBound): Promise<Judgement> {
  const record = work.record;
  const isOpen = hasPending(Object.values(bound.fields));
  const hash = isOpen ? '' : await hashOf(bound.fields, [], { repository: session.repository, record });
  work.changed = record && record.hash === hash ? [] : Object.keys(bound.fields);
  work.live = record ? { id: '', values: {}, outputs: record.outputs } : null;
  const verdict = decide({
    purpose: 'apply',
    kind: 'action',
    record: record && { owned: record.owned, sameRemoval: true },
    hasIntent: false,
    wasLeft: false,
    found: 'none',
    isRecorded: false,
    changed: work.changed,
    isDrifted: false,
    changesImmutable: false,
    canUpdate: false,
    isAdoption: false,
    recreate: session.recreate.has(work.id),
    reconcile: false,
    destroy: 'never',
    missingOutput: goneOutput(work),
  });
  if (verdict.verdict === 'refused') return refuse(session, work, verdict);
  return conclude(session, work, verdict);
}

export async function observeWait(session: Session, work: LineWork, bound: WaitBound): Promise<Judgement> {
  const willWrite = work.isAhead && work.prepared?.after.some((id) => isPendingInPlan(session, id));
  if (willWrite) return conclude(session, work, verdictOf('pending', 'waits for a deployment of what this plan writes'));
  const readiness = await lookAtAwaited(session, work, bound);
  if (readiness.state === 'failed') throw new Failure('EXTERNAL_FAILED', { detail: readiness.detail });
  if (readiness.state === 'ready') {
    work.live = readiness.live;
    return conclude(session, work, verdictOf('none', 'ready'));
  }
  return conclude(session, work, verdictOf('pending', readiness.detail));
}

function isPendingInPlan(session: Session, id: string): boolean {
  const work = session.works.get(id);
  return !work || session.vault.get(id) === null || work.changed.length > 0;
}
