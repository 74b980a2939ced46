import type { ErrorCode } from '../core/error-table.ts';
import type { ErrorData } from '../core/errors.ts';
import type { ApplyDoc, ClosedDoc, FailureDoc, PlanDoc } from '../engine/document.ts';

export type RunDocument = PlanDoc | ApplyDoc | ClosedDoc | FailureDoc;

/** Errors of a job that was given no secrets, or a token that may only read. */
const ofPower: ReadonlySet<ErrorCode> = new Set(['CREDENTIAL_MISSING', 'SECRET_UNRESOLVED', 'LEDGER_REFUSED', 'DEPENDENCY_FAILED']);

/** Whether a run failed for want of secrets or permissions alone, and wrote nothing. */
export function lacksPower(document: RunDocument): boolean {
  if (document.ok || ('stats' in document && document.stats.writes > 0)) return false;
  const errors = errorsOf(document);
  return errors.length > 0 && errors.every(({ code }) => ofPower.has(code)) && errors.some(({ code }) => code !== 'DEPENDENCY_FAILED');
}

/** Every error that a document tells, the run's own and those of its lines or scopes. */
export function errorsOf(document: RunDocument): readonly ErrorData[] {
  const below = 'scopes' in document ? document.scopes : 'lines' in document ? document.lines : [];
  const own = 'errors' in document && document.errors ? document.errors : document.error ? [document.error] : [];
  const all = [...below.flatMap(({ error }) => error ?? []), ...own];
  return [...new Map(all.map((error) => [`${error.code} ${error.detail}`, error])).values()];
}

/**
 * Why nobody made a mistake when a job lacks its credentials: the host runs it without them. `null` where it is not so, and the
 * missing credential is one that somebody forgot.
 */
export async function whyPowerless(env: NodeJS.ProcessEnv, isReadOnly: () => Promise<boolean>): Promise<string | null> {
  if (env.GITHUB_ACTOR === 'dependabot[bot]') {
    return (
      'Jobs that Dependabot sets off are given none of the secrets of Actions and a token that may only read. ' +
      'To give its pull requests a preview, add the credentials as Dependabot secrets and raise the permissions of the job.'
    );
  }
  if (!(await isReadOnly())) return null;
  return (
    'The token of this job may only read, as the host gives it to events of people who may not write to the repository. ' +
    'If that is not so here, give the job `contents: write` and `pull-requests: write`.'
  );
}
