import { Failure, Interrupted } from '../../core/errors.ts';
import { AbandonedWrite } from '../../http/failure.ts';
import { type lineMachine, withSteps } from '../../machines/line/line.machine.ts';
import type { Judgement } from '../../machines/line/steps.ts';
import { mustBeAsJudged } from '../prepare/expected.ts';
import { keep, type Session, workOf } from '../session.ts';
import { Creates } from '../shared/creates.ts';
import { misfitFailure } from '../shared/misfit.ts';
import type { Parents } from '../shared/parents.ts';
import { Places } from '../shared/places.ts';
import { overruled } from './conclude.ts';
import { create, recordIntent } from './create.ts';
import { observe } from './judge.ts';
import { verify } from './keeps.ts';
import { explained, withNamedParams } from './known.ts';
import { observeLedger } from './ledger-lines.ts';
import { asLineError, LineError } from './line-error.ts';
import { type Judged, judgementOf, type LinePhase } from './phases.ts';
import { record } from './record.ts';
import { relocate } from './relocate.ts';
import { recordRemoval, remove, removeFirst } from './remove.ts';
import { send } from './send.ts';
import { update } from './update.ts';
import { awaitReady } from './wait.ts';

/**
 * The steps of one line in their order. The chart (`machines/line/line.machine.ts`) names the same ones and says which of them a verdict
 * needs. Each step takes the line's last phase and keeps the next. No step of an outdated line begins or tells anything: other lines of
 * the same names take their place.
 */
export function wiredLineMachine(session: Session, parents: Parents, isOutdated: () => boolean): typeof lineMachine {
  const writers = { parents, creates: new Creates(session) };
  const places = new Places(session);
  const step = steps(session, isOutdated);
  /** The first write of a run waits until its creates are known to fit, as far as their providers tell. */
  const first = async <T>(write: () => Promise<T>): Promise<T> => {
    await places.mustAllFit();
    return await write();
  };
  return withSteps({
    /** Resolves the params, looks at the live object and judges the line. A plan ends here. */
    observe: step(['unjudged', 'unseen', 'judged', 'written', 'doomed', 'settled'], (line) =>
      judgeOnce(session, line, { places, isOutdated }),
    ),
    /** Removes the old object of a replacement where the provider does not allow two. */
    removeFirst: step(['judged'], (line) => first(() => removeFirst(session, line))),
    /** Stores the intent, so that the next run knows of a create whose answer is lost. */
    recordIntent: step(['judged'], (line) => first(() => recordIntent(session, line))),
    /** Sends the create. */
    create: step(['judged'], (line) => create(session, line, writers)),
    /** Looks for what an unclear create made. */
    relocate: step(['judged'], (line) => relocate(session, line)),
    /** Writes the declared fields that differ. */
    update: step(['written'], (line) => first(() => update(session, line, parents))),
    /** Reads again what the answer to a write does not show as planned. */
    verify: step(['written'], (line) => verify(session, line)),
    /** Sends an action. */
    send: step(['judged'], (line) => first(() => send(session, line))),
    /** Waits until the object, or what the line waits for, is ready. */
    awaitReady: step(['judged', 'written'], (line) => awaitReady(session, line)),
    /** Stores the record. */
    record: step(['written'], (line) => record(session, line)),
    /** Stores the record of an object that is not ready, so that it is not lost with the error. */
    recordUnready: step(['judged', 'written'], (line) => (line.phase === 'written' ? record(session, line, true) : Promise.resolve())),
    /** Removes the object of a line of a destroy. */
    remove: step(['doomed'], (line) => remove(session, line, parents)),
    /** Stores that nothing is left of the record. */
    recordRemoval: step(['doomed'], (line) => recordRemoval(session, line)),
  });
}

type Phase = LinePhase['phase'];

/** Makes steps. Each takes a line in one of the phases that it is for, and tells the error that it fails with. */
function steps(session: Session, isOutdated: () => boolean) {
  const mustCount = (): void => {
    if (isOutdated()) throw new Interrupted();
  };
  return <P extends Phase, T>(phases: readonly P[], act: (line: Extract<LinePhase, { phase: P }>) => Promise<T>) => {
    const begin = (id: string): Promise<T> => act(inPhase(workOf(session, id), phases));
    return async (id: string): Promise<T> => {
      mustCount();
      try {
        return await begin(id);
      } catch (thrown) {
        mustCount();
        const line = workOf(session, id);
        const stopped = line.stopping.aborted && !isOfTheLine(thrown);
        const told = stopped ? new Interrupted() : withNamedParams(session, line, await explained(session, line, thrown));
        const error = asLineError(told, { line: id, place: line.place, prepared: line.prepared, redactor: session.redactor });
        if (error instanceof LineError) session.tell({ type: 'failure', line: id, error: error.data, at: session.clock.now() });
        throw error;
      }
    };
  };
}

/** Throws `INTERNAL` where the chart begins a step too early or too late. */
function inPhase<P extends Phase>(line: LinePhase, phases: readonly P[]): Extract<LinePhase, { phase: P }> {
  if ((phases as readonly Phase[]).includes(line.phase)) return line as Extract<LinePhase, { phase: P }>;
  throw new Failure('INTERNAL', { detail: `${line.id} is ${line.phase}, and its step needs ${phases.join(' or ')}.` });
}

interface Judging {
  readonly places: Places;
  readonly isOutdated: () => boolean;
}

/** A held line goes on from the judgement that was compared with a digest. */
async function judgeOnce(session: Session, line: LinePhase, { places, isOutdated }: Judging): Promise<Judgement> {
  const known = line.isHeld ? judgementOf(line) : null;
  const judgement = known ?? (await judge(session, line, places));
  if (known === null) {
    if (isOutdated()) throw new Interrupted();
    mustBeAsJudged(session, workOf(session, line.id), judgement);
  }
  tellVerdict(session, workOf(session, line.id), judgement);
  return judgement;
}

/** A refusal rests on what the ledger says, or does not say. It holds when no run wrote there since this run read it. */
async function judge(session: Session, line: LinePhase, places: Places): Promise<Judgement> {
  const confirm = (): Promise<void> => session.writer.confirm(workOf(session, line.id).epoch, { waits: session.purpose !== 'plan' });
  try {
    const seen = line.prepared ? await observe(session, line, line.prepared) : await observeLedger(session, line);
    const { judgement } = await fitting(session, seen, places);
    if (judgement.verdict === 'refused') await confirm();
    return judgement;
  } catch (thrown) {
    // A refusal that could not be confirmed is none.
    keep(session, { ...workOf(session, line.id), phase: 'unjudged' });
    if (thrown instanceof Failure && restsOnLedger.has(thrown.code)) await confirm();
    throw thrown;
  }
}

/** Refuses the create of a line for which its provider tells that there is no room. */
async function fitting<L extends LinePhase>(session: Session, line: L, places: Places): Promise<L | Judged> {
  const misfit = await places.misfitOf(line);
  if (!misfit || line.phase !== 'judged') return line;
  const { id, place, prepared } = line;
  const told = await explained(session, line, misfitFailure(session, misfit));
  const error = asLineError(told, { line: id, place, prepared, redactor: session.redactor });
  return error instanceof LineError ? overruled(session, line, 'there is no room for it', error.data) : line;
}

/** Another run may have made the object that looks like a stranger's, or removed the one that is missing. */
const restsOnLedger: ReadonlySet<string> = new Set(['RESOURCE_FOREIGN', 'PROVIDER_NOT_FOUND']);

function tellVerdict(
  session: Session,
  { id, bound, changes, subject }: LinePhase,
  { verdict, why, drift, leaves, error }: Judgement,
): void {
  const lock = bound?.kind === 'item' ? bound.lockOn : null;
  const at = session.clock.now();
  session.tell({
    type: 'verdict',
    line: id,
    ...(subject !== '' && { subject }),
    verdict,
    why,
    drift,
    ...(leaves && { driftLeft: true }),
    changes,
    lock,
    at,
  });
  if (error) session.tell({ type: 'failure', line: id, error, at });
}

/**
 * An aborted read or pause throws the reason of the signal, and is no failure of the line. Neither is a write whose answer the run had no
 * time to wait for. A refusal of the provider is a failure of the line.
 */
const isOfTheLine = (thrown: unknown): boolean =>
  thrown instanceof Failure && thrown.code !== 'INTERRUPTED' && !(thrown instanceof AbandonedWrite);
