import { Failure } from '../../core/errors.ts';
import type { Http } from '../../http/types.ts';
import type { Intent, LedgerRecord, LeftObject } from '../../ledger/model/facts.ts';
import type { Deleted } from '../../ledger/model/sent-deletes.ts';
import { asSuperseded } from '../../ledger/model/superseded.ts';
import { keep, mustGoOn, type Session } from '../session.ts';
import type { Parents } from '../shared/parents.ts';
import { isBelowSomebodyElses } from './below.ts';
import { materialise } from './binding.ts';
import type { Located } from './claim.ts';
import { durable, underLease } from './durable.ts';
import { isRefusal, marked, unmark } from './going.ts';
import { parentLag } from './lag.ts';
import { spelt } from './line-entry.ts';
import { type Doomed, type Judged, newAttempt } from './phases.ts';
import { claimedRecord, supersededBy } from './record.ts';
import { deletedAs, endPast, type Removed, removeOne } from './removal.ts';
import { oursOf } from './successor.ts';
import { awaitGone } from './until-gone.ts';
import { entryWentWithParent } from './went-with.ts';

export async function remove(session: Session, doomed: Doomed, parents: Parents): Promise<void> {
  mustGoOn(doomed);
  const http = httpFor(doomed);
  if (doomed.isPast) return await endPast(session, doomed, http);
  const known = doomed.record ?? doomed.intent;
  if (known && (await isBelowSomebodyElses(session, known))) return;
  const claimed = claimBeforeDetach(session, doomed);
  const before = claimed ?? doomed.record;
  const stored = marked(before) ?? claimed;
  await underLease(session, doomed, stored ? [{ kind: 'record', record: stored }] : []);
  const work = keep(session, { ...doomed, record: stored ?? doomed.record });
  const fact = work.record ?? work.intent;
  if (!fact) throw new Failure('INTERNAL', { detail: `${work.id} has nothing to remove.` });
  const { id: line, stopping } = work;
  if (fact.reach.kind === 'item') {
    const { reach, lock } = fact;
    const named = spelt(reach.item, { record: work.record, name: work.live?.id });
    const lag = parentLag(reach.parent, fact);
    const entry = { id: line, http, stopping, reach, lock, lag, attempt: newAttempt(), isNew: false, ...named };
    try {
      await parents.ask(entry, null, 'remove');
    } catch (refused) {
      if (!(await entryWentWithParent(session, http, fact, refused))) throw refused;
    }
    return;
  }
  if (fact.reach.kind === 'none') return;
  const removed: Removed[] = [];
  for (const old of work.record?.superseded ?? [])
    removed.push(await removeOne(session, http, old.reach, { ...oursOf(old, line), stopping }));
  // An interrupted replacement leaves two: the recorded one, and the one that its intent announced.
  for (const id of new Set([work.record?.objectId, work.live?.id])) {
    if (id === undefined || id === '') continue;
    const birth = id === work.record?.objectId ? work.record.birth : undefined;
    try {
      removed.push(await removeOne(session, http, fact.reach, { id, line, birth, intent: work.intent, stopping }));
    } catch (error) {
      removed.push(await removalAfter(session, work, http, { error, id, wasMarked: before?.removing === true }));
    }
  }
  await endPast(session, keep(session, { ...work, deleted: deletedAs(removed) }), http);
}

/** Before a replacement: the old object goes first only where the provider does not allow both, else after its dependents moved on. */
export async function removeFirst(session: Session, judged: Judged): Promise<void> {
  const { bound, record } = judged;
  const id = judged.live?.id ?? record?.objectId;
  if (bound.kind !== 'object') return;
  if (bound.coexist !== false) {
    if (id === undefined || record?.owned === false) return;
    const stood = record?.objectId === id || !judged.intent ? record : recordClaim(session, judged, judged.intent, judged.live ?? { id });
    if (stood) keep(session, { ...judged, record: stood, replaced: asSuperseded(stood) });
    return;
  }
  mustGoOn(judged);
  const ready = await materialise(session, judged);
  await underLease(session, ready);
  if (id === undefined || bound.reach.kind !== 'object') return;
  const stored = record?.objectId === id ? marked(record) : null;
  if (stored) await underLease(session, ready, [{ kind: 'record', record: stored }]);
  const work = keep(session, { ...ready, record: stored ?? record });
  try {
    await removeOne(session, work.http, bound.reach, { id, line: work.id, stopping: work.stopping });
  } catch (error) {
    if (stored?.removing && isNotTaken(error)) keep(session, { ...work, record: unmark(session, stored) });
    throw error;
  }
  keep(session, { ...work, live: null, isRemovedFirst: true, wentFirst: work.live });
}

/** Records an object that only an intent names, before its successor's intent replaces that intent. Both go in one push. */
function recordClaim(session: Session, { record, replaced }: Judged, intent: Intent, found: Located): LedgerRecord {
  const claimed = claimedRecord(session, intent, found, supersededBy(found.id, record, replaced));
  void session.writer.submit([{ kind: 'record', record: claimed }], { urgent: false }).catch(() => undefined);
  return claimed;
}

/** Whether the delete was refused, or nobody may see that it was done. Then the mark of this run says too much. */
const isNotTaken = (error: unknown): boolean => isRefusal(error) || (error instanceof Failure && error.code === 'PROVIDER_AUTH');

/** A provider may refuse the delete of an object that an earlier run's delete is removing. This waits for that; else the refusal stands. */
async function removalAfter(
  session: Session,
  work: Doomed,
  http: Http,
  { error, id, wasMarked }: { readonly error: unknown; readonly id: string; readonly wasMarked: boolean },
): Promise<Removed> {
  const { record, stopping } = work;
  if (record?.removing !== true || record.objectId !== id) throw error;
  if (!wasMarked && isNotTaken(error)) keep(session, { ...work, record: unmark(session, record) });
  if (!wasMarked || !isRefusal(error) || record.reach.kind !== 'object') throw error;
  await awaitGone(session, http, record.reach, { id, stopping }).catch((late: unknown) => {
    throw late instanceof Failure && late.code === 'WAIT_TIMEOUT' ? error : late;
  });
  return 'removed';
}

function httpFor({ id, http }: Doomed): Http {
  if (!http) throw new Failure('INTERNAL', { detail: `${id} has nothing to remove it with.` });
  return http;
}

/** A look may no longer find a detached object, so an object that only an intent names is recorded first. */
function claimBeforeDetach(session: Session, { intent, live, record }: Doomed): LedgerRecord | null {
  if (intent?.reach.kind !== 'object' || !intent.reach.detach || !live || live.id === record?.objectId) return null;
  return claimedRecord(session, intent, live, supersededBy(live.id, record));
}

export async function recordRemoval(session: Session, work: Doomed): Promise<void> {
  const { identity, record, intent, live } = work;
  const deleted = (await removeSuperseded(session, work)) ?? work.deleted;
  const left = leftOf(session, record);
  const isFound = deleted !== null && intent !== null && live !== null && live.id !== record?.objectId;
  const found = isFound ? claimedRecord(session, intent, live, []) : null;
  const answered = deleted !== null && { deleted, ...(found && { found }) };
  await durable(session, work, [{ kind: 'forget', identity, ...(left && { left }), ...answered }]);
}

/** Removes the objects that a record replaced when its present object is kept: they had to go since. */
async function removeSuperseded(session: Session, work: Doomed): Promise<Deleted | null> {
  const { record, http, stopping } = work;
  if (!record?.owned || record.destroy === 'delete' || !http) return null;
  mustGoOn(work);
  await underLease(session, work);
  const removed: Removed[] = [];
  for (const old of record.superseded)
    if (old.reach.kind === 'object' && old.reach.remove !== null)
      removed.push(await removeOne(session, http, old.reach, { ...oursOf(old, work.id), stopping }));
  return deletedAs(removed);
}

/** Notes an object of ours that stays, so that a scope that comes back does not take it for a stranger's. */
function leftOf(session: Session, record: LedgerRecord | null): LeftObject | null {
  if (!record?.owned || record.destroy === 'delete' || record.reach.kind === 'none') return null;
  const { identity, key, recordId, objectId, birth } = record;
  return {
    v: 1,
    identity,
    key,
    recordId,
    objectId,
    ...(birth && { birth }),
    at: new Date(session.clock.now()).toISOString(),
    run: session.runId,
  };
}
