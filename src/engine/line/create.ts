import { Failure, Interrupted } from '../../core/errors.ts';
import { HttpFailure } from '../../http/failure.ts';
import type { Intent, LedgerRecord } from '../../ledger/model/facts.ts';
import type { CreateOutcome } from '../../machines/line/steps.ts';
import type { ObjectBound } from '../../ops/bound.ts';
import type { Live } from '../../remote/live-object.ts';
import { keep, mustGoOn, type Session } from '../session.ts';
import type { Creates } from '../shared/creates.ts';
import type { Standing } from '../shared/parent-ask.ts';
import type { Parents } from '../shared/parents.ts';
import { desiredOf, materialise } from './binding.ts';
import { contradictionOf } from './claim.ts';
import { durable, endIntent } from './durable.ts';
import { findSettled } from './found.ts';
import { awaitGoing } from './going.ts';
import { entryOf, writtenEntry } from './line-entry.ts';
import { isUnusable } from './line-error.ts';
import { isOf, type Judged } from './phases.ts';
import { written } from './publish.ts';
import { intentOf } from './record.ts';
import { madeBy } from './relocate.ts';
import { awaitRoom } from './wait.ts';

export async function recordIntent(session: Session, judged: Judged): Promise<void> {
  mustGoOn(judged);
  await awaitGoing(session, judged);
  await awaitRoom(session, judged);
  // Values are read before the intent, because a value that is gone must not leave an announcement behind.
  const work = await materialise(session, judged);
  const intent = intentOf(session, work);
  work.attempt.wasAnnounced ||= work.intent !== null && work.intent.run !== session.runId;
  // The old object was seen gone. So an object that stands under a chosen id from here on is the announced one.
  const { removing, ...gone } = work.record ?? {};
  const unmarked = work.record && removing ? [{ kind: 'record' as const, record: gone as LedgerRecord }] : [];
  await durable(session, work, [...unmarked, { kind: 'intent', intent }]);
  const announced = keep(session, { ...work, intent, record: unmarked[0]?.record ?? work.record });
  if (work.stopping.aborted) {
    endIntent(session, announced);
    throw new Interrupted();
  }
}

/** These parts write for several lines at once. */
export interface Writers {
  readonly parents: Parents;
  readonly creates: Creates;
}

export async function create(session: Session, work: Judged, { parents, creates }: Writers): Promise<CreateOutcome> {
  const { attempt, intent } = work;
  if (work.stopping.aborted) {
    if (attempt.sends === 0) endIntent(session, work);
    throw new Interrupted();
  }
  attempt.sends += 1;
  if (isOf(work, 'item')) {
    let stands: Standing;
    try {
      stands = await parents.ask(entryOf(work), work.bound.entry, 'create');
    } catch (error) {
      // This line wrote nothing, so a later run must not claim an entry that somebody else added.
      if (!attempt.mayStand) endIntent(session, work);
      throw error;
    }
    await writtenEntry(session, work, stands);
    return { outcome: 'made' };
  }
  if (!isOf(work, 'object')) throw new Failure('INTERNAL', { detail: `${work.id} cannot be created.` });
  const stoodBefore = attempt.mayStand;
  attempt.isMade = false;
  let live: Live;
  try {
    live = await creates.create(work, desiredOf(work.bound), intent?.idempotencyKey ?? null);
  } catch (error) {
    // "It exists already" says that this request made nothing, with any status.
    if (isConflict(error)) attempt.mayStand = stoodBefore;
    if (!isUnclear(error)) {
      if (!attempt.mayStand) endIntent(session, work);
      // The object was made, and the answer is of no use. A look for the object gives the ledger more than an announcement.
      else if (attempt.isMade && isUnusable(error) && intent && (await findMade(session, { ...work, flaw: error }, work.bound, intent)))
        return { outcome: 'made' };
      throw error;
    }
    attempt.unclear = error instanceof HttpFailure ? error : null;
    return { outcome: 'unclear' };
  }
  const sent = { before: null, fields: Object.keys(work.bound.fields), replaced: work.live ?? work.wentFirst };
  written(session, work, { live, made: 'created', told: live, sent });
  return { outcome: 'made' };
}

/** Takes the created object from a look, when the answer to the create cannot be read. True when the look found it. */
async function findMade(session: Session, work: Judged, bound: ObjectBound, intent: Intent): Promise<boolean> {
  try {
    const found = await findSettled(session, { ...work, bound }, { signal: session.ending, share: false, isAlike: true });
    const [live, ...more] = madeBy(session, intent, found, { gone: work.live === null ? work.record?.objectId : undefined });
    if (!live || more.length > 0 || (await contradictionOf(session, intent, live)) !== null) return false;
    written(session, work, { live, made: 'claimed' });
    return true;
  } catch {
    // The intent stays, so the next run finds the object. The line tells the create's own error.
    return false;
  }
}

const isConflict = (error: unknown): boolean =>
  error instanceof Failure && error.code === 'PROVIDER_CONFLICT' && !(error instanceof HttpFailure && error.unanswered);

/** Whether the provider says that the object exists, or the outcome of the request is unknown. Then the line looks for the object. */
function isUnclear(error: unknown): boolean {
  if (error instanceof Failure && error.code === 'PROVIDER_CONFLICT') return true;
  return error instanceof HttpFailure && (error.unanswered || error.repeatable || [400, 409, 412, 422].includes(error.status ?? 0));
}
