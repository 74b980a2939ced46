import { door, type Given } from '../../core/door.ts';
import { Failure } from '../../core/errors.ts';
import type { Judgement } from '../../machines/line/steps.ts';
import { planAgain } from '../command-again.ts';
import { judgementOf, type LinePhase } from '../line/phases.ts';
import type { Session } from '../session.ts';
import { areParamsWithin, isWithin } from './digest.ts';

/**
 * The lines that go on from the look that was compared with the digest: they write what was judged and look no second time. Every other
 * line comes after one that writes, so its values may exist only then. It looks when its turn comes, and must stay within what was judged.
 */
export function heldLines(works: Iterable<LinePhase>): ReadonlySet<string> {
  const all = new Map([...works].map((work) => [work.id, work]));
  const known = new Map<string, boolean>();
  const isHeld = (work: LinePhase): boolean => {
    const before = known.get(work.id);
    if (before !== undefined) return before;
    known.set(work.id, false);
    // A destroy's lines come from the ledger: no line before them changes what they say.
    const held = judgementOf(work) !== null && (work.prepared === null || work.after.every((id) => standsStill(all.get(id))));
    known.set(work.id, held);
    return held;
  };
  const standsStill = (work: LinePhase | undefined): boolean => {
    const judgement = work ? judgementOf(work) : null;
    return work !== undefined && judgement !== null && leavesAsIs.has(judgement.verdict) && judgement.needsReady !== true && isHeld(work);
  };
  return new Set([...all.values()].filter(isHeld).map(({ id }) => id));
}

const leavesAsIs: ReadonlySet<string> = new Set(['none', 'rename', 'record', 'adopt', 'keep']);

/** Verdicts after which nothing is sent. */
const writesNothing: ReadonlySet<string> = new Set(['none', 'keep', 'refused']);

/** Verdicts that are open to a line that could not look yet. People saw it as a create, and nobody could know whether its object is there. */
const unseen: ReadonlySet<string> = new Set(['create', 'claim', 'adopt', 'update', 'rename', 'record', 'send', 'pending']);

/** Throws where a line would now write something else than what was judged under the digest. */
export function mustBeAsJudged(session: Session, work: LinePhase, now: Judgement): void {
  const then = work.expected;
  if (then === null || writesNothing.has(now.verdict)) return;
  const was = judgementOf(then)?.verdict ?? 'failed';
  const isOfKind = was === now.verdict || (was === 'replace' && now.verdict === 'update');
  const isSame = isOfKind && then.live?.id === work.live?.id && then.identity === work.identity && isWithin(work.changes, then.changes);
  // A value that is no field, such as the body of an action, stands in the params alone.
  if ((then.phase === 'unseen' ? unseen.has(now.verdict) : isSame) && areParamsWithin(work.resolved, then.resolved)) return;
  throw new Failure('DIGEST_MISMATCH', {
    detail: `It was judged as ${was} under the digest, and would now be ${now.verdict}${now.verdict === was ? ' with other changes' : ''}: ${now.why}. It was not written.`,
    fix: `Run ${planAgain(session)}, look at what changed, and apply that digest.`,
  });
}

/** The failure before any write: the run would not do what a person looked at. */
export function mismatch(
  session: Session,
  o: { readonly expected: string; readonly now: string; readonly inputs: readonly Given[] },
): Failure {
  const acts = [...session.works.values()].flatMap((line) => {
    const judgement = judgementOf(line);
    return judgement && !writesNothing.has(judgement.verdict) ? [`${judgement.verdict} ${line.id}`] : [];
  });
  const shown = acts.slice(0, mostShown).join(', ');
  const more = acts.length > mostShown ? ` and ${acts.length - mostShown} more` : '';
  return new Failure('DIGEST_MISMATCH', {
    detail: `The digest of what would be done is now ${o.now}, and ${door.named('expect')} names ${o.expected}. The run would now do this: ${acts.length === 0 ? 'nothing at the providers' : shown}${more}. The plan, a provider, the ledger, or the version of pilotfish or of a plugin changed since it was looked at. Nothing was written.`,
    fix: `Run ${planAgain(session, ...o.inputs)}, look at what changed, and apply that digest.`,
  });
}

const mostShown = 20;
