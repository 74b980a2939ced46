import { Failure } from '../../core/errors.ts';
import { HttpFailure } from '../../http/failure.ts';
import type { Http } from '../../http/types.ts';
import type { LedgerRecord, Superseded } from '../../ledger/model/facts.ts';
import type { ObjectBound } from '../../ops/bound.ts';
import { isOfBirth, isReborn } from '../../remote/birth.ts';
import { findAll, removeObject } from '../../remote/find.ts';
import { instantOf } from '../../remote/instant.ts';
import type { Live } from '../../remote/live-object.ts';
import type { Reach } from '../../remote/reach.ts';
import { isGone } from '../../remote/read.ts';
import { type Signs, signsOf } from '../../remote/signs.ts';
import { applyAgain } from '../command-again.ts';
import { keep, mustGoOn, type Session } from '../session.ts';
import { addressOf } from '../timing/host-time.ts';
import { isAdoption } from './binding.ts';
import { foreign, recordedElsewhere } from './claim.ts';
import { detach } from './detach.ts';
import { underLease } from './durable.ts';
import { readOtherScopes } from './other-scopes.ts';
import { type Past, pastOf } from './past.ts';
import { deadlineOf, pauseBetween, restIfOnlyPolling } from './pause.ts';
import { type Findings, ioOf, type Judged, type Ready, type Written } from './phases.ts';
import { isSomebodyElses, oursOf } from './successor.ts';

/** Some providers tell when an object was made in whole seconds. */
const roundedMs = 1_000;

/**
 * Whether the object under an id of ours is known to be another one: without our mark, or of another birth. Where the ledger does not know
 * the birth, one that was made after ours was last written.
 */
function isAnother(
  { provider, writtenAtHosts = {} }: LedgerRecord,
  { birth, reach }: Pick<Superseded, 'birth' | 'reach'>,
  shown: Signs,
): boolean {
  if (shown.isMarked === false) return true;
  const isOurs = isOfBirth(birth, reach, shown);
  if (isOurs !== undefined) return !isOurs;
  const written = Date.parse(writtenAtHosts[addressOf(provider.base_url) ?? ''] ?? '');
  const made = shown.createdAt === undefined ? null : instantOf(shown.createdAt);
  return made !== null && !Number.isNaN(written) && made > written + roundedMs;
}

/**
 * Gives the ids of found objects whose delete this scope sent. Such an object is on its way out, even if it looks whole. An object with
 * another id is not among them. An object that another scope names by now is refused. Throws `RESOURCE_FOREIGN`.
 */
export async function goingAmong(
  session: Session,
  { bound, record, intent, identity }: Ready<ObjectBound>,
  found: readonly Live[],
): Promise<Pick<Findings, 'going' | 'goingOf'>> {
  const none = { going: [], goingOf: [] };
  const recorded = found.filter((live) => live.id === record?.objectId && !isReborn(record.birth, bound.reach, live));
  const removing = record?.removing === true ? recorded : [];
  const others = found.filter((live) => !recorded.includes(live));
  // A line sees its removed object gone before it announces the next. So the object under that id may be the announced one: the plan may
  // have chosen the id, which not every plan says.
  const isAnnounced = intent !== null && record === null;
  if (isAdoption(bound) || (isAnnounced && hasChosenId(bound.reach))) return none;
  const past = others.length > 0 ? (await pastOf(session)).get(identity) : undefined;
  const gone = others.filter((live) => past?.objects.some((one) => one.objectId === live.id && !isAnother(past.record, one, live)));
  if (isAnnounced && gone.length === found.length) return none;
  const isPast = past !== undefined && gone.length > 0;
  if (isPast) await mustBeOurs(session, past, gone);
  return { going: [...removing, ...gone].map(({ id }) => id), goingOf: isPast ? past.deletes : [] };
}

async function mustBeOurs(session: Session, { record, objects }: Past, gone: readonly Live[]): Promise<void> {
  const baseUrl = record.provider.base_url;
  for (const { objectId, recordId } of objects) {
    if (!gone.some(({ id }) => id === objectId)) continue;
    const elsewhere = await recordedElsewhere(session, { key: record.key, recordId, baseUrl });
    if (elsewhere !== null) throw foreign(elsewhere);
  }
  const announcedOn = (await readOtherScopes(session)).announcedOn(record.identity);
  if (announcedOn !== null) throw foreign(`${record.key} is announced on ${announcedOn} as well`);
}

export const hasChosenId = (reach: Reach): boolean => reach.kind === 'object' && reach.find?.chosen_id !== undefined;

/** Ids of objects on their way out that can be no successor's: the create that follows never claims one of them. */
export const notToClaim = ({ going, bound }: Judged | Written): readonly string[] => (hasChosenId(bound.reach) ? [] : going);

/**
 * Waits until the object that this scope removed is gone, before its successor is announced. So a wait that ends badly or is interrupted
 * leaves nothing new behind. A delete that only its announcement tells of is sent again first. Throws `WAIT_TIMEOUT`, and
 * `RESOURCE_FOREIGN` when another object takes the place meanwhile.
 */
export async function awaitGoing(session: Session, work: Judged | Written): Promise<void> {
  const { bound, record, http } = work;
  const resent = record?.removing === true && !work.isRemovedFirst ? record : null;
  if (bound.kind !== 'object' || (work.going.length === 0 && resent === null)) return;
  const again = resent && (await removeAgain(session, work, resent));
  const refused = again === 'sent' || again === 'stays' ? null : again;
  const ids = new Set([...work.going, ...(resent ? [resent.objectId] : [])]);
  if (resent && again === 'stays') ids.delete(resent.objectId);
  if (work.goingOf.length > 0) {
    void session.writer.submit([{ kind: 'noticed', deletes: work.goingOf }], { urgent: false }).catch(() => undefined);
  }
  const deadline = deadlineOf(session, work);
  const began = session.clock.mono();
  await session.barrier.aside(work.id, async () => {
    for (let polls = 0; await isThere(work, { bound, http, ids }); polls += 1) {
      const detail = `the ${[...ids].join(', ')} that this scope removed is still there`;
      session.tell({ type: 'wait', line: work.id, detail, at: session.clock.now() });
      restIfOnlyPolling(session);
      if (await pauseBetween(session, { signal: work.stopping, of: work.id, polls, until: deadline.at, longest })) continue;
      // The object did not go, and the provider refused the delete. So the object stands.
      if (resent && refused) keep(session, { ...work, record: unmark(session, resent) });
      throw refused ?? stillThere(session, work, { ids, ms: session.clock.mono() - began });
    }
  });
  mustGoOn(work);
}

const longest = 3_000;

function stillThere(
  session: Session,
  work: Judged | Written,
  { ids, ms }: { readonly ids: ReadonlySet<string>; readonly ms: number },
): Failure {
  const destroy = applyAgain(session, ['destroy'], ['only', work.id]);
  return new Failure('WAIT_TIMEOUT', {
    detail: `${work.bound.key}: this scope sent the delete of ${[...ids].join(', ')}, and the provider still has it after ${Math.round(ms / 1000)} s. Nothing was made in its place.`,
    fix: `Run ${applyAgain(session)} again later to go on waiting. If the delete came to nothing, ${destroy} sends it again.`,
  });
}

async function isThere(
  work: Judged | Written,
  { bound, http, ids }: { readonly bound: ObjectBound; readonly http: Http; readonly ids: ReadonlySet<string> },
): Promise<boolean> {
  const known = new Set([...(work.intent?.not ?? []), ...(work.record?.superseded.map(({ objectId }) => objectId) ?? [])]);
  const found = (await bound.find(ioOf(work, work.stopping, { share: false, ids: [...ids] }))).filter(({ isListedOnly }) => !isListedOnly);
  // Somebody may make another object of that name as soon as ours is gone.
  const successor = found.find((live) => live.id === work.record?.objectId && isReborn(work.record.birth, bound.reach, live));
  if (found.some((live) => ids.has(live.id) && live !== successor)) return true;
  const [other] = found.filter(({ id }) => !known.has(id));
  if (other && other.id === work.record?.objectId && other !== successor) {
    throw new Failure('PROVIDER_TRANSIENT', {
      kind: 'unsteady',
      detail: `${bound.key}: the list of its provider lagged behind: it showed an object that is gone and not the recorded one.`,
    });
  }
  if (other && work.intent === null) throw foreign(`${bound.key} was made by somebody else once the object of this scope was gone`);
  const how = bound.reach.kind === 'object' ? bound.reach.until_gone : undefined;
  if (!how || successor) return false;
  for (const id of ids) if (!(await isGone(http, how, id, work.stopping))) return true;
  return false;
}

/**
 * Removes the object as the run that stored the mark began to: detaches it, and sends the delete. `stays`: the provider keeps the object,
 * or it is not ours, so nobody waits for it. Gives a refusal back: a provider may refuse the delete of an object on its way out, so a refusal proves nothing.
 */
async function removeAgain(session: Session, work: Judged | Written, record: LedgerRecord): Promise<HttpFailure | 'sent' | 'stays'> {
  mustGoOn(work);
  await underLease(session, work);
  if (record.reach.kind !== 'object') return 'stays';
  const ours = { ...oursOf(record, work.id), intent: work.intent, stopping: work.stopping };
  if (await isSomebodyElses(session, work.http, record.reach, ours)) return 'stays';
  try {
    if ((await detach(session, work.http, record.reach, { id: record.objectId, stopping: work.stopping })) === 'stays') return 'stays';
    await removeObject(work.http, record.reach, record.objectId, session.ending);
    return 'sent';
  } catch (error) {
    if (isRefusal(error)) return error;
    throw error;
  }
}

/** A definite no to the delete itself: neither the credential nor a bad moment. */
export const isRefusal = (error: unknown): error is HttpFailure =>
  error instanceof HttpFailure &&
  error.status !== null &&
  error.status >= 400 &&
  error.status < 500 &&
  ![401, 429].includes(error.status) &&
  !error.unanswered;

/** Ends the mark: the object lives on, and the next run takes it as it stands. */
export function unmark(session: Session, record: LedgerRecord): LedgerRecord {
  const { removing: _, ...next } = record;
  void session.writer.submit([{ kind: 'record', record: next }], { urgent: false }).catch(() => undefined);
  return next;
}

/**
 * Gives the record to store before a delete, or `null` if nothing must be stored. The provider may delete the object later, or a later run
 * could take the missing object for a deed of somebody else.
 */
export function marked(record: LedgerRecord | null): LedgerRecord | null {
  const isLate = record?.reach.kind === 'object' && record.reach.until_gone && record.removing !== true;
  const isToTell = record?.reportsDrift && record.mayBeGone !== true;
  if (!record || !(isLate || isToTell)) return null;
  return { ...record, ...(isLate && { removing: true }), ...(isToTell && { mayBeGone: true }) };
}

/**
 * Whether a stored reach still shows an object whose delete was accepted. Under an id that the plan chose it is taken for that object,
 * as a recorded one is, unless its mark or its age says otherwise.
 */
export async function isStillSeen(
  http: Http,
  { record, one }: { readonly record: LedgerRecord; readonly one: Pick<Superseded, 'objectId' | 'reach' | 'birth'> },
  o: { readonly signal: AbortSignal; readonly share: boolean },
): Promise<boolean> {
  const { objectId: id, reach } = one;
  if (reach.kind !== 'object') return false;
  const { until_gone: how, find } = reach;
  if (how && (await isGone(http, how, id, o.signal))) return false;
  if (!find) return how !== undefined;
  const found = (await findAll(http, find, { ...o, ids: [id] })).find((other) => other.id === id);
  if (!found) return how !== undefined;
  return !isAnother(record, one, signsOf(find, found.item));
}
