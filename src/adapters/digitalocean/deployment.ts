import { withoutFullStop } from '../../core/plain-text.ts';
import type { Deployment, Step } from './api.ts';

/** The state of a deployment, in the words of a report. */
export type Standing =
  | { readonly state: 'active' | 'superseded' }
  | { readonly state: 'wait'; readonly detail: string }
  | { readonly state: 'failed'; readonly detail: string };

export function standingOf(deployment: Deployment, app: string): Standing {
  const { phase } = deployment;
  if (phase === 'ACTIVE') return { state: 'active' };
  if (phase === 'SUPERSEDED') return { state: 'superseded' };
  if (phase === 'ERROR' || phase === 'CANCELED') {
    const why = reasonIn(deployment.progress?.steps ?? []);
    const ended = phase === 'ERROR' ? 'failed' : 'was cancelled';
    return { state: 'failed', detail: `The deployment ${deployment.id} of the app ${app} ${ended}${why === null ? '' : `: ${why}`}.` };
  }
  return { state: 'wait', detail: `${words[phase] ?? 'starting'}${progressOf(deployment)}` };
}

const words: { readonly [phase: string]: string | undefined } = {
  PENDING_BUILD: 'waiting to build',
  BUILDING: 'building',
  PENDING_DEPLOY: 'waiting to deploy',
  DEPLOYING: 'deploying',
};

function progressOf({ progress }: Deployment): string {
  const total = progress?.total_steps ?? 0;
  return total > 0 ? `, ${progress?.success_steps ?? 0} of ${total} steps` : '';
}

/** The message of the innermost failed step. */
function reasonIn(steps: readonly Step[]): string | null {
  for (const step of steps) {
    const inner = reasonIn(step.steps ?? []);
    if (inner !== null) return inner;
    if (step.status !== 'ERROR') continue;
    const said = step.reason?.message ?? step.reason?.code;
    if (said !== undefined && said !== '') return `${step.component_name ? `${step.component_name}: ` : ''}${withoutFullStop(said)}`;
  }
  return null;
}
