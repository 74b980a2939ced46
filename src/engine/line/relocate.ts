import { Failure } from '../../core/errors.ts';
import { longestWait } from '../../http/retry.ts';
import type { Intent } from '../../ledger/model/facts.ts';
import type { RelocateOutcome } from '../../machines/line/steps.ts';
import type { ObjectBound } from '../../ops/bound.ts';
import { isReborn } from '../../remote/birth.ts';
import type { Live } from '../../remote/live-object.ts';
import { withValues } from '../../remote/live-object.ts';
import { mustGoOn, type Session } from '../session.ts';
import { momentNow } from '../timing/host-time.ts';
import { contradictionOf, foreign, isOlder } from './claim.ts';
import { compareFields } from './compare.ts';
import { endIntent } from './durable.ts';
import { findSettled } from './found.ts';
import { mayBeFree } from './held-name.ts';
import { learnWhenReady } from './keeps.ts';
import { settleOf } from './lag.ts';
import { type Attempt, isOf, type Judged } from './phases.ts';
import { printerOf } from './printer.ts';
import { standing } from './publish.ts';

/** A create that keeps being unclear is given up after this many sends. */
const mostSends = 4;

/** A line whose create was announced and sent. */
type Sent = Judged & { readonly bound: ObjectBound; readonly intent: Intent };

/** Looks for what an unclear create may have made, once it can no longer land. */
export async function relocate(session: Session, judged: Judged): Promise<RelocateOutcome> {
  const { attempt, intent } = judged;
  const { unclear } = attempt;
  if (!isOf(judged, 'object') || !intent) throw new Failure('INTERNAL', { detail: `${judged.id} has nothing to look for.` });
  const work: Sent = { ...judged, intent };
  await untilLanded(session, work);
  const mayRepeat = isRepeatable(attempt);
  // Creates that were refused together wait first and then share one look: fifty looks at once would run into the same limit.
  const isThrottled = unclear?.status === 429 && !unclear.unanswered;
  if (mayRepeat && isThrottled) await untilRepeat(session, work);
  const live = await lookForMade(session, work);
  if (live) {
    await mustBeOurs(session, work, live);
    return await claim(session, work, live);
  }
  if (await mayBeFree(session, work)) return { outcome: 'absent' };
  const { key } = work.bound;
  if (!mayRepeat) {
    if (!attempt.mayStand) endIntent(session, work);
    throw unclear ?? new Failure('PROVIDER_CONFLICT', { detail: `The provider says that ${key} exists, but no look finds it.` });
  }
  if (!isThrottled) await untilRepeat(session, work);
  mustGoOn(work);
  return { outcome: 'absent' };
}

/** Waits until no send of the create can land any more, and until lists show what landed. */
async function untilLanded({ clock, gate, ending }: Session, { attempt: { unclear }, bound }: Sent): Promise<void> {
  if (unclear?.unanswered) await clock.sleep(Math.max(0, gate.unansweredUntil() - clock.mono()), ending);
  const settle = settleOf(bound);
  if (settle > 0) await clock.sleep(settle * 1000, ending);
}

function isRepeatable({ unclear, sends }: Attempt): boolean {
  if (unclear === null || sends >= mostSends) return false;
  return (unclear.repeatable || unclear.unanswered) && (unclear.retryAfter ?? 0) <= longestWait;
}

const untilRepeat = ({ clock }: Session, { attempt: { unclear, sends }, stopping }: Sent): Promise<void> =>
  clock.sleep(unclear?.retryAfter ?? 250 * 2 ** sends, stopping);

async function lookForMade(session: Session, work: Sent): Promise<Live | null> {
  const { bound, attempt, intent } = work;
  // When this run removed the object and each create was refused, the object under its id is on its way out.
  const isOnItsWay = work.isRemovedFirst && !attempt.mayStand && !attempt.wasAnnounced;
  const found = await findSettled(session, work, { signal: session.ending, share: false, isAlike: true });
  const [live, ...more] = madeBy(session, intent, found, {
    gone: work.live === null && !isOnItsWay ? work.record?.objectId : undefined,
  });
  if (more.length === 0) return live ?? null;
  throw new Failure('PARAM_INVALID', {
    detail: `More than one object matches ${bound.key} after its create; pilotfish cannot tell which one is its own.`,
    fix: 'Delete all but one of them at the provider, then run again.',
  });
}

/** Throws `RESOURCE_FOREIGN` where something says that another one made what was found. */
async function mustBeOurs(session: Session, work: Sent, live: Live): Promise<void> {
  const { attempt, intent } = work;
  // Every send was answered and made nothing. So the object that stands there now is not ours, however young it is.
  const { record, bound } = work;
  const isRecorded = record?.objectId === live.id && !isReborn(record.birth, bound.reach, live);
  const isTheirs = !attempt.mayStand && !attempt.wasAnnounced && !isRecorded;
  const contradiction = isTheirs
    ? `${bound.key} was made by somebody else between the look and the create`
    : await contradictionOf(session, intent, live);
  if (contradiction === null) return;
  // This machine may have slept, and a later run of this scope may have made the object.
  session.gate.check();
  // The object is somebody else's, so a later run must not claim it through this intent.
  if (!attempt.mayStand) endIntent(session, work);
  throw foreign(contradiction);
}

async function claim(session: Session, work: Sent, found: Live): Promise<RelocateOutcome> {
  const { bound, intent } = work;
  const wrote = momentNow(session, work);
  let [live, changed, flaw]: [Live, readonly string[], unknown] = [found, [], work.flaw];
  try {
    live = await withValues(found, null);
    const printer = await printerOf(session, work);
    const options = { writeOnly: bound.writeOnly ?? [], record: null, printer, intent, isSameEdge: () => false };
    ({ changed } = await compareFields({ fields: bound.fields, live, ...options }));
  } catch (thrown) {
    // The object is ours whatever its values are. The line records it, and says why the values could not be compared.
    flaw = thrown;
  }
  const line = standing(session, { ...work, wrote, changed, flaw }, { live, made: 'claimed' });
  // The values were sent just now, so the provider keeps them in the form that stands there. An earlier run's object may hold older values.
  const isSent = changed.length > 0 && flaw === null && !work.attempt.wasAnnounced;
  const kept = isSent && isOf(line, 'object') ? (await learnWhenReady(session, line)).keeps?.kept : {};
  const needed = changed.filter((field) => kept?.[field] === undefined);
  return { outcome: 'claimed', needsUpdate: needed.length > 0 && bound.update !== undefined };
}

/**
 * Gives the matches that a create may have made. An object of a chosen id is made anew under the id of the one that is gone. Where the
 * provider chooses ids, a gone object that a lagging list still shows is older, or stands beside the new one.
 */
export function madeBy(
  session: Session,
  intent: Intent,
  matches: readonly Live[],
  { gone }: { gone: string | undefined },
): readonly Live[] {
  const not = new Set(intent.not);
  const fresh = matches.filter(({ id }) => !not.has(id));
  return fresh.length > 0 ? fresh : matches.filter((live) => live.id === gone && !isOlder(session, intent, live));
}
