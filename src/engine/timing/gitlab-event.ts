import { Failure } from '../../core/errors.ts';
import type { CodeHostEvent } from './event-file.ts';

/**
 * Reads a GitLab job as an event. GitLab writes no file and tells no action: the variables of a merge request pipeline name the merge
 * request, and a job with `environment: action: stop` is its end. `CI_COMMIT_SHA` is the head of the merge request, except in
 * pipelines for merged results, where it is a commit that the host made up.
 */
export function readGitlabEvent(env: NodeJS.ProcessEnv): CodeHostEvent {
  const { CI_MERGE_REQUEST_IID: iid, CI_PIPELINE_SOURCE: source } = env;
  if (!iid && source !== 'merge_request_event') {
    // The checkout of every job stands on no branch.
    const branch = env.CI_COMMIT_BRANCH || null;
    return { name: source || null, action: null, pr: null, sha: null, branch, state: null, at: null, changedAt: null, isForeign: null };
  }
  const isEnd = env.CI_ENVIRONMENT_ACTION === 'stop';
  return {
    name: 'merge_request',
    action: isEnd ? 'closed' : null,
    // GitLab promises these variables for an open merge request, and the job that ends it comes later.
    pr: iid ? numberOf(iid) : null,
    sha: iid ? headOf(env) : null,
    branch: env.CI_MERGE_REQUEST_SOURCE_BRANCH_NAME || null,
    state: isEnd ? 'closed' : 'open',
    // A pipeline tells when it was made. The job that stops its environment belongs to that pipeline too, but begins long afterwards.
    at: timeOf(isEnd ? env.CI_JOB_STARTED_AT : env.CI_PIPELINE_CREATED_AT),
    changedAt: null,
    isForeign: isForeign(env),
  };
}

function numberOf(iid: string): number {
  if (/^[1-9]\d{0,9}$/.test(iid)) return Number(iid);
  throw new Failure('USAGE', {
    detail: `CI_MERGE_REQUEST_IID is ${JSON.stringify(iid)}, which is no number of a merge request.`,
    fix: 'Unset CI_MERGE_REQUEST_IID, or let GitLab set it by running the job in a merge request pipeline.',
  });
}

function headOf(env: NodeJS.ProcessEnv): string | null {
  const { CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: source, CI_MERGE_REQUEST_EVENT_TYPE: type, CI_COMMIT_SHA: commit } = env;
  if (source) return source;
  if (!type || type === 'detached') return commit || null;
  throw new Failure('USAGE', {
    detail: `This is a ${type} pipeline, whose commit nobody pushed, but CI_MERGE_REQUEST_SOURCE_BRANCH_SHA is not set.`,
    fix: 'Set CI_MERGE_REQUEST_SOURCE_BRANCH_SHA to the commit at the head of the merge request.',
  });
}

/** A pipeline for a fork may run in the project that it was forked from, with the variables of that project. */
function isForeign({ CI_MERGE_REQUEST_SOURCE_PROJECT_ID: source, CI_MERGE_REQUEST_PROJECT_ID: target }: NodeJS.ProcessEnv): boolean | null {
  return target ? source !== target : null;
}

/** An instance may write its times in a zone of its own. */
const timeOf = (text: string | undefined): string | null => {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : new Date(time).toISOString();
};
