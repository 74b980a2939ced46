import { Failure } from '../../core/errors.ts';
import type { LedgerRecord, LeftObject } from '../../ledger/model/facts.ts';
import { mustGoOn, type Session } from '../session.ts';
import type { Parents } from '../shared/parents.ts';
import { durable, underLease } from './durable.ts';
import { isRefusal, marked, unmark } from './going.ts';
import { claimedRecord, supersededBy } from './record.ts';
import { deletedAs, endPast, type Removed, removeOne } from './removal.ts';
import { awaitGone } from './until-gone.ts';
import { entryWentWithParent } from './went-with.ts';
import type { LineWork } from './work.ts';

export async function remove(session: Session, work: LineWork, parents: Parents): Promise<void> {
  mustGoOn(work);
  if (work.isPast) return await endPast(session, work, httpFor(work));
  const claimed = claimBeforeDetach(session, work);
  const before = claimed ?? work.record;
  const stored = marked(before) ?? claimed;
  await underLease(session, work, stored ? [{ kind: 'record', record: stored }] : []);
  work.record = stored ?? work.record;
  const fact = work.record ?? work.intent;
  const http = httpFor(work);
  if (!fact) throw new Failure('INTERNAL', { detail: `${work.id} has nothing to remove.` });
  if (fact.reach.kind === 'item') {
    return await parents.ask(work, null, 'remove').catch(async (refused: unknown) => {
      if (!(await entryWentWithParent(session, http, fact, refused))) throw refused;
    });
  }
  if (fact.reach.kind === 'none') return;
  const removed: Removed[] = [];
  const { stopping } = work;
  for (const old of work.record?.superseded ?? []) removed.push(await removeOne(session, http, old.reach, { id: old.objectId, stopping }));
  // An interrupted replacement leaves two: the recorded one, and the one that its intent announced.
  for (const id of new Set([work.record?.objectId, work.live?.id])) {
    if (id === undefined || id === '') continue;
    try {
      removed.push(await removeOne(session, http, fact.reach, { id, stopping }));
    } catch (error) {
      removed.push(await removalAfter(session, work, http, { error, id, wasMarked: before?.removing === true }));
    }
  }
  work.deleted = deletedAs(removed);
  await endPast(session, work, http);
}

/** The delete was refused, or nobody may see that it was done: then the mark of this run says too much. */
export const isNotTaken = (error: unknown): boolean => isRefusal(error) || (error instanceof Failure && error.code === 'PROVIDER_AUTH');

/** A provider may refuse the delete of what an earlier run's delete is taking away: that is waited for, and else the refusal stands. */
async function removalAfter(
  session: Session,
  work: LineWork,
  http: NonNullable<LineWork['http']>,
  { error, id, wasMarked }: { readonly error: unknown; readonly id: string; readonly wasMarked: boolean },
): Promise<Removed> {
  const { record, stopping } = work;
  if (record?.removing !== true || record.objectId !== id) throw error;
  if (!wasMarked && isNotTaken(error)) work.record = unmark(session, record);
  if (!wasMarked || !isRefusal(error) || record.reach.kind !== 'object') throw error;
  await awaitGone(session, http, record.reach, { id, stopping }).catch((late: unknown) => {
    throw late instanceof Failure && late.code === 'WAIT_TIMEOUT' ? error : late;
  });
  return 'removed';
}

function httpFor({ id, http }: LineWork): NonNullable<LineWork['http']> {
  if (!http) throw new Failure('INTERNAL', { detail: `${id} has nothing to remove it with.` });
  return http;
}

/** Once it is detached a look may find an object no more: what an intent alone names is recorded first. */
function claimBeforeDetach(session: Session, { intent, live, record, replaced }: LineWork): LedgerRecord | null {
  if (intent?.reach.kind !== 'object' || !intent.reach.detach || !live || live.id === record?.objectId) return null;
  return claimedRecord(session, intent, live.id, supersededBy(live.id, record, replaced));
}

export async function recordRemoval(session: Session, work: LineWork): Promise<void> {
  const { record, http, intent, live } = work;
  // What is kept is the present object; those that it replaced were to go since.
  if (record?.owned && record.destroy !== 'delete' && http) {
    mustGoOn(work);
    await underLease(session, work);
    const removed: Removed[] = [];
    for (const { reach, objectId } of record.superseded)
      if (reach.kind === 'object' && reach.remove !== null)
        removed.push(await removeOne(session, http, reach, { id: objectId, stopping: work.stopping }));
    work.deleted = deletedAs(removed);
  }
  if (!work.identity) return;
  const left = leftOf(session, record);
  const isFound = work.deleted !== null && intent !== null && live !== null && live.id !== record?.objectId;
  const found = isFound ? claimedRecord(session, intent, live.id, []) : null;
  const deleted = work.deleted !== null && { deleted: work.deleted, ...(found && { found }) };
  await durable(session, work, [{ kind: 'forget', identity: work.identity, ...(left && { left }), ...deleted }]);
}

/** What stays although it is ours: should the scope come back, it is no stranger's. */
function leftOf(session: Session, record: LedgerRecord | null): LeftObject | null {
  if (!record?.owned || record.destroy === 'delete' || record.reach.kind === 'none') return null;
  const { identity, key, recordId, objectId } = record;
  return { v: 1, identity, key, recordId, objectId, at: new Date(session.clock.now()).toISOString(), run: session.runId };
}
