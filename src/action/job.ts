import { foreignText } from '../host/foreign-head.ts';
import { isProduction } from '../plan/context.ts';
import type { JobEvent } from './event.ts';
import type { Inputs } from './inputs.ts';

/**
 * The task of a job. `skip`: the event needs nothing. `foreign`: the event comes from a fork, whose plan is never read. `run`: run for the
 * pull request of the event, or for the scope or environment of the inputs. `ask`: ask the code host for the pull requests of this commit.
 */
export type Job =
  | { readonly kind: 'skip' | 'foreign'; readonly why: string }
  | { readonly kind: 'run'; readonly pull: number | null }
  | { readonly kind: 'ask'; readonly commit: string };

const skip = (why: string): Job => ({ kind: 'skip', why });
const pullActions = new Set(['opened', 'synchronize', 'reopened', 'closed']);
const isLabelAction = (action: string | null): boolean => action === 'labeled' || action === 'unlabeled';
const isDraftAction = (action: string | null): boolean => action === 'ready_for_review' || action === 'converted_to_draft';
const ledgerRef = /^refs\/(heads\/)?pilotfish(-receipts|-locks)?\//;

/** Decides by the event and the inputs alone, before any file of the checkout is read. */
export function jobOf(event: JobEvent, inputs: Inputs, repository: string): Job {
  switch (event.name) {
    case 'pull_request':
    case 'pull_request_target':
      return ofPull(event, inputs, repository);
    case 'deployment_status':
      return ofDeployment(event, inputs);
    case 'push':
      return ofPush(event, inputs);
    case 'workflow_dispatch':
    case 'workflow_call':
    case 'repository_dispatch':
    case 'schedule':
      return ofInputs(event, inputs);
    default:
      return skip(`The event \`${event.name}\` changes no pull request and no deployment.`);
  }
}

function ofPull({ name, action, pull, label }: JobEvent, inputs: Inputs, repository: string): Job {
  if (!pull) return skip(`The event \`${name}\` names no pull request.`);
  const { who } = inputs;
  const isOther = isLabelAction(action) && label !== null && label.toLowerCase() !== who.label?.toLowerCase();
  const affects = pullActions.has(action ?? '') || (isLabelAction(action) && who.label !== null) || (isDraftAction(action) && !who.drafts);
  if (!affects || isOther) return skip(`The action \`${action}\` does not affect a preview.`);
  if (isProduction(inputs.env)) return skip('Production follows a push, not a pull request.');
  if (!isSameRepository(pull.headRepository, repository)) return { kind: 'foreign', why: foreign(pull.number, pull.headRepository) };
  return { kind: 'run', pull: pull.number };
}

function ofDeployment({ deployment }: JobEvent, inputs: Inputs): Job {
  if (!deployment) return skip('The event names no deployment.');
  if (deployment.state !== 'success') return skip(`The deployment is \`${deployment.state}\`. The run goes on when a deployment succeeds.`);
  const production = deployment.environments.find(isProduction);
  if (production !== undefined) return skip(`The deployment is to \`${production}\`, and production has a job of its own.`);
  if (isProduction(inputs.env)) return skip('Production follows a push, not the deployment of a preview.');
  return { kind: 'ask', commit: deployment.commit };
}

function ofPush({ ref, isDeletion }: JobEvent, inputs: Inputs): Job {
  if (ref !== null && ledgerRef.test(ref)) return skip('The push wrote receipts.');
  if (isDeletion) return skip('The push deleted a branch.');
  if (isProduction(inputs.env) || inputs.scope !== null || inputs.closed) return { kind: 'run', pull: null };
  return skip('A push belongs to no pull request. Give `env: production` for production, or a `scope` for anything else.');
}

function ofInputs({ name }: JobEvent, inputs: Inputs): Job {
  if (isProduction(inputs.env) || inputs.scope !== null || inputs.closed) return { kind: 'run', pull: null };
  return skip(`The event \`${name}\` belongs to no pull request. Give \`closed: true\`, a \`scope\`, or \`env: production\`.`);
}

/** Compares names of repositories, which ignore case. */
export const isSameRepository = (head: string | null, repository: string): boolean => head?.toLowerCase() === repository.toLowerCase();

/** The reason why a fork's pull request gets nothing, for its author and for the maintainer of the workflow. */
export function foreign(pull: number, head: string | null): string {
  const from =
    head === null ? 'a repository that was deleted' : /^[\w.-]+\/[\w.-]+$/.test(head) ? `the repository ${head}` : 'another repository';
  return foreignText(`pull request ${pull}`, from);
}
