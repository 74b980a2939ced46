import { Failure, Interrupted } from '../../core/errors.ts';
import { HttpFailure } from '../../http/failure.ts';
import type { Intent, LedgerRecord } from '../../ledger/model/facts.ts';
import type { CreateOutcome } from '../../machines/line/steps.ts';
import type { Desired, ObjectBound } from '../../ops/bound.ts';
import { Kept } from '../../remote/value.ts';
import { mustGoOn, type Session } from '../session.ts';
import type { Creates } from '../shared/creates.ts';
import type { Parents } from '../shared/parents.ts';
import { noteWrite } from '../timing/host-time.ts';
import { materialise } from './binding.ts';
import { contradictionOf } from './claim.ts';
import { doubts } from './doubt.ts';
import { durable, endIntent, underLease } from './durable.ts';
import { awaitGoing, marked, unmark } from './going.ts';
import { isUnusable } from './line-error.ts';
import { publish } from './publish.ts';
import { claimedRecord, intentOf, recordOf, supersededBy } from './record.ts';
import { madeBy } from './relocate.ts';
import { removeOne } from './removal.ts';
import { isNotTaken } from './remove.ts';
import { awaitRoom } from './wait.ts';
import { ioOf, type LineWork, letGo } from './work.ts';

export async function recordIntent(session: Session, work: LineWork): Promise<void> {
  mustGoOn(work);
  await awaitGoing(session, work);
  await awaitRoom(session, work);
  // Values are read before the intent: one that is gone must not leave an announcement behind.
  await materialise(session, work);
  const intent = intentOf(session, work);
  work.wasAnnounced ||= work.intent !== null && work.intent.run !== session.runId;
  // Seen gone by now: what stands under a chosen id from here on is what the intent announces.
  const { removing, ...gone } = work.record ?? {};
  const unmarked = work.record && removing ? [{ kind: 'record' as const, record: gone as LedgerRecord }] : [];
  await durable(session, work, [...unmarked, { kind: 'intent', intent }]);
  for (const { record: next } of unmarked) work.record = next;
  work.intent = intent;
  if (work.stopping.aborted) {
    endIntent(session, work);
    throw new Interrupted();
  }
}

const desiredOf = (bound: ObjectBound): Desired =>
  Object.fromEntries(Object.entries(bound.fields).filter(([, value]) => !(value instanceof Kept))) as Desired;

/** What writes for several lines at once. */
export interface Writers {
  readonly parents: Parents;
  readonly creates: Creates;
}

export async function create(session: Session, work: LineWork, { parents, creates }: Writers): Promise<CreateOutcome> {
  const { bound } = work;
  if (work.stopping.aborted) {
    if (work.creates === 0) endIntent(session, work);
    throw new Interrupted();
  }
  work.creates += 1;
  if (bound?.kind === 'item') {
    try {
      await parents.ask(work, bound.entry, 'create');
    } catch (error) {
      // Nothing of this line was written: an entry that somebody else added must not be claimed by a later run.
      if (!work.mayStand) endIntent(session, work);
      throw error;
    }
    noteItem(session, work);
    return { outcome: 'made' };
  }
  if (bound?.kind !== 'object') throw new Failure('INTERNAL', { detail: `${work.id} cannot be created.` });
  const stoodBefore = work.mayStand;
  work.isMade = false;
  try {
    work.live = await creates.create(work, bound, desiredOf(bound), work.intent?.idempotencyKey ?? null);
  } catch (error) {
    // Whatever the status was: "it exists already" says that this request made nothing.
    if (isConflict(error)) work.mayStand = stoodBefore;
    if (!isUnclear(error)) {
      if (!work.mayStand) endIntent(session, work);
      // It was made, and its answer is of no use: it is looked for, so that the ledger has more of it than an announcement.
      else if (work.isMade && isUnusable(error) && work.intent && (await findMade(session, work, bound, work.intent))) {
        work.flaw = error;
        return { outcome: 'made' };
      }
      throw error;
    }
    work.unclear = error instanceof HttpFailure ? error : null;
    return { outcome: 'unclear' };
  }
  work.made = 'created';
  noteWrite(session, work, work.live);
  publish(session, work);
  return { outcome: 'made' };
}

/** Takes what a create made from a look, where its answer cannot be read. Gives whether it was found. */
async function findMade(session: Session, work: LineWork, bound: ObjectBound, intent: Intent): Promise<boolean> {
  try {
    const found = madeBy(intent, await bound.find(ioOf(work, session.ending, { share: false })), {
      gone: work.live === null ? work.record?.objectId : undefined,
    });
    const [live, ...more] = found;
    if (!live || more.length > 0 || (await contradictionOf(session, intent, live)) !== null) return false;
    work.live = live;
    work.made = 'claimed';
    noteWrite(session, work);
    return true;
  } catch {
    // The intent stays, by which the next run finds it; the create's own error is what is told.
    return false;
  }
}

const isConflict = (error: unknown): boolean =>
  error instanceof Failure && error.code === 'PROVIDER_CONFLICT' && !(error instanceof HttpFailure && error.unanswered);

/** The provider says it is there, or nobody knows what became of the request: the object is looked for. */
function isUnclear(error: unknown): boolean {
  if (error instanceof Failure && error.code === 'PROVIDER_CONFLICT') return true;
  return error instanceof HttpFailure && (error.unanswered || error.repeatable || [400, 409, 412, 422].includes(error.status ?? 0));
}

export async function update(session: Session, work: LineWork, parents: Parents): Promise<void> {
  mustGoOn(work);
  await materialise(session, work);
  await underLease(session, work, doubts(session, work));
  const { bound, live } = work;
  if (bound?.kind === 'item') {
    await parents.ask(work, bound.entry, 'update');
    noteItem(session, work);
    return;
  }
  if (bound?.kind !== 'object' || !live) throw new Failure('INTERNAL', { detail: `${work.id} cannot be updated.` });
  if (!bound.update) throw new Failure('PARAM_INVALID', { detail: `${bound.key} differs and this operation cannot change it in place.` });
  const after = await bound.update(ioOf(work, session.ending), live, desiredOf(bound), work.changed);
  work.live = { ...after, outputs: { ...live.outputs, ...after.outputs } };
  if (work.made !== 'claimed') work.made = 'updated';
  noteWrite(session, work, after);
  publish(session, work);
}

function noteItem(session: Session, work: LineWork): void {
  const { bound } = work;
  if (bound?.kind !== 'item') return;
  work.made = work.record ? 'updated' : work.made === 'claimed' ? 'claimed' : 'created';
  work.live = { id: bound.reach.item, values: {}, outputs: { id: bound.reach.item } };
  noteWrite(session, work);
  publish(session, work);
}

/** Before a replacement: the old object goes first only where the provider does not allow both, else after its dependents moved on. */
export async function removeFirst(session: Session, work: LineWork): Promise<void> {
  const { bound, record, http } = work;
  if (bound?.kind !== 'object') return;
  if (bound.coexist !== false) {
    const id = work.live?.id ?? record?.objectId;
    if (id === undefined || record?.owned === false) return;
    const stood = record?.objectId === id || !work.intent ? record : recordClaim(session, work, work.intent, id);
    if (stood) work.replaced = { recordId: stood.recordId, objectId: id, reach: stood.reach };
    return;
  }
  mustGoOn(work);
  await materialise(session, work);
  await underLease(session, work);
  const id = work.live?.id ?? record?.objectId;
  if (!http || id === undefined || bound.reach.kind !== 'object') return;
  const stored = record?.objectId === id ? marked(record) : null;
  if (stored) await underLease(session, work, [{ kind: 'record', record: stored }]);
  work.record = stored ?? record;
  try {
    await removeOne(session, http, bound.reach, { id, stopping: work.stopping });
  } catch (error) {
    if (stored && isNotTaken(error)) work.record = unmark(session, stored);
    throw error;
  }
  Object.assign(work, { live: null, isRemovedFirst: true });
}

/** What only an intent names is recorded before its successor's intent takes that one's place; both go in one push. */
function recordClaim(session: Session, work: LineWork, intent: Intent, id: string): LedgerRecord {
  const claimed = claimedRecord(session, intent, id, supersededBy(id, work.record, work.replaced));
  void session.writer.submit([{ kind: 'record', record: claimed }], { urgent: false }).catch(() => undefined);
  work.record = claimed;
  return claimed;
}

export async function record(session: Session, work: LineWork): Promise<void> {
  // Something that only waits owns nothing, so nothing of it is kept.
  if (work.bound?.kind === 'wait') return;
  const next = await recordOf(session, work);
  work.record = next;
  letGo(work);
  await durable(session, work, [{ kind: 'record', record: next }]);
}

/** The object stands although the line failed after it was made. */
export async function recordUnready(session: Session, work: LineWork): Promise<void> {
  if (work.bound?.kind === 'wait' || !work.live) return;
  work.unready = true;
  await record(session, work);
}
