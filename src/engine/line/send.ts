import { Failure } from '../../core/errors.ts';
import { HttpFailure } from '../../http/failure.ts';
import type { Http } from '../../http/types.ts';
import type { Io } from '../../ops/bound.ts';
import { mustGoOn, type Session } from '../session.ts';
import { materialise } from './binding.ts';
import { doubts } from './doubt.ts';
import { underLease } from './durable.ts';
import { isUnusable } from './line-error.ts';
import { ioOf, isOf, type Judged, sendingBy } from './phases.ts';
import { written } from './publish.ts';
import { record } from './record.ts';

/** Sends an action. An accepted action whose answer is of no use is recorded too, because the next run would send it again. */
export async function send(session: Session, judged: Judged): Promise<void> {
  mustGoOn(judged);
  const work = await materialise(session, judged);
  await underLease(session, work, doubts(session, work));
  if (!isOf(work, 'action')) throw new Failure('INTERNAL', { detail: `${work.id} cannot be sent.` });
  const { io, answered } = answering(ioOf(work, session.ending));
  let flaw: unknown = null;
  const { outputs } = await work.bound.send(io).catch((thrown: unknown) => {
    if (!answered() && !isAnswered(thrown)) throw thrown;
    // The provider accepted the action, and its answer is of no use. A second send would do the action twice.
    if (!isUnusable(thrown)) throw thrown;
    flaw = thrown;
    return { outputs: {} };
  });
  const sent = written(session, { ...work, flaw }, { live: { id: '', values: {}, outputs }, made: 'sent' });
  if (sent.flaw === null) return;
  await record(session, sent);
  throw sent.flaw;
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
