import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { workflowText } from '../../src/onboard/setup/workflow.ts';
import { type Contexts, fillIn, holds } from './expression.ts';
import type { Who } from './history.ts';
import type { HostEvent } from './host-event.ts';

/** A step of a job that is ready to run. */
export interface ReadyStep {
  /** The commit or the branch that the job checks out. */
  readonly ref: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
}

interface Job {
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly uses?: string; readonly if?: string; readonly with?: Readonly<Record<string, unknown>> }[];
}

interface Trigger {
  readonly types?: readonly string[];
  readonly branches?: readonly string[];
}

export interface Workflow {
  on: { [event: string]: Trigger | null | readonly { cron: string }[] };
  jobs: { [name: string]: Job };
}

const action = parse(readFileSync(new URL('../../action/action.yml', import.meta.url), 'utf8')) as {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
};

/** The variable of the one credential. */
export const credential = 'WORKSHOP_TOKEN';

/** The workflow that `init --setup` writes for the plans of the histories. */
export function generatedWorkflow(slug: string, isKeyed: boolean): Workflow {
  const release = { repository: 'acme-tools/pilotfish', commit: '0123456789abcdef0123456789abcdef01234567', tag: 'v9.8.7' };
  const api = {
    provider: 'http',
    title: 'workshop',
    block: null,
    setup: null,
    check: null,
    variables: [{ name: credential, isSecret: true }],
    isUnfinished: false,
    command: null,
    byPlan: null,
    environments: ['preview'],
  };
  return parse(
    workflowText({
      release,
      plan: null,
      repository: slug,
      defaultBranch: 'main',
      needs: { environments: ['preview'], apis: [api], secrets: [], keyed: isKeyed ? ['preview'] : [] },
    }),
  ) as Workflow;
}

/** Sets inputs of the action in the jobs of these names, as people do. */
export function withInputs({ on, jobs }: Workflow, names: readonly string[], inputs: Readonly<Record<string, string>>): Workflow {
  const set = Object.entries(jobs).map(([name, job]) => {
    const steps = job.steps.map((step) => (names.includes(name) && isAction(step) ? { ...step, with: { ...inputs, ...step.with } } : step));
    return [name, { ...job, steps }] as const;
  });
  return { on, jobs: Object.fromEntries(set) };
}

/** Lets the workflow choose pull requests, as docs/ci.md says under "Who gets a preview". */
export function choosing(workflow: Workflow, who: Who): Workflow {
  if (who === 'all') return workflow;
  const { on, jobs } = withInputs(workflow, ['preview', 'close'], who === 'labelled' ? { label: 'preview' } : { drafts: 'false' });
  const own = ['opened', 'synchronize', 'reopened', 'labeled', 'ready_for_review'];
  const target = ['closed', 'unlabeled', 'converted_to_draft'];
  return { on: { ...on, pull_request: { types: own }, pull_request_target: { types: target } }, jobs };
}

const isAction = ({ uses }: Job['steps'][number]): boolean => uses?.includes('/pilotfish/action@') === true;

const defaultTypes: readonly string[] = ['opened', 'synchronize', 'reopened'];

/** The jobs that an event starts, by the rules of `on:` and `if:`. */
export function jobsFor(
  workflow: Workflow,
  event: HostEvent,
  contexts: Contexts,
): readonly { readonly name: string; readonly step: ReadyStep }[] {
  if (!isWanted(workflow.on, event)) return [];
  return Object.entries(workflow.jobs).flatMap(([name, job]) =>
    job.if === undefined || holds(job.if, contexts) ? [{ name, step: readyStep(name, job, contexts) }] : [],
  );
}

/** The minutes of the schedule, as cron texts. */
export const schedulesOf = ({ on }: Workflow): readonly string[] => (Array.isArray(on.schedule) ? on.schedule.map(({ cron }) => cron) : []);

function isWanted(on: Workflow['on'], event: HostEvent): boolean {
  if (!(event.name in on)) return false;
  const trigger = on[event.name];
  if (!trigger || Array.isArray(trigger)) return true;
  const { types, branches } = trigger as Trigger;
  const isPull = event.name.startsWith('pull_request');
  if (isPull && !(types ?? defaultTypes).includes(event.action ?? '')) return false;
  const branch = isPull ? event.baseRef : event.ref.replace('refs/heads/', '');
  return branches === undefined || branches.includes(branch);
}

const known = new Set(['if', 'env', 'steps', 'runs-on', 'permissions', 'timeout-minutes', 'name']);

function readyStep(name: string, job: Job, contexts: Contexts): ReadyStep {
  const unknown = Object.keys(job).find((key) => !known.has(key));
  if (unknown !== undefined) throw new Error(`the job ${name} has ${unknown}, which this world does not know`);
  const of = (given: Readonly<Record<string, unknown>> = {}): Record<string, string> =>
    Object.fromEntries(Object.entries(given).map(([key, value]) => [key, fillIn(String(value ?? ''), contexts)]));
  const [checkout, own, ...more] = job.steps;
  if (!checkout?.uses?.startsWith('actions/checkout@') || !own || !isAction(own) || more.length > 0)
    throw new Error(`the job ${name} has other steps than a checkout and the action`);
  const given = of(own.with);
  const stray = Object.keys(given).find((input) => !(input in action.inputs));
  if (stray !== undefined) throw new Error(`the action has no input ${stray}`);
  const inputs = Object.fromEntries(
    Object.entries(action.inputs).map(([input, { default: otherwise = '' }]) => [input, given[input] ?? fillIn(otherwise, contexts)]),
  );
  return { ref: of(checkout.with).ref ?? '', inputs, env: of(job.env) };
}
