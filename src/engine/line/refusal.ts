import { door } from '../../core/door.ts';
import { Failure } from '../../core/errors.ts';
import type { Verdict } from '../../machines/line/decide.ts';
import { shownBirths } from '../../remote/birth.ts';
import { applyAgain } from '../command-again.ts';
import type { Session } from '../session.ts';
import { notKept } from './not-kept.ts';
import type { Findings, Ready } from './phases.ts';

type Refused = Ready & Findings;

/** A refused verdict as an error: what stands there, why it is refused, and the one thing to do. */
export function refusal(session: Session, work: Refused, verdict: Verdict): Failure {
  const { key } = work.bound;
  const code = verdict.code ?? 'INTERNAL';
  switch (code) {
    case 'RESOURCE_FOREIGN':
      return new Failure(code, { detail: foreignDetail(session, work, key, verdict), fix: foreignFix(session, work) });
    case 'PARAM_INVALID':
      return verdict.isAmbiguous
        ? new Failure(code, {
            detail: `More than one object matches ${key}; pilotfish cannot tell which one belongs to this scope.`,
            fix: 'Delete all but one of them, or make the name more specific.',
          })
        : verdict.unleavable
          ? unleavableFailure(session, work, verdict.unleavable)
          : new Failure(code, {
              detail: `${key} differs in ${work.changed.join(', ')}, and this operation cannot change it in place.`,
              fix: `Run ${applyAgain(session, ['recreate', work.id])}, or put the value back.`,
            });
    case 'PROVIDER_NOT_FOUND':
      return new Failure(code, {
        detail: `${key} must exist to be adopted ({ keep: true }), and does not.`,
        fix: 'Make it at the provider first, or give the fields values so that pilotfish makes it.',
      });
    case 'NEEDS_RECONCILE':
      return new Failure(code, {
        detail: `${key} was recorded with another delete request (${work.record?.recordId ?? ''}) than the plan now gives it.`,
        fix: `Run ${applyAgain(session, ['reconcile'])} to store the new request, or put the old values back.`,
      });
    case 'PROVIDER_RESPONSE':
      return work.live === null ? leftOut(session, work) : notKept(work, work.live, work.changed);
    case 'OUTPUT_UNAVAILABLE': {
      const { gone } = work.resolved;
      const missing = gone && session.vault.goneFailure(gone.line, gone.output);
      if (missing) return missing;
      return new Failure(code, {
        detail: `The line needs ${gone ? `${gone.line}.${gone.output}` : 'an output'}, which the provider shows only once; an earlier run made the object and the value is gone.`,
        ...(gone && { fix: session.vault.recreateFix(gone.line, ...(session.recreate.has(work.id) ? [work.id] : [])) }),
      });
    }
    default:
      return new Failure(code, { detail: `${key}: ${verdict.why}.` });
  }
}

const unleavableFailure = (session: Session, { id, bound, changed }: Refused, fields: readonly string[]): Failure =>
  new Failure('PARAM_INVALID', {
    detail: `${bound.key}: others changed ${listed(fields)}, which the line leaves (\`drift: report\`), and an update of ${listed(changed.filter((field) => !fields.includes(field)))} would write that as planned.`,
    fix: `Run ${applyAgain(session, ['put-back'], ['only', id])}, or put the planned value back at the provider.`,
  });

const listed = (fields: readonly string[]): string => new Intl.ListFormat('en-GB').format(fields);

const leftOut = (session: Session, { id, bound }: Refused): Failure =>
  new Failure('PROVIDER_RESPONSE', {
    detail: `${bound.key}: the provider answered with a success and left the entry out. It was sent four times, and is not sent again.`,
    fix: `Give the line the value that the provider takes, or send it once more with ${applyAgain(session, ['recreate', id])}.`,
  });

function foreignDetail(session: Session, work: Refused, key: string, verdict: Verdict): string {
  const orphan = orphanOf(session, work);
  if (orphan) return `${key} exists and is recorded in this scope under another provider block; the block of ${work.block.api} changed.`;
  if (work.record && !work.record.owned) {
    const wish = work.changed.length > 0 ? `the plan now differs in ${work.changed.join(', ')}` : 'a new one is asked for';
    return `${key} was adopted, so pilotfish does not change it; ${wish}.`;
  }
  if (isLeft(work)) return `${key} exists: ${verdict.why}. Nothing was written.`;
  if (verdict.drift !== 'missing') return `${key} exists, and no record or intent of this scope names it. Nothing was written.`;
  const told = work.live && work.record?.birth && shownBirths(work.record.birth, work.bound.reach, work.live);
  return `${key} exists, and it is not the one that pilotfish recorded${told ? `: ${told}` : ''}. Nothing was written.`;
}

function foreignFix(session: Session, work: Refused): string {
  if (orphanOf(session, work))
    return `Put the old provider block back and destroy the scope, or run ${applyAgain(session, ['reconcile'])}.`;
  if (isLeft(work) && session.recreate.has(work.id)) return `Apply without ${door.named('recreate')} first, to take the object back.`;
  return 'Adopt it with `{ keep: true }` on every field, give the line another name, or delete the object at the provider.';
}

const isLeft = ({ record, live, left }: Refused): boolean => record === null && live !== null && live.id === left?.objectId;

/** A record of this scope for the same request under another identity: the provider block was edited. */
function orphanOf(session: Session, work: Refused): boolean {
  const { bound, live } = work;
  if (!live) return false;
  for (const record of session.writer.state.records.values()) {
    if (record.identity !== work.identity && record.key === bound.key && record.objectId === live.id) return true;
  }
  return false;
}
