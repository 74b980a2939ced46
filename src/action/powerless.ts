import type { ErrorCode } from '../core/error-table.ts';
import type { ApplyDoc, ClosedDoc, FailureDoc, PlanDoc } from '../engine/document.ts';
import { causesOf } from '../report/causes.ts';

export type RunDocument = PlanDoc | ApplyDoc | ClosedDoc | FailureDoc;

/** The errors of a job without secrets, or with a token that can only read. */
const ofPower: ReadonlySet<ErrorCode> = new Set(['CREDENTIAL_MISSING', 'SECRET_UNRESOLVED', 'LEDGER_REFUSED']);

/** Tells whether a run failed only because it lacks secrets or permissions, and wrote nothing. */
export function lacksPower(document: RunDocument): boolean {
  if (document.ok || ('stats' in document && document.stats.writes > 0)) return false;
  const causes = causesOf(document);
  return causes.length > 0 && causes.every(({ error }) => ofPower.has(error.code));
}

/**
 * The reason why a job lacks its credentials without anybody's mistake: the host runs it without them. `null` if somebody forgot the
 * credential.
 */
export async function whyPowerless(env: NodeJS.ProcessEnv, isReadOnly: () => Promise<boolean>): Promise<string | null> {
  if (env.GITHUB_ACTOR === 'dependabot[bot]') {
    return (
      'GitHub gives jobs of Dependabot no secrets of Actions and a token that can only read. ' +
      'To give its pull requests a preview, add the credentials as Dependabot secrets and raise the permissions of the job.'
    );
  }
  if (!(await isReadOnly())) return null;
  return (
    'The token of this job can only read. The host gives such a token to events of people who cannot write to the repository. ' +
    'If the author can write to it, give the job `contents: write` and `pull-requests: write`.'
  );
}
