import { Failure } from '../../core/errors.ts';
import type { Http } from '../../http/types.ts';
import { recordIdOf } from '../../remote/find.ts';
import type { Reach } from '../../remote/reach.ts';
import { isGone } from '../../remote/read.ts';
import type { Session } from '../session.ts';
import { pauseBetween } from './pause.ts';

/** An object that must go. */
export interface Removal {
  readonly id: string;
  /** Nothing new begins once this is aborted: the signal of its line, or of the run. */
  readonly stopping: AbortSignal;
}

/**
 * Waits for a delete that its provider accepts and does later, and returns when the object is gone. Throws `WAIT_TIMEOUT` when that takes
 * longer than the operation and the run allow. The record stays then, and the next run sends the delete again.
 */
export async function awaitGone(
  session: Session,
  http: Http,
  reach: Extract<Reach, { kind: 'object' }>,
  { id, stopping }: Removal,
): Promise<void> {
  const { until_gone: how } = reach;
  if (!how) return;
  const began = session.clock.mono();
  const until = Math.min(began + how.seconds * 1000, session.waitUntil);
  for (let polls = 0; !(await isGone(http, how, id, stopping)); polls += 1) {
    if (await pauseBetween(session, { signal: stopping, of: id, polls, until, longest })) continue;
    throw new Failure('WAIT_TIMEOUT', {
      detail: `The provider accepted ${recordIdOf(reach, id)}, and the object is still there ${Math.round((session.clock.mono() - began) / 1000)} s later. Its record stays.`,
      fix: 'Run again later. The next run forgets the object once it is gone.',
    });
  }
}

const longest = 3_000;
