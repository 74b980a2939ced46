import { type CodeHostEvent, readCodeHostEvent } from '../plan/event.ts';

/** What set a run off, as far as its age matters. */
export interface Trigger {
  /** `person`: at a terminal, or by the button of a workflow. `other`: another event of the host, or the job of another CI. */
  readonly kind: 'person' | 'pull_request' | 'deployment' | 'other';
  /** The host's name of the event, for history and for people. */
  readonly event: string | null;
  /** A job that is run once more: its event is as old as its first run. */
  readonly isRerun: boolean;
  /** Of the pull request at the event, by the host's clock. */
  readonly at: string | null;
  readonly says: CodeHostEvent['state'];
  /** The commit that the event itself names. */
  readonly sha: string | null;
}

/** Events by which a pull request begins, goes on or comes back, and the one that ends it. */
const lifecycle = new Set([null, 'opened', 'reopened', 'synchronize', 'ready_for_review', 'closed']);

/** The trigger of a run for `pr`. An event about another pull request tells only that this is no person. */
export function triggerOf(env: NodeJS.ProcessEnv, pr: number | null): Trigger {
  const event = readCodeHostEvent(env);
  const { name } = event;
  if (!isCi(env, name) || name === 'workflow_dispatch')
    return { kind: 'person', event: name, isRerun: false, at: null, says: null, sha: null };
  const isOurs = event.pr === null || pr === null || event.pr === pr;
  const { at, state: says, sha } = isOurs ? event : { at: null, state: null, sha: null };
  return { kind: kindOf(event, isOurs), event: name, isRerun: Number(env.GITHUB_RUN_ATTEMPT ?? 1) > 1, at, says, sha };
}

function kindOf({ name, action }: CodeHostEvent, isOurs: boolean): Trigger['kind'] {
  if (name === 'deployment_status' || name === 'deployment') return 'deployment';
  const isPull = name === 'pull_request' || name === 'pull_request_target';
  return isPull && isOurs && lifecycle.has(action) ? 'pull_request' : 'other';
}

function isCi(env: NodeJS.ProcessEnv, event: string | null): boolean {
  return env.GITHUB_ACTIONS === 'true' || event !== null || !['', '0', 'false'].includes(env.CI ?? '');
}
