import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { compiled } from '../support/git-remote.ts';
import type { Event, Place } from './events.ts';
import { numberOf } from './payload-parts.ts';

/** A step of a job that uses the action, as its workflow and its event make it. */
export interface Step {
  readonly place: Place;
  readonly event: Event;
  /** The checkout, which is where the step runs. */
  readonly workspace: string;
  /** `github.token`. It is in no variable unless `env` has it. */
  readonly token: string;
  /** `with:` of the step. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** `env:` of the job, with what `secrets.…` gave. */
  readonly env?: Readonly<Record<string, string>>;
  /** Values of the `secrets` context, which the runner masks from the start. */
  readonly secrets?: readonly string[];
  /** Above 1 when somebody ran the job again. */
  readonly attempt?: number;
  /** Who set off this attempt, when that is not the event's actor. */
  readonly triggeredBy?: string;
  /** The run that a job belongs to; attempts of one job share it. */
  readonly run?: string;
}

/** Files through which a step speaks to its runner. */
export interface StepFiles {
  readonly output: string;
  readonly summary: string;
  readonly state: string;
  readonly env: string;
  readonly path: string;
}

const manifest = z.object({
  inputs: z.record(z.string(), z.object({ default: z.string().optional(), required: z.boolean().optional() })),
  outputs: z.record(z.string(), z.object({ description: z.string() })),
});

/** `action/action.yml`, as far as the runner reads it to start the action. */
export const action = manifest.parse(parse(readFileSync(join(import.meta.dirname, '../../action/action.yml'), 'utf8')));

/**
 * Everything that the action finds in its environment, and nothing of the machine that runs the tests. `folder` is the runner's own
 * place beside the checkout: temporary files, tools and a home that is new for each job.
 */
export async function stepEnv(step: Step, folder: string): Promise<{ readonly env: Record<string, string>; readonly files: StepFiles }> {
  const { place, event, workspace, attempt = 1, run = String(numberOf(JSON.stringify(event.payload))) } = step;
  const temp = join(folder, '_temp');
  const commands = join(temp, '_runner_file_commands');
  const home = join(folder, 'home');
  const eventPath = join(temp, '_github_workflow/event.json');
  for (const made of [commands, home, join(temp, '_github_workflow'), join(folder, 'tools')]) await mkdir(made, { recursive: true });
  await writeFile(eventPath, JSON.stringify(event.payload));
  const file = (kind: string): string => join(commands, `${kind}_5d1c6a70`);
  const files: StepFiles = {
    output: file('set_output'),
    summary: file('step_summary'),
    state: file('save_state'),
    env: file('set_env'),
    path: file('add_path'),
  };
  for (const path of Object.values(files)) await writeFile(path, '');

  const [owner = ''] = place.repository.split('/');
  const workflow = `${place.repository}/.github/workflows/pilotfish.yml`;
  const github = {
    ACTION: '__acme_pilotfish',
    ACTION_REF: 'v1',
    ACTION_REPOSITORY: 'acme/pilotfish',
    ACTIONS: 'true',
    ACTOR: event.actor,
    ACTOR_ID: String(numberOf(event.actor)),
    API_URL: place.api,
    BASE_REF: event.baseRef,
    ENV: files.env,
    EVENT_NAME: event.name,
    EVENT_PATH: eventPath,
    GRAPHQL_URL: `${place.api.replace(/\/v3$/, '')}/graphql`,
    HEAD_REF: event.headRef,
    JOB: 'pilotfish',
    OUTPUT: files.output,
    PATH: files.path,
    REF: event.ref,
    REF_NAME: event.ref.replace(/^refs\/(heads|tags|pull)\//, ''),
    REF_PROTECTED: 'false',
    REF_TYPE: 'branch',
    REPOSITORY: place.repository,
    REPOSITORY_ID: String(numberOf(place.repository)),
    REPOSITORY_OWNER: owner,
    REPOSITORY_OWNER_ID: String(numberOf(owner)),
    RETENTION_DAYS: '90',
    RUN_ATTEMPT: String(attempt),
    RUN_ID: run,
    RUN_NUMBER: '7',
    SERVER_URL: place.server,
    SHA: event.sha,
    STATE: files.state,
    STEP_SUMMARY: files.summary,
    TRIGGERING_ACTOR: step.triggeredBy ?? event.actor,
    WORKFLOW: 'pilotfish',
    WORKFLOW_REF: `${workflow}@${event.ref}`,
    WORKFLOW_SHA: event.sha,
    WORKSPACE: workspace,
  };
  const runner = {
    ARCH: 'X64',
    ENVIRONMENT: 'github-hosted',
    NAME: 'GitHub Actions 3',
    OS: 'Linux',
    TEMP: temp,
    TOOL_CACHE: join(folder, 'tools'),
    WORKSPACE: folder,
  };
  return {
    files,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      LANG: 'C.UTF-8',
      CI: 'true',
      // A job may bring it along. Here it spares each step to compile the whole action.
      NODE_COMPILE_CACHE: compiled,
      ...step.env,
      ...prefixed('GITHUB_', github),
      ...prefixed('RUNNER_', runner),
      // Every action gets it; it opens the caches and artefacts of the job.
      ACTIONS_RUNTIME_TOKEN: runtimeToken,
      ...inputsOf(step),
    },
  };
}

export const runtimeToken = 'eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.runtime-of-this-job.c2lnbmF0dXJl';

/** `INPUT_<NAME>`: in capitals, spaces as underscores, hyphens as they are; defaults evaluated, an absent input empty. */
function inputsOf({ inputs = {}, token }: Step): Record<string, string> {
  const unknown = Object.keys(inputs).find((name) => !(name in action.inputs));
  if (unknown !== undefined) throw new Error(`the action has no input ${unknown}`);
  return Object.fromEntries(
    Object.entries(action.inputs).map(([name, { default: otherwise = '' }]) => [
      `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`,
      inputs[name] ?? otherwise.replaceAll('${{ github.token }}', token),
    ]),
  );
}

const prefixed = (prefix: string, all: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(all).map(([name, value]) => [`${prefix}${name}`, value]));
