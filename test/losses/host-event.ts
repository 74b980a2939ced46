import { deploymentStatus, type PullAction, pullRequest, push, schedule } from '../action/events.ts';
import { instant, placeOf, shownPull } from './code-host.ts';
import type { Pull, Repository } from './repository.ts';

/** An event as a workflow run gets it. */
export interface HostEvent {
  readonly name: string;
  readonly action: string | null;
  readonly payload: object;
  readonly sha: string;
  readonly ref: string;
  readonly headRef: string;
  readonly baseRef: string;
  readonly actor: string;
  /** The pull request that it is about, and whether a conflict kept its merge commit from being made. */
  readonly pull: { readonly number: number; readonly isConflicted: boolean } | null;
}

export type PullEventAction =
  | 'opened'
  | 'synchronize'
  | 'reopened'
  | 'closed'
  | 'labeled'
  | 'unlabeled'
  | 'converted_to_draft'
  | 'ready_for_review'
  | 'edited';

/** `pull_request`, and `pull_request_target` beside it, which runs on the base branch. */
export function pullEvents(repository: Repository, pull: Pull, action: PullEventAction, before?: string): readonly [HostEvent, HostEvent] {
  const made = pullRequest(
    placeOf(repository),
    action as PullAction,
    { ...pull, updatedAt: instant(pull.updatedAt) },
    { ...(before !== undefined && { before }) },
  );
  const label = { id: 1, name: 'preview', color: 'ededed', default: false, description: null };
  const payload = { ...made.payload, ...(action === 'unlabeled' && { label }), pull_request: shownPull(repository, pull) };
  const { number, isConflicted } = pull;
  const own = { ...made, action, payload, pull: { number, isConflicted } };
  return [own, { ...own, name: 'pull_request_target', sha: repository.main, ref: 'refs/heads/main' }];
}

/** The hosting provider deployed the head of a pull request. */
export function deployedEvent(repository: Repository, pull: Pull, now: number): HostEvent {
  const made = deploymentStatus(placeOf(repository), {
    sha: pull.head,
    ref: pull.branch,
    environment: 'Preview',
    state: 'success',
    url: 'https://preview.example',
    at: instant(now),
  });
  return { ...made, action: 'created', pull: null };
}

export const scheduleEvent = (repository: Repository, cron: string): HostEvent => {
  const made = schedule(placeOf(repository), repository.main);
  return { ...made, payload: { ...made.payload, schedule: cron }, action: null, pull: null };
};

export const pushEvent = (repository: Repository, before: string): HostEvent => ({
  ...push(placeOf(repository), { before, after: repository.main }),
  action: null,
  pull: null,
});
