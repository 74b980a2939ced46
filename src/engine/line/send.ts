import { Failure } from '../../core/errors.ts';
import { HttpFailure } from '../../http/failure.ts';
import type { Http } from '../../http/types.ts';
import type { Io } from '../../ops/bound.ts';
import { mustGoOn, type Session } from '../session.ts';
import { noteWrite } from '../timing/host-time.ts';
import { materialise } from './binding.ts';
import { doubts } from './doubt.ts';
import { underLease } from './durable.ts';
import { record } from './effects.ts';
import { isUnusable } from './line-error.ts';
import { publish } from './publish.ts';
import { ioOf, type LineWork, sendingBy } from './work.ts';

/** Sends an action. What was taken is recorded, whatever its answer is worth: an action that is not recorded is sent again. */
export async function send(session: Session, work: LineWork): Promise<void> {
  mustGoOn(work);
  await materialise(session, work);
  await underLease(session, work, doubts(session, work));
  const { bound } = work;
  if (bound?.kind !== 'action') throw new Failure('INTERNAL', { detail: `${work.id} cannot be sent.` });
  const { io, answered } = answering(ioOf(work, session.ending));
  const sent = await bound.send(io).catch((thrown: unknown) => {
    if (!answered() && !isAnswered(thrown)) throw thrown;
    // It was taken, and its answer is of no use: sent again it would be done twice.
    if (!isUnusable(thrown)) throw thrown;
    work.flaw = thrown;
    return { outputs: {} };
  });
  work.live = { id: '', values: {}, outputs: sent.outputs };
  work.made = 'sent';
  noteWrite(session, work);
  publish(session, work);
  if (work.flaw === null) return;
  await record(session, work);
  throw work.flaw;
}

const isAnswered = (thrown: unknown): boolean =>
  thrown instanceof HttpFailure && thrown.status !== null && thrown.status >= 200 && thrown.status < 300;

/** Tells whether the last write was answered with a success. */
function answering(io: Io): { readonly io: Io; answered(): boolean } {
  let isDone = false;
  const send: Http['send'] = async (request, options) => {
    isDone = false;
    const answer = await io.http.send(request, options);
    isDone = true;
    return answer;
  };
  return { io: sendingBy(io, send), answered: () => isDone };
}
