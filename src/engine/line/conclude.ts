import type { Verdict } from '../../machines/line/decide.ts';
import type { Judgement } from '../../machines/line/steps.ts';
import type { Session } from '../session.ts';
import { asLineError, LineError } from './line-error.ts';
import { publish } from './publish.ts';
import { refusal } from './refusal.ts';
import { changesOf } from './sides.ts';
import type { LineWork } from './work.ts';

/** Notes what reports show, and gives the outputs of an object that stands as it is to the lines after it. */
export function conclude(session: Session, work: LineWork, verdict: Verdict, recordNeeded = false): Judgement {
  work.drift = verdict.drift;
  work.changes = changesOf(work, verdict.verdict);
  const stands = ['none', 'adopt', 'keep', 'claim', 'reconcile', 'update'].includes(verdict.verdict);
  if (stands && work.live && work.identity) {
    work.made ??= verdict.verdict === 'claim' ? 'claimed' : 'found';
    publish(session, work);
  }
  const needsUpdate = verdict.verdict === 'update' || (['claim', 'reconcile'].includes(verdict.verdict) && work.changed.length > 0);
  // What an id that the caller chose names is as recorded although a dead run made it anew: then its intent is still there.
  const isUnfinished = work.record !== null && (work.record.unready || work.intent !== null);
  const needsReady = stands && isUnfinished && work.live !== null;
  // An apply first records what it found to be ours; where nothing is left to record, the line ends here.
  const isRecordedFirst = session.purpose !== 'plan' && (verdict.verdict === 'claim' || needsUpdate || needsReady);
  if (work.flaw !== null && !isRecordedFirst) throw work.flaw;
  return { ...verdict, needsUpdate, needsRecord: recordNeeded, needsReady };
}

export function refuse(session: Session, work: LineWork, verdict: Verdict): Judgement {
  work.drift = verdict.drift;
  work.changes = changesOf(work, verdict.verdict);
  const error = asLineError(refusal(session, work, verdict), { line: work.id, place: work.place, redactor: session.redactor });
  return { ...verdict, needsUpdate: false, needsRecord: false, ...(error instanceof LineError && { error: error.data }) };
}

export const verdictOf = (verdict: Verdict['verdict'], why: string): Verdict => ({ verdict, why, drift: 'none' });

export const goneOutput = (work: LineWork): string | null => {
  const gone = work.resolved?.gone;
  return gone ? `${gone.line}.${gone.output}` : null;
};
