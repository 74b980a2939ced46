import { Failure } from '../../core/errors.ts';
import type { Session } from '../session.ts';
import { leavesDrift } from './drift.ts';
import { earlierOf, type FoundLive, siteOf } from './look.ts';
import type { Ready } from './phases.ts';

const nothing: FoundLive = { live: null, count: 'none', going: [], goingOf: [], replaced: null, alikes: [], unmanaged: [] };

/**
 * Ends a look into an object that is missing and stays so. A recorded object in it is missing with it, if its line leaves drift. Any other
 * line fails and names the line whose object it lacks.
 */
export function withoutParent(session: Session, line: Ready, error: unknown): FoundLive {
  const parent = error instanceof Failure && error.code === 'PROVIDER_NOT_FOUND' ? missingAbove(session, line) : null;
  if (parent === null) throw error;
  if (line.record && leavesDrift(session, line)) return nothing;
  throw new Failure('PROVIDER_NOT_FOUND', {
    detail: `It stands in the object of ${parent}, which was deleted outside and is left so (\`drift: report\`).`,
    fix: session.vault.putBackFix(parent),
    cause: error,
  });
}

/** Finds an earlier line of the same provider whose object is missing and stays so. */
const missingAbove = (session: Session, line: Ready): string | null =>
  earlierOf(session, line).find((one) => session.vault.get(one.id)?.isMissing && siteOf(one) === siteOf(line))?.id ?? null;
