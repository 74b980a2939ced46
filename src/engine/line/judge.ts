import { canonicalJson, hashJson } from '../../core/canonical.ts';
import { Failure } from '../../core/errors.ts';
import { decide, type Situation, type Verdict } from '../../machines/line/decide.ts';
import type { Judgement } from '../../machines/line/steps.ts';
import type { ActionBound, Bound, ItemBound, ObjectBound, WaitBound } from '../../ops/bound.ts';
import { identityOf } from '../../ops/provider.ts';
import { recordIdOf } from '../../remote/find.ts';
import { withValues } from '../../remote/live-object.ts';
import { hasPending, Kept, Pending, PendingValue } from '../../remote/value.ts';
import type { Unrevealed } from '../prepare/vault.ts';
import type { Session } from '../session.ts';
import { lookAtAwaited, noteWrite } from '../timing/host-time.ts';
import type { PreparedLine } from '../types.ts';
import { contradictionOf, foreign, recordedElsewhere } from './claim.ts';
import { compareFields, hashOf } from './compare.ts';
import { isDoubted } from './doubt.ts';
import { knownOf } from './known.ts';
import { asLineError, LineError } from './line-error.ts';
import { type FoundLive, findItem, findObject, isParentToCome } from './look.ts';
import { refusal } from './refusal.ts';
import { resolveLine } from './resolve.ts';
import { changesOf } from './sides.ts';
import { ioOf, type LineWork } from './work.ts';

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

const verdictOf = (verdict: Verdict['verdict'], why: string): Verdict => ({ verdict, why, drift: 'none' });

/** `null` when a value that decides the key does not exist yet. */
export function bindLine(session: Session, work: LineWork, prepared: PreparedLine): Bound | null {
  if (prepared.whole !== null) {
    work.block = prepared.whole.block;
    work.bound = prepared.whole.bound;
    return work.bound;
  }
  const params = work.resolved?.params ?? {};
  const block = prepared.op.providerFor?.(prepared.block, params) ?? prepared.block;
  work.block = block;
  try {
    work.bound = prepared.op.bind(params, {
      block,
      environment: session.environment,
      scope: session.scope,
      sha: session.sha,
      branch: session.branch,
      destroy: prepared.destroy,
      api: prepared.api,
    });
  } catch (error) {
    if (error instanceof PendingValue) return null;
    throw error;
  }
  const problems = work.bound.problems ?? [];
  if (problems.length > 0) throw new Failure('PARAM_INVALID', { detail: problems.join(' ') });
  return work.bound;
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

const goneOutput = (work: LineWork): string | null => {
  const gone = work.resolved?.gone;
  return gone ? `${gone.line}.${gone.output}` : null;
};

function refuse(session: Session, work: LineWork, verdict: Verdict): Judgement {
  work.drift = verdict.drift;
  work.changes = changesOf(work, verdict.verdict);
  const error = asLineError(refusal(session, work, verdict), { line: work.id, place: work.place, redactor: session.redactor });
  return { ...verdict, needsUpdate: false, needsRecord: false, ...(error instanceof LineError && { error: error.data }) };
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

const templates = new WeakMap<PreparedLine, string>();

/** The line as written: equal with another key means that only resolved values moved the key. Asked for at each record and each push. */
export function templateOf(prepared: PreparedLine): string {
  const known = templates.get(prepared);
  if (known !== undefined) return known;
  const { adapter, opName, recipe, params } = prepared;
  const template = hashJson([adapter, opName, recipe, JSON.stringify(params, dropPlaces)]).slice(0, 16);
  templates.set(prepared, template);
  return template;
}

/** References keep their names and lose their places, so that moving a line in the file changes nothing. */
const dropPlaces = (key: string, value: unknown): unknown => (key === 'place' ? undefined : value);

/** Identities of the lines this one comes after, as far as they have one. */
export const afterOf = (session: Session, prepared: PreparedLine): string[] =>
  prepared.after.flatMap((id) => session.works.get(id)?.identity ?? []).sort();

async function observeAction(session: Session, work: LineWork, bound: ActionBound): Promise<Judgement> {
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

async function observeWait(session: Session, work: LineWork, bound: WaitBound): Promise<Judgement> {
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

/** Notes what reports show, and gives the outputs of an object that stands as it is to the lines after it. */
function conclude(session: Session, work: LineWork, verdict: Verdict, recordNeeded = false): Judgement {
  work.drift = verdict.drift;
  work.changes = changesOf(work, verdict.verdict);
  const stands = ['none', 'adopt', 'keep', 'claim', 'reconcile', 'update'].includes(verdict.verdict);
  if (stands && work.live && work.identity) {
    work.made ??= verdict.verdict === 'claim' ? 'claimed' : 'found';
    publish(session, work);
  }
  const needsUpdate = verdict.verdict === 'update' || (['claim', 'reconcile'].includes(verdict.verdict) && work.changed.length > 0);
  // What an id that the caller chose names is as recorded although a dead run made it anew: then its intent is still there.
  const isUnfinished = work.record !== null && (work.record.unready || work.intent !== null);
  const needsReady = stands && isUnfinished && work.live !== null;
  // An apply first records what it found to be ours; where nothing is left to record, the line ends here.
  const isRecordedFirst = session.purpose !== 'plan' && (verdict.verdict === 'claim' || needsUpdate || needsReady);
  if (work.flaw !== null && !isRecordedFirst) throw work.flaw;
  return { ...verdict, needsUpdate, needsRecord: recordNeeded, needsReady };
}

/** Hides the line's outputs, and puts them where the lines after it find them. One that cannot be hidden is the line's flaw, and nobody's to use. */
export function publish(session: Session, work: LineWork): void {
  const { prepared, bound, live, identity } = work;
  if (!prepared || !bound || !live || !identity) return;
  const generation = generationOf(work);
  work.flaw ??= session.vault.hide(live);
  if (work.flaw !== null || !session.awaited.has(work.id)) return;
  session.vault.put(work.id, {
    prepared,
    bound,
    live,
    io: ioOf(work, work.stopping),
    identity,
    recordId: bound.reach.kind === 'none' ? '' : recordIdOf(bound.reach, live.id),
    generation,
  });
}

/** Raised by every object that this run made or claimed: dependents that hold the old one's secrets must take new ones. */
export function generationOf(work: LineWork): number {
  const before = work.record?.generation ?? 0;
  const isNew = work.made === 'created' || work.made === 'claimed';
  // Once known it stays: the record that this run writes must not raise it again.
  work.generation ??= isNew ? Math.max(before, work.intent?.generation ?? 0) + 1 : Math.max(before, 1);
  return work.generation;
}
