import { Failure, Interrupted } from '../../core/errors.ts';
import type { Session } from '../session.ts';
import { endIntent, underLease } from './durable.ts';
import { pastOf } from './past.ts';
import { deadlineOf, pauseBetween } from './pause.ts';
import type { Judged, Written } from './phases.ts';

/** A name is waited for this long when the line has no limit of its own: an object that nobody sees may hold it for good. */
const patienceSeconds = 300;
const longest = 10_000;

/**
 * Handles a create that is refused as a duplicate although no object is seen. Where this scope removed the object of that name, the provider
 * may hold the name until the delete is done. Waits, and tells whether the create must be sent again. Throws `WAIT_TIMEOUT`.
 */
export async function mayBeFree(session: Session, work: Judged | Written): Promise<boolean> {
  const { bound, identity, attempt } = work;
  const { unclear } = attempt;
  if (bound.kind !== 'object' || unclear?.code !== 'PROVIDER_CONFLICT' || unclear.unanswered || attempt.mayStand) return false;
  const isOurs = work.isRemovedFirst || work.going.length > 0 || work.record?.removing === true;
  if (!isOurs && !(await pastOf(session)).has(identity)) return false;
  const patience = session.clock.mono() + (bound.timeout ?? patienceSeconds) * 1000;
  attempt.heldUntil ??= Math.min(patience, deadlineOf(session, work).at);
  const until = attempt.heldUntil;
  const detail = 'the name of the object that this scope removed is not free yet';
  session.tell({ type: 'wait', line: work.id, detail, at: session.clock.now() });
  try {
    const isTime = await session.barrier.aside(work.id, () =>
      pauseBetween(session, { signal: work.stopping, of: work.id, polls: attempt.sends + 3, until, longest }),
    );
    if (isTime) {
      // Others may have rested meanwhile, and the lease was given back.
      await underLease(session, work);
      return true;
    }
  } catch (error) {
    if (error instanceof Interrupted) endIntent(session, work);
    throw error;
  }
  endIntent(session, work);
  throw new Failure('WAIT_TIMEOUT', {
    detail: `${bound.key}: this scope removed it, and its provider still refuses a new one of that name: ${unclear.detail}`,
    fix: 'Run again later to go on waiting. If another object holds the name for good, give the line another name.',
    cause: unclear,
  });
}
