import type { ErrorData } from '../../core/errors.ts';
import type { Verdict } from '../../machines/line/decide.ts';
import { judgedPart } from '../prepare/digest.ts';
import { keep, type Session } from '../session.ts';
import { asLineError, LineError } from './line-error.ts';
import {
  type Doomed,
  type Findings,
  type Judged,
  newAttempt,
  type Ready,
  type Resolved,
  type Unjudged,
  type Unseen,
  type Written,
} from './phases.ts';
import { missing, standing } from './publish.ts';
import { refusal } from './refusal.ts';
import { changesOf } from './sides.ts';

/** Ends a look: notes what reports show, and gives the outputs of an object that stands as it is to the lines after it. */
export function conclude(session: Session, line: Ready, look: Findings, verdict: Verdict, recordNeeded = false): Judged | Written {
  const { live } = look;
  const hasOwn = look.changed.length > (verdict.leaves?.length ?? 0);
  const stands = ['none', 'rename', 'record', 'adopt', 'keep', 'claim', 'reconcile', 'update'].includes(verdict.verdict);
  const needsUpdate = verdict.verdict === 'update' || (['claim', 'reconcile'].includes(verdict.verdict) && hasOwn);
  // An object under a chosen id looks as recorded even when a dead run made it anew. The intent of that run is then still there.
  const isUnfinished = line.record !== null && (line.record.unready || line.intent !== null);
  const needsReady = stands && isUnfinished && live !== null;
  const judged = judgedAs(session, line, look, { ...verdict, needsUpdate, needsRecord: recordNeeded, needsReady });
  if (!stands) return judged;
  if (live === null) return verdict.leaves ? missing(session, judged) : judged;
  const written = standing(session, judged, { live, made: verdict.verdict === 'claim' ? 'claimed' : 'found' });
  // An apply first records an object that it found to be ours. With nothing left to record, the line ends here.
  const isRecordedFirst = session.purpose !== 'plan' && (verdict.verdict === 'claim' || needsUpdate || needsReady);
  if (written.flaw === null || isRecordedFirst) return written;
  const { drift, changes } = written;
  keep(session, { ...line, live, drift, changes });
  throw written.flaw;
}

/** Gives a refused verdict the error that says what to do. */
export function refuse(session: Session, line: Ready, look: Findings, verdict: Verdict): Judged {
  const { id, place } = line;
  const error = asLineError(refusal(session, { ...line, ...look }, verdict), {
    line: id,
    place,
    prepared: line.prepared,
    redactor: session.redactor,
  });
  const more = error instanceof LineError ? { error: error.data } : {};
  return judgedAs(session, line, look, { ...verdict, needsUpdate: false, needsRecord: false, ...more });
}

/** Refuses a line after its look for a reason that the look does not tell. */
export function overruled(session: Session, judged: Judged, why: string, error: ErrorData): Judged {
  const { drift } = judged.judgement;
  const verdict = { verdict: 'refused', drift, why, code: error.code, needsUpdate: false, needsRecord: false, error } as const;
  return judgedAs(session, { ...judged, phase: 'unjudged' }, judged, verdict);
}

function judgedAs(session: Session, line: Ready, look: Findings, judgement: Judged['judgement']): Judged {
  const changes = changesOf({ ...line, ...look }, judgement);
  const seen = { ...line, ...look, changes, drift: judgement.drift };
  return keep(session, {
    ...seen,
    phase: 'judged',
    judgement,
    part: judgedPart(session, seen, judgement),
    made: null,
    generation: null,
    isRemovedFirst: false,
    wentFirst: null,
    flaw: null,
    attempt: newAttempt(),
  });
}

/** The line cannot look, because another line must first make its parent object, or a value that the look needs. */
export function unseen(session: Session, line: Unjudged, why: string): Unseen {
  const judgement = { ...verdictOf('create', why), needsUpdate: false, needsRecord: false, needsReady: false };
  const seen = { ...line, changes: changesOf({ ...line, changed: [] }, judgement), replaced: null };
  return keep(session, { ...line, changes: seen.changes, phase: 'unseen', judgement, part: judgedPart(session, seen, judgement) });
}

/** A line of a destroy, whose identity the ledger gives. */
export type Fated = Unjudged & { readonly prepared: null; readonly identity: string };

/** Ends the look of a destroy. */
export function doomed(
  session: Session,
  line: Fated,
  verdict: Verdict,
  {
    error,
    isPast = false,
    isPastUnseen = false,
  }: { readonly error?: ErrorData; readonly isPast?: boolean; readonly isPastUnseen?: boolean } = {},
): Doomed {
  const judgement = { ...verdict, needsUpdate: false, needsRecord: false, ...(error && { error }) };
  const part = judgedPart(session, { ...line, replaced: null }, judgement);
  return keep(session, { ...line, phase: 'doomed', judgement, part, isPast, isPastUnseen, deleted: null });
}

export const verdictOf = (verdict: Verdict['verdict'], why: string): Verdict => ({ verdict, why, drift: 'none' });

export const goneOutput = ({ gone }: Resolved): string | null => gone && `${gone.line}.${gone.output}`;
