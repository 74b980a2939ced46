import { Failure } from '../../core/errors.ts';
import { HttpFailure } from '../../http/failure.ts';
import type { Http } from '../../http/types.ts';
import type { Deleted } from '../../ledger/model/sent-deletes.ts';
import { type Answered, removeObject } from '../../remote/find.ts';
import type { Reach } from '../../remote/reach.ts';
import { isGone } from '../../remote/read.ts';
import { keep, mustGoOn, type Session } from '../session.ts';
import { confirmGone } from './absent.ts';
import { doomed, type Fated, verdictOf } from './conclude.ts';
import { detach } from './detach.ts';
import { underLease } from './durable.ts';
import { isStillSeen } from './going.ts';
import { type Past, pastNow } from './past.ts';
import { pauseBetween } from './pause.ts';
import type { Doomed } from './phases.ts';
import { isSomebodyElses, type Ours } from './successor.ts';
import { awaitGone } from './until-gone.ts';

type ObjectReach = Extract<Reach, { kind: 'object' }>;

/** The end of an object: the answer to its delete. `stays`: the provider keeps the object, and nothing holds it any more. */
export type Removed = Answered | 'stays';

/** Removes one object by its stored request, and returns when it is gone. Only a witness proves that it was gone already. */
export async function removeOne(session: Session, http: Http, reach: Reach, which: Ours): Promise<Removed> {
  if (reach.kind !== 'object') return 'stays';
  const { id } = which;
  if (await isSomebodyElses(session, http, reach, which)) return 'gone';
  if ((await detach(session, http, reach, which)) === 'stays') return 'stays';
  const outcome = await removeObject(http, reach, id, session.ending).catch((thrown: unknown) =>
    goneAlready(session, http, reach, id, thrown),
  );
  await awaitGone(session, http, reach, which);
  if (outcome === 'gone') await confirmGone(session, http, reach, id, session.ending);
  return outcome === 'accepted' && reach.until_gone ? 'removed' : outcome;
}

/** A provider may answer 422 to the delete of an object that is gone, or that goes by an earlier send. The object's own path tells. */
async function goneAlready(session: Session, http: Http, reach: ObjectReach, id: string, thrown: unknown): Promise<'gone'> {
  const isNo = thrown instanceof HttpFailure && thrown.status === 422;
  if (isNo && reach.until_gone && (await isGone(http, reach.until_gone, id, session.ending))) return 'gone';
  throw thrown;
}

/** The answer that the ledger remembers; `null` when no delete was accepted. Nobody waits for an object that its provider keeps. */
export function deletedAs(removed: readonly Removed[]): Deleted | null {
  if (removed.includes('stays')) return null;
  return removed.includes('accepted') ? 'accepted' : removed.includes('removed') ? 'done' : null;
}

/**
 * Judges a line of which only an accepted delete is left: a destroy looks whether the object is gone. If nobody can see that, for example
 * because the credential was revoked, the delete stays noted and the run warns. A destroy owes no more than a look.
 */
export async function observePast(session: Session, before: Fated, past: Past, open: () => Promise<Http>): Promise<Doomed> {
  let line = keep(session, { ...before, record: past.record });
  try {
    const http = await open();
    line = keep(session, { ...line, http });
    const isThere = (await stillSeen(session, http, past, line.stopping)).length > 0;
    const verdict = isThere
      ? verdictOf('delete', 'its delete was accepted, and it is still there')
      : verdictOf('forget', 'its delete is done');
    return doomed(session, line, verdict, { isPast: true });
  } catch (error) {
    if (!(error instanceof Failure) || line.stopping.aborted) throw error;
    session.warnings.push(`${line.id}: this run could not see whether the object that an earlier run removed is gone: ${error.detail}`);
    return doomed(session, line, verdictOf('none', 'nobody could see whether it is gone'), { isPast: true, isPastUnseen: true });
  }
}

async function stillSeen(session: Session, http: Http, { record, objects }: Past, signal: AbortSignal): Promise<readonly string[]> {
  const seen: string[] = [];
  for (const one of objects)
    if (await isStillSeen(http, { record, one }, { signal, share: session.purpose === 'plan' })) seen.push(one.objectId);
  return seen;
}

/** A destroy waits this long for an object whose provider does not say how long its deletes take. */
const patienceSeconds = 120;

/** Removes once more the objects of earlier deletes that are still seen, and waits until they are gone. Throws `WAIT_TIMEOUT`. */
export async function endPast(session: Session, work: Doomed, http: Http): Promise<void> {
  const past = pastNow(session).get(work.identity);
  if (!past) return;
  for (const one of past.objects) {
    const { objectId: id, reach } = one;
    if (reach.kind !== 'object') continue;
    const isThere = () => isStillSeen(http, { record: past.record, one }, { signal: work.stopping, share: false });
    if (!(await isThere())) continue;
    mustGoOn(work);
    await underLease(session, work);
    if ((await detach(session, http, reach, { id, stopping: work.stopping })) === 'stays') continue;
    await removeObject(http, reach, id, session.ending);
    await awaitPast(session, work, { id, isThere, key: past.record.key, seconds: reach.until_gone?.seconds ?? patienceSeconds });
  }
}

interface Awaited {
  readonly id: string;
  readonly key: string;
  readonly seconds: number;
  readonly isThere: () => Promise<boolean>;
}

async function awaitPast(session: Session, work: Doomed, { id, key, seconds, isThere }: Awaited): Promise<void> {
  const began = session.clock.mono();
  const until = Math.min(began + seconds * 1000, session.waitUntil);
  await session.barrier.aside(work.id, async () => {
    for (let polls = 0; await isThere(); polls += 1) {
      if (await pauseBetween(session, { signal: work.stopping, of: id, polls, until, longest: 3_000 })) continue;
      throw new Failure('WAIT_TIMEOUT', {
        detail: `${key}: the provider accepted the delete of ${id} once more, and the object is still there ${Math.round((session.clock.mono() - began) / 1000)} s later. It stays noted.`,
        fix: 'Run again later. The next run goes on from there.',
      });
    }
  });
}
