import { Failure } from '../../core/errors.ts';
import type { Session } from '../session.ts';
import { deadlineOf, pause } from './pause.ts';
import { ioOf, type LineWork } from './work.ts';

/**
 * Waits until what the line's object is to stand in is ready, before its create is announced: a wait that ends badly or is
 * interrupted leaves nothing behind. Throws `EXTERNAL_FAILED` or `WAIT_TIMEOUT`.
 */
export async function awaitRoom(session: Session, work: LineWork): Promise<void> {
  const { bound } = work;
  if (bound?.kind !== 'object' || !bound.room) return;
  const deadline = deadlineOf(session, work);
  // Ends at the deadline: `pause` throws there.
  for (let polls = 0; ; polls += 1) {
    const seen = await bound.room(ioOf(work, work.stopping, { share: false }));
    if (seen.state === 'ready') return;
    const { detail } = seen;
    if (seen.state === 'failed') throw new Failure('EXTERNAL_FAILED', { detail });
    session.tell({ type: 'wait', line: work.id, detail, at: session.clock.now() });
    await pause(session, work, { polls, detail, deadline });
  }
}
