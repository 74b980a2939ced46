import { canonicalJson } from '../../core/canonical.ts';
import { Failure } from '../../core/errors.ts';
import { decide, type Situation, type Verdict } from '../../machines/line/decide.ts';
import type { Judgement } from '../../machines/line/steps.ts';
import type { Bound, ItemBound, ObjectBound } from '../../ops/bound.ts';
import { identityOf } from '../../ops/provider.ts';
import { recordIdOf } from '../../remote/find.ts';
import { withValues } from '../../remote/live-object.ts';
import { hasPending, Kept, Pending } from '../../remote/value.ts';
import type { Unrevealed } from '../prepare/vault.ts';
import type { Session } from '../session.ts';
import { noteWrite } from '../timing/host-time.ts';
import type { PreparedLine } from '../types.ts';
import { bindLine } from './binding.ts';
import { contradictionOf, foreign, recordedElsewhere } from './claim.ts';
import { compareFields, hashOf } from './compare.ts';
import { conclude, goneOutput, refuse, verdictOf } from './conclude.ts';
import { isDoubted } from './doubt.ts';
import { observeAction, observeWait } from './judge-without-object.ts';
import { knownOf } from './known.ts';
import { type FoundLive, findItem, findObject, isParentToCome } from './look.ts';
import { afterOf, templateOf } from './record.ts';
import { resolveLine } from './resolve.ts';
import type { LineWork } from './work.ts';

/** Looks at the live object and judges the line. The same for plan and apply: a plan stops after it. */
export async function observe(session: Session, work: LineWork): Promise<Judgement> {
  const { prepared } = work;
  if (!prepared) throw new Error('a line of a destroy is judged by observe-ledger');
  work.startedAt ??= session.clock.now();
  // Another run wrote before this one held its lease: what the first look gave counts no more.
  Object.assign(work, {
    made: null,
    generation: null,
    replaced: null,
    live: null,
    going: [],
    goingOf: [],
    isRemovedFirst: false,
    heldUntil: null,
    isUnseen: false,
    flaw: null,
    epoch: session.writer.epoch,
  });
  const resolved = await resolveLine(prepared, 'judge', session);
  work.resolved = resolved;
  work.waitingOn = resolved.waitingOn;
  const bound = bindLine(session, work, prepared);
  if (!bound) return unseen(session, work, 'waits for what it depends on');
  identify(session, work, bound);
  if (resolved.credential instanceof Pending) return unseen(session, work, 'waits for its credential');
  const known = await knownOf(session, prepared);
  work.http = session.client.api(work.block ?? prepared.block, { credential: resolved.credential, line: work.id, known });
  if (bound.kind === 'wait') return await observeWait(session, work, bound);
  if (bound.kind === 'action') return await observeAction(session, work, bound);
  try {
    const [found, byPlan] = await Promise.all([
      bound.kind === 'item' ? findItem(session, work, bound) : findObject(session, work, bound),
      judgeByPlan(session, work, bound, prepared),
    ]);
    return await judge(session, work, bound, found, byPlan);
  } catch (error) {
    if (!isParentToCome(session, work, error)) throw error;
    return unseen(session, work, 'stands in an object that this plan makes');
  }
}

/** What it would look for, or with, is still to be made. */
function unseen(session: Session, work: LineWork, why: string): Judgement {
  work.isUnseen = true;
  return conclude(session, work, verdictOf('create', why));
}

function identify(session: Session, work: LineWork, bound: Bound): void {
  const { prepared } = work;
  if (!prepared) return;
  const identity = prepared.whole?.identity ?? identityOf(prepared.adapter, work.block ?? prepared.block, bound.key);
  const other = session.identities.get(identity);
  if (other !== undefined && other !== work.id) {
    throw new Failure('PARAM_INVALID', {
      detail: `It is the same object as line ${other} (${bound.key}).`,
      fix: `Remove one of the two lines, or give them different names.`,
    });
  }
  session.identities.set(identity, work.id);
  work.identity = identity;
  work.record = session.writer.state.records.get(identity) ?? null;
  work.intent = session.writer.state.intents.get(identity) ?? null;
  work.left = session.writer.state.left.get(identity) ?? null;
}

async function judge(
  session: Session,
  work: LineWork,
  bound: ObjectBound | ItemBound,
  found: FoundLive,
  byPlan: ByPlan,
): Promise<Judgement> {
  const { record } = work;
  const { isOutdated, removal } = byPlan;
  const writeOnly = bound.kind === 'object' ? (bound.writeOnly ?? []) : [];
  const isSameEdge = (value: Unrevealed): boolean => sameEdge(work, value);
  const isRecorded = found.live !== null && record !== null && (bound.kind === 'item' || found.live.id === record.objectId);
  // What a record says of fields that nobody can read, it says of its own object: not of one that takes its place, nor of what a
  // run may have written that announced it and died before it recorded it.
  const said = isRecorded && work.intent === null ? record : null;
  // Under the recorded id stands the recorded object, unless its revision tells that it was made anew since.
  const announced = isRecorded && record?.revision === found.live?.revision ? null : work.intent;
  work.live = found.live && (await withValues(found.live, said));
  const comparison =
    work.live && found.count === 'one'
      ? await compareFields({ fields: bound.fields, writeOnly, live: work.live, record: said, intent: announced, isSameEdge })
      : { changed: [], isDrifted: false };
  work.changed = comparison.changed;
  const kept = Object.values(bound.fields);
  const situation: Situation = {
    purpose: 'apply',
    kind: bound.kind,
    record: record && { owned: record.owned, sameRemoval: removal === record.recordId },
    hasIntent: work.intent !== null,
    wasLeft: found.live !== null && found.live.id === work.left?.objectId,
    isGoing: work.going.length > 0 || (found.count === 'none' && record?.removing === true),
    found: found.count,
    isRecorded,
    changed: comparison.changed,
    isDrifted: comparison.isDrifted,
    changesImmutable: bound.kind === 'object' && comparison.changed.some((field) => bound.immutable?.includes(field)),
    canUpdate: bound.kind === 'item' || bound.update !== undefined,
    isAdoption: kept.length > 0 && kept.every((value) => value instanceof Kept),
    recreate: session.recreate.has(work.id),
    reconcile: session.reconcile,
    destroy: work.prepared?.destroy ?? 'delete',
    missingOutput: goneOutput(work),
  };
  const verdict = decide(situation);
  if (verdict.verdict === 'refused') return refuse(session, work, verdict);
  // What no record names is ours only through the intent, also where it is to be replaced at once.
  const isThroughIntent = verdict.verdict === 'claim' || (verdict.verdict === 'replace' && situation.isRecorded === false);
  if (isThroughIntent && work.intent && found.live) {
    const contradiction = await contradictionOf(session, work.intent, found.live);
    if (contradiction !== null) throw foreign(contradiction);
  } else if (verdict.verdict === 'claim' && work.left) {
    const elsewhere = await recordedElsewhere(session, { ...work.left, baseUrl: (work.block ?? work.prepared?.block)?.base_url ?? '' });
    if (elsewhere !== null) throw foreign(elsewhere);
  }
  // An earlier run wrote it and could not say when: after whatever was deployed by then.
  if (verdict.verdict === 'claim' || isDoubted(record)) noteWrite(session, work);
  return conclude(session, work, verdict, needsRecord(session, work, verdict, isOutdated));
}

function sameEdge(work: LineWork, value: Unrevealed): boolean {
  const now = work.resolved?.edges.find((edge) => edge.line === value.line && edge.output === value.output);
  return (
    now !== undefined &&
    (work.record?.edges.some(
      (was) =>
        was.output === now.output && was.producer === now.producer && was.recordId === now.recordId && was.generation === now.generation,
    ) ??
      false)
  );
}

/** Whether the record says something else than it would now, although the object needs no write. */
function needsRecord(session: Session, work: LineWork, { verdict }: Verdict, isOutdated: boolean): boolean {
  if (verdict !== 'none') return ['claim', 'adopt', 'reconcile', 'keep'].includes(verdict);
  if (!work.record || session.purpose === 'plan') return false;
  return isOutdated || work.record.revision !== work.live?.revision;
}

/** What the plan and the record say of each other. It is judged while the object is being looked for. */
interface ByPlan {
  /** The plan alone asks for another record. */
  readonly isOutdated: boolean;
  /** How the plan would remove the recorded object: its request as text. */
  readonly removal: string | null;
}

async function judgeByPlan(session: Session, work: LineWork, bound: ObjectBound | ItemBound, prepared: PreparedLine): Promise<ByPlan> {
  const removal = work.record && recordIdOf(bound.reach, work.record.objectId);
  return { isOutdated: await isRecordOutdated(session, work, bound, prepared), removal };
}

async function isRecordOutdated(
  session: Session,
  { id, record, intent }: LineWork,
  bound: ObjectBound | ItemBound,
  prepared: PreparedLine,
): Promise<boolean> {
  if (!record || session.purpose === 'plan' || hasPending(Object.values(bound.fields))) return false;
  const writeOnly = bound.kind === 'object' ? (bound.writeOnly ?? []) : [];
  const hash = await hashOf(bound.fields, writeOnly, { repository: session.repository, record });
  return (
    (record.owned && hash !== record.hash) ||
    record.unready ||
    record.line !== id ||
    record.destroy !== prepared.destroy ||
    record.template !== templateOf(prepared) ||
    canonicalJson(record.reach) !== canonicalJson(bound.reach) ||
    record.after.join() !== afterOf(session, prepared).join() ||
    intent !== null
  );
}
