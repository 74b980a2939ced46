import { hash } from 'node:crypto';
import { Failure, Interrupted } from '../../core/errors.ts';
import { withoutFullStop } from '../../core/plain-text.ts';
import type { Session } from '../session.ts';
import type { Judged, PhaseFacts, Written } from './phases.ts';

/** A look at something that changes by itself, and those before it. */
export interface Pause {
  /** Ends the wait: of the line that looks, or of the run. */
  readonly signal: AbortSignal;
  /** The thing that is looked at. Lines that wait for different things do not ask together. */
  readonly of: string;
  readonly polls: number;
  /** Milliseconds of the monotonic clock. */
  readonly until: number;
  /** Milliseconds between two looks after a while; the first ones follow faster. */
  readonly longest: number;
}

type Pausing = Pick<Session, 'clock'> & { readonly barrier: Pick<Session['barrier'], 'tell'> };

/** Waits for the next look; `false` when there is no time left for one. Throws `Interrupted` when the run is told to stop. */
export async function pauseBetween(session: Pausing, { signal, of, polls, until, longest }: Pause): Promise<boolean> {
  const left = until - session.clock.mono();
  if (left <= 0) return false;
  // Time alone may have made the run quiet enough for a push of what others did.
  session.barrier.tell();
  try {
    await session.clock.sleep(Math.min(left, Math.min(longest, 150 * 1.6 ** Math.min(polls, 20)) * jitter(of, polls)), signal);
  } catch (error) {
    if (signal.aborted) throw new Interrupted();
    throw error;
  }
  return true;
}

/** Between 0.8 and 1.2, and the same in every run, so that a run can be repeated. */
const jitter = (of: string, polls: number): number =>
  0.8 + (0.4 * Number.parseInt(hash('sha1', `${of} ${polls}`).slice(0, 8), 16)) / 0xffffffff;

/** When the line gives up, and after how many seconds that is: its own `timeout`, or that of the run when it comes first. */
export interface Deadline {
  readonly at: number;
  readonly seconds: number;
}

export function deadlineOf({ clock, waitUntil, waitTimeoutMs }: Session, { bound }: PhaseFacts): Deadline {
  const own = bound?.timeout === undefined ? Number.POSITIVE_INFINITY : clock.mono() + bound.timeout * 1000;
  return own < waitUntil ? { at: own, seconds: bound?.timeout ?? 0 } : { at: waitUntil, seconds: waitTimeoutMs / 1000 };
}

export interface Wait {
  readonly polls: number;
  readonly detail: string;
  readonly deadline: Deadline;
}

export async function pause(session: Session, work: Judged | Written, { polls, detail, deadline }: Wait): Promise<void> {
  const isReported = session.isReported && work.bound.kind === 'wait' && work.prepared.op.reported === true;
  // A run that may not wait at all leaves what it would wait for to the next one.
  if (isReported || (session.waitTimeoutMs === 0 && work.bound.kind === 'wait')) throw new Paused();
  restIfOnlyPolling(session);
  const longest = work.bound.kind === 'wait' ? 10_000 : 3_000;
  if (await pauseBetween(session, { signal: work.stopping, of: work.id, polls, until: deadline.at, longest })) return;
  // Some operations tell their state in a sentence, others in a few words.
  const reason = withoutFullStop(detail) || 'no reason was given';
  throw new Failure('WAIT_TIMEOUT', {
    detail: `It was not ready after ${Math.round(deadline.seconds)} s: ${reason}.`,
  });
}

/** A deployment that the code host will report, or that this run may not wait for: a later run goes on from here. */
export class Paused extends Error {}

/** Gives the lease back when nothing but polling is left and the lines are no longer young. */
export function restIfOnlyPolling({ barrier, writer, gate, clock }: Session): void {
  if (barrier.isOnlyPolling()) writer.rest(Math.max(0, gate.unansweredUntil() - clock.mono()));
}
