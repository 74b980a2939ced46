import { createActor, fromPromise } from 'xstate';
import { Failure } from '../../core/errors.ts';
import type { ReadyOutcome } from '../../machines/line/steps.ts';
import { type Look, readinessMachine } from '../../machines/readiness/readiness.machine.ts';
import { watch } from '../../machines/watch.ts';
import type { Readiness } from '../../ops/bound.ts';
import type { Live } from '../../remote/live-object.ts';
import { signsIn } from '../../remote/signs.ts';
import { keep, type Session, workOf } from '../session.ts';
import { lookAtAwaited } from '../timing/host-time.ts';
import { underLease } from './durable.ts';
import { learnWhenReady } from './keeps.ts';
import { deadlineOf, Paused, pause } from './pause.ts';
import { ioOf, isOf, type Judged, type Written } from './phases.ts';
import { standing } from './publish.ts';

/** Waits until the line's object, or what the line waits for, is ready. Throws `EXTERNAL_FAILED` or `WAIT_TIMEOUT`. */
export async function awaitReady(session: Session, work: Judged | Written): Promise<ReadyOutcome> {
  // Its step ends here, and the machine records what stands before the line fails.
  if (work.flaw !== null) throw work.flaw;
  const watched: Watched = { live: work.live, isPassed: work.isPassed };
  const poll = pollOf(session, work, watched);
  if (!poll) return { outcome: 'ready' };
  const { state, detail, thrown } = await untilReady(session, work.id, stepsOf(session, work, watched, poll));
  if (thrown instanceof Paused) return { outcome: 'waiting' };
  if (thrown !== null) throw thrown;
  if (state === 'failed') throw new Failure('EXTERNAL_FAILED', { detail });
  if (!watched.live) throw new Failure('INTERNAL', { detail: `${work.id} is ready and was not seen.` });
  const { judgement = work.judgement } = workOf(session, work.id) as Partial<Judged>;
  const line = standing(session, { ...work, judgement }, { live: watched.live, made: work.made ?? 'found' });
  if (line.flaw !== null) throw line.flaw;
  if (line.made === 'created' && isOf(line, 'object')) await learnWhenReady(session, line);
  return { outcome: 'ready' };
}

/** The findings of one wait until now. */
interface Watched {
  live: Live | null;
  isPassed: boolean;
}

interface ReadinessSteps {
  look(): Promise<Look>;
  kick(): Promise<void>;
  pause(polls: number): Promise<void>;
}

function stepsOf(session: Session, work: Judged | Written, watched: Watched, poll: () => Promise<Readiness>): ReadinessSteps {
  const { bound } = work;
  const deadline = deadlineOf(session, work);
  let stale: Live | null = null;
  let detail = '';
  return {
    look: async () => {
      const seen = await poll();
      if (seen.state === 'ready') watched.live = merge(watched.live, seen.live);
      if (seen.state === 'stale') stale = seen.live;
      if (seen.state === 'wait' || seen.state === 'stale') {
        detail = seen.detail;
        session.tell({ type: 'wait', line: work.id, detail, at: session.clock.now() });
      }
      return { state: seen.state, detail: 'detail' in seen ? seen.detail : '' };
    },
    kick: async () => {
      if (bound.kind !== 'wait' || !bound.kick || !stale) return;
      await underLease(session, work);
      await bound.kick(ioOf(work, session.ending), stale);
      watched.isPassed = true;
      redeployed(session, work.id, detail);
    },
    pause: (polls) => pause(session, work, { polls, detail, deadline }),
  };
}

/** The line started something again at the provider, which is more than a wait. */
function redeployed(session: Session, id: string, why: string): void {
  const line = workOf(session, id);
  if (line.phase !== 'judged' && line.phase !== 'written') return;
  keep(session, { ...line, judgement: { ...line.judgement, verdict: 'redeploy', why } });
  session.tell({ type: 'verdict', line: id, verdict: 'redeploy', why, drift: 'none', changes: [], lock: null, at: session.clock.now() });
}

interface ReadinessEnd {
  readonly state: unknown;
  readonly detail: string;
  /** The error of a step: the machine knows only that there was one. */
  readonly thrown: unknown;
}

async function untilReady(session: Session, id: string, { look, kick, pause }: ReadinessSteps): Promise<ReadinessEnd> {
  let thrown: unknown = null;
  const keep = async <T>(step: Promise<T>): Promise<T> => {
    try {
      return await step;
    } catch (error) {
      thrown = error;
      throw error;
    }
  };
  const actor = createActor(
    readinessMachine.provide({
      actors: {
        look: fromPromise(() => keep(look())),
        kick: fromPromise(() => keep(kick())),
        pause: fromPromise(({ input }) => keep(pause(input.polls))),
      },
    }),
    {
      id: `ready:${id}`,
      input: { line: id },
      inspect: watch({ machine: 'readiness', actor: id, initial: '' }, (transition) =>
        session.tell({ type: 'machine', ...transition, at: session.clock.now() }),
      ),
    },
  );
  await new Promise<void>((resolve, reject) => {
    actor.subscribe({ complete: resolve, error: reject });
    actor.start();
  });
  const { value, context } = actor.getSnapshot();
  return { state: value, detail: context.detail, thrown };
}

/** Create answers may hold what a later read does not: once-only outputs and the signs of the object stay. */
const merge = (before: Live | null, now: Live): Live =>
  before ? { ...signsIn(before), ...now, outputs: { ...before.outputs, ...now.outputs } } : now;

function pollOf(session: Session, work: Judged | Written, watched: Watched): (() => Promise<Readiness>) | null {
  if (isOf(work, 'wait')) {
    return async () => {
      const { seen, isPassed } = await lookAtAwaited(session, { ...work, isPassed: watched.isPassed });
      watched.isPassed = isPassed;
      return seen;
    };
  }
  if (!isOf(work, 'object') || !work.bound.ready) return null;
  const ready = work.bound.ready.bind(work.bound);
  return () => {
    if (!watched.live) throw new Failure('INTERNAL', { detail: `${work.id} waits for an object that it does not have.` });
    return ready(ioOf(work, work.stopping, { share: false }), watched.live);
  };
}

/**
 * Waits until the parent of the line's object is ready, before the create is announced. So a wait that ends badly or is interrupted leaves
 * nothing behind. Throws `EXTERNAL_FAILED` or `WAIT_TIMEOUT`.
 */
export async function awaitRoom(session: Session, work: Judged): Promise<void> {
  const { bound } = work;
  if (bound.kind !== 'object' || !bound.room) return;
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
