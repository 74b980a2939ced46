import { Failure, Interrupted } from '../../core/errors.ts';
import { AbandonedWrite } from '../../http/failure.ts';
import { type lineMachine, withSteps } from '../../machines/line/line.machine.ts';
import type { Judgement } from '../../machines/line/steps.ts';
import { judgedPart } from '../prepare/digest.ts';
import { mustBeAsJudged } from '../prepare/expected.ts';
import { type Session, workOf } from '../session.ts';
import { Creates } from '../shared/creates.ts';
import type { Parents } from '../shared/parents.ts';
import * as effects from './effects.ts';
import { observe } from './judge.ts';
import { explained, withNamedParams } from './known.ts';
import { observeLedger } from './ledger-lines.ts';
import { asLineError, LineError } from './line-error.ts';
import { relocate } from './relocate.ts';
import { recordRemoval, remove } from './remove.ts';
import { send } from './send.ts';
import { awaitReady } from './wait.ts';
import type { LineWork } from './work.ts';

/**
 * The line machine with the steps of this run: each takes a line's id and finds the rest in the session. No step of lines that are
 * outdated begins or is told of: others of the same names take their place.
 */
export function wiredLineMachine(session: Session, parents: Parents, isOutdated: () => boolean): typeof lineMachine {
  const creates = new Creates(session);
  const mustCount = (): void => {
    if (isOutdated()) throw new Interrupted();
  };
  const step =
    <T>(act: (work: LineWork) => Promise<T>) =>
    async (line: string): Promise<T> => {
      const work = workOf(session, line);
      mustCount();
      try {
        return await act(work);
      } catch (thrown) {
        mustCount();
        const stopped = work.stopping.aborted && !isOfTheLine(thrown);
        const told = stopped ? new Interrupted() : withNamedParams(session, work, await explained(session, work, thrown));
        const error = asLineError(told, { line: work.id, place: work.place, redactor: session.redactor });
        if (error instanceof LineError) session.tell({ type: 'failure', line: work.id, error: error.data, at: session.clock.now() });
        throw error;
      }
    };
  return withSteps({
    observe: step(async (work) => {
      if (!work.isHeld || work.judged === null) {
        const now = await judge(session, work);
        mustCount();
        mustBeAsJudged(session, work, now);
        work.judged = { judgement: now, part: judgedPart(session, work, now) };
      }
      const { judgement } = work.judged;
      tellVerdict(session, work, judgement);
      return judgement;
    }),
    recordIntent: step((work) => effects.recordIntent(session, work)),
    create: step((work) => effects.create(session, work, { parents, creates })),
    relocate: step((work) => relocate(session, work)),
    update: step((work) => effects.update(session, work, parents)),
    removeFirst: step((work) => effects.removeFirst(session, work)),
    send: step((work) => send(session, work)),
    awaitReady: step((work) => awaitReady(session, work)),
    record: step((work) => effects.record(session, work)),
    recordUnready: step((work) => effects.recordUnready(session, work)),
    remove: step((work) => remove(session, work, parents)),
    recordRemoval: step((work) => recordRemoval(session, work)),
  });
}

/** A refusal rests on what the ledger says, or does not say: it holds when nobody wrote there since this run read it. */
async function judge(session: Session, work: LineWork): Promise<Judgement> {
  const confirm = (): Promise<void> => session.writer.confirm(work.epoch, { waits: session.purpose !== 'plan' });
  try {
    const judgement = work.prepared ? await observe(session, work) : await observeLedger(session, work);
    if (judgement.verdict === 'refused') await confirm();
    return judgement;
  } catch (thrown) {
    if (thrown instanceof Failure && restsOnLedger.has(thrown.code)) await confirm();
    throw thrown;
  }
}

/** Another run may have made what is taken for a stranger's, and removed what is missed. */
const restsOnLedger: ReadonlySet<string> = new Set(['RESOURCE_FOREIGN', 'PROVIDER_NOT_FOUND']);

function tellVerdict(session: Session, work: LineWork, { verdict, why, drift, error }: Judgement): void {
  const { id, bound, changes } = work;
  const lock = bound?.kind === 'item' ? bound.lockOn : null;
  const at = session.clock.now();
  session.tell({ type: 'verdict', line: id, verdict, why, drift, changes, lock, at });
  if (error) session.tell({ type: 'failure', line: id, error, at });
}

/**
 * An aborted read or pause, which throws what the signal gave as its reason, is no failure of the line, and neither is a write whose
 * answer the run had no time to wait for; a refusal of the provider is.
 */
const isOfTheLine = (thrown: unknown): boolean =>
  thrown instanceof Failure && thrown.code !== 'INTERRUPTED' && !(thrown instanceof AbandonedWrite);
