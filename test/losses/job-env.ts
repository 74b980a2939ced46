import { virtualFiles } from '../crash/simulate/virtual-files.ts';
import type { Job } from './job.ts';

/** `github.token` of every job. */
export const jobToken = 'ghs_0123456789abcdefABCDEF0123456789abcd';

/** The variables that the runner gives to a job, and the files that they name. */
export function jobEnv(job: Job, folder: string): NodeJS.ProcessEnv {
  const { event, step, repository, role, name } = job.facts;
  const files = { event: `${folder}/event.json`, output: `${folder}/output` };
  virtualFiles.set(files.event, JSON.stringify(event.payload));
  virtualFiles.set(files.output, '');
  // The runner's library remembers the place of the first summary for as long as the process lives.
  const summary = '/simulated/summary';
  virtualFiles.set(summary, '');
  return {
    CI: 'true',
    ...step.env,
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTOR: event.actor,
    GITHUB_TRIGGERING_ACTOR: event.actor,
    GITHUB_API_URL: 'https://api.github.com',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_BASE_REF: event.baseRef,
    GITHUB_HEAD_REF: event.headRef,
    GITHUB_EVENT_NAME: event.name,
    GITHUB_EVENT_PATH: files.event,
    GITHUB_JOB: role,
    GITHUB_OUTPUT: files.output,
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_REF: event.ref,
    GITHUB_REF_NAME: event.ref.replace(/^refs\/(heads|tags|pull)\//, ''),
    GITHUB_REPOSITORY: repository.shop.slug,
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_RUN_ID: String(1_000 + Number(name.replace(/\D/g, ''))),
    GITHUB_SHA: event.sha,
    GITHUB_WORKFLOW: 'pilotfish',
    GITHUB_WORKSPACE: folder,
    ...Object.fromEntries(
      Object.entries(step.inputs).map(([input, value]) => [`INPUT_${input.replaceAll(' ', '_').toUpperCase()}`, value]),
    ),
  };
}
