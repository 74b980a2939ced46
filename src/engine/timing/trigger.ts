import { saysCi } from '../../core/ci.ts';
import { readCodeHostEvent } from './event.ts';
import type { CodeHostEvent } from './event-file.ts';

/** The event that set a run off, as far as its age matters. */
export interface Trigger {
  /** `person`: at a terminal, or by the button of a workflow or of a branch's pipeline. `other`: another event of the host, or the job of another CI. */
  readonly kind: 'person' | 'pull_request' | 'deployment' | 'other';
  /** The host's name of the event, for history and for people. */
  readonly event: string | null;
  /** A job that is run once more: its event is as old as its first run. */
  readonly isRerun: boolean;
  /** The order of the pull request's events, by the host's clock. */
  readonly at: string | null;
  /** The last change of the pull request that the event knows. */
  readonly changedAt: string | null;
  readonly says: CodeHostEvent['state'];
  /** An opening or a push. It comes before the close of its pull request, even if the host gives both the same time. */
  readonly precedesClose: boolean;
  /** The event opened the pull request again. */
  readonly reopens?: true;
  /** The head of the pull request before the push of the event. */
  readonly before?: string;
  /** The commit that the event itself names. */
  readonly sha: string | null;
}

/** Events by which a pull request begins, goes on or comes back, and the one that ends it. */
const lifecycle = new Set([
  null,
  ...['opened', 'reopened', 'synchronize', 'closed'],
  // Where a label or a draft decides about the preview.
  ...['ready_for_review', 'converted_to_draft', 'labeled', 'unlabeled'],
]);

/** Somebody pressed a button: on GitHub, and on GitLab for a branch (`web`). */
const byHand = new Set<string | null>(['workflow_dispatch', 'web']);

/** The trigger of a run for `pr`. An event about another pull request tells only that this is no person. */
export function triggerOf(env: NodeJS.ProcessEnv, pr: number | null): Trigger {
  const event = readCodeHostEvent(env);
  const { name } = event;
  const nothing = { at: null, changedAt: null, state: null, sha: null, before: undefined };
  const isPerson = !isCi(env, name) || byHand.has(name);
  const isOurs = event.pr === null || pr === null || event.pr === pr;
  const { at, changedAt, state: says, sha, before } = isOurs && !isPerson ? event : nothing;
  const kind = isPerson ? 'person' : kindOf(event, isOurs);
  const precedesClose = kind === 'pull_request' && (event.action === 'opened' || event.action === 'synchronize');
  return {
    kind,
    event: name,
    precedesClose,
    isRerun: !isPerson && Number(env.GITHUB_RUN_ATTEMPT ?? 1) > 1,
    at,
    changedAt,
    says,
    sha,
    ...(before !== undefined && { before }),
    ...(kind === 'pull_request' && event.action === 'reopened' && { reopens: true }),
  };
}

function kindOf({ name, action }: CodeHostEvent, isOurs: boolean): Trigger['kind'] {
  if (name === 'deployment_status' || name === 'deployment') return 'deployment';
  const isPull = name === 'pull_request' || name === 'pull_request_target' || name === 'merge_request';
  return isPull && isOurs && lifecycle.has(action) ? 'pull_request' : 'other';
}

function isCi(env: NodeJS.ProcessEnv, event: string | null): boolean {
  return env.GITHUB_ACTIONS === 'true' || event !== null || saysCi(env);
}
