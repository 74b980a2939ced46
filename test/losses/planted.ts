import type { Workflow } from './workflow.ts';

/** Faults that are put into the generated workflow, to see that the judge finds what they leave behind. */
export const faults = ['sweep', 'hour', 'target'] as const;
export type Fault = (typeof faults)[number];

export const isFault = (name: string): name is Fault => faults.some((one) => one === name);

/** The workflow without one of its nets. */
export function without(workflow: Workflow, fault: Fault | null): Workflow {
  const { on, jobs } = workflow;
  switch (fault) {
    case null:
      return workflow;
    case 'sweep': {
      const { schedule: _schedule, push: _push, ...rest } = on;
      return { on: rest, jobs };
    }
    case 'hour': {
      // Once a night, and not after a push.
      const { push: _push, ...rest } = on;
      return { on: { ...rest, schedule: [{ cron: '23 3 * * *' }] }, jobs };
    }
    case 'target':
      return withoutTarget(workflow);
  }
}

/** Closes come by `pull_request`, which no pull request with a conflict sends. */
function withoutTarget({ on, jobs }: Workflow): Workflow {
  const { pull_request: own, pull_request_target: target, ...rest } = on;
  const [mine, theirs] = [typesOf(own), typesOf(target)];
  const named = Object.entries(jobs).map(([name, job]) => {
    const condition = job.if ?? 'true';
    const ofTarget = condition.includes('pull_request_target');
    const heard = `contains(fromJSON('${JSON.stringify(ofTarget ? theirs : mine)}'), github.event.action)`;
    const action = `(github.event_name != 'pull_request' || ${heard})`;
    return [name, { ...job, if: `${action} && (${condition.replaceAll('pull_request_target', 'pull_request')})` }] as const;
  });
  return { on: { ...rest, pull_request: { types: [...new Set([...mine, ...theirs])] } }, jobs: Object.fromEntries(named) };
}

const typesOf = (trigger: Workflow['on'][string] | undefined): readonly string[] =>
  trigger && 'types' in trigger ? (trigger.types ?? []) : [];
