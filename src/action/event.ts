import { z } from 'zod';
import { Failure } from '../core/errors.ts';
import { readEventFile } from '../engine/timing/event-file.ts';
import { authorOf, type PullNow } from '../host/pull-request.ts';

/** The facts in the event of a workflow run by which the action decides. */
export interface JobEvent {
  /** `pull_request`, `deployment_status`, `push`. */
  readonly name: string;
  /** `opened`, `closed`; `null` if the event has none. */
  readonly action: string | null;
  readonly pull: {
    readonly number: number;
    readonly headRepository: string | null;
    readonly labels: readonly string[];
    readonly isDraft: boolean;
    readonly author: PullNow['author'];
    /** The commit at the head of the pull request. */
    readonly head: string;
    /** The target branch of the pull request, and the commit of that branch at the event. */
    readonly base: { readonly branch: string; readonly commit: string };
  } | null;
  /** The label that was added or taken away. */
  readonly label: string | null;
  /** The default branch of the repository. */
  readonly defaultBranch: string | null;
  readonly deployment: { readonly commit: string; readonly environments: readonly string[]; readonly state: string } | null;
  /** The ref of a push: `refs/heads/main`. */
  readonly ref: string | null;
  /** The push deleted its branch. */
  readonly isDeletion: boolean;
}

const text = z.string().min(1);
const environment = z.string().nullish();
const userShape = z.object({ login: z.string(), type: z.string().optional() }).nullish();
const payload = z.object({
  action: z.string().nullish(),
  pull_request: z
    .object({
      number: z.int().positive(),
      head: z.object({ sha: text, repo: z.object({ full_name: text }).nullish() }),
      base: z.object({ ref: text, sha: text }),
      labels: z.array(z.object({ name: z.string() })).nullish(),
      draft: z.boolean().nullish(),
      user: userShape,
    })
    .nullish(),
  label: z.object({ name: z.string() }).nullish(),
  repository: z.object({ default_branch: text.nullish() }).nullish(),
  deployment: z.object({ sha: text, environment }).nullish(),
  deployment_status: z.object({ state: text, environment }).nullish(),
  ref: z.string().nullish(),
  deleted: z.boolean().nullish(),
});

/** Reads GITHUB_EVENT_NAME and GITHUB_EVENT_PATH. Throws `USAGE` outside a workflow, and for a file that holds no event. */
export function readJobEvent(env: NodeJS.ProcessEnv): JobEvent {
  const { GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: path } = env;
  if (!name || !path) {
    throw new Failure('USAGE', {
      detail: 'GITHUB_EVENT_NAME and GITHUB_EVENT_PATH must both be set. Without them this is no job of a workflow.',
      fix: 'Run `pilotfish` outside a workflow.',
    });
  }
  const {
    action = null,
    pull_request: pull,
    repository,
    deployment,
    deployment_status: status,
    label,
    ref = null,
    deleted,
  } = readEventFile(path, payload);
  return {
    name,
    action,
    pull: pull
      ? {
          number: pull.number,
          headRepository: pull.head.repo?.full_name ?? null,
          labels: (pull.labels ?? []).map(({ name: label }) => label),
          isDraft: pull.draft === true,
          author: authorOf(pull.user),
          head: pull.head.sha,
          base: { branch: pull.base.ref, commit: pull.base.sha },
        }
      : null,
    label: label?.name ?? null,
    defaultBranch: repository?.default_branch ?? null,
    deployment:
      deployment && status
        ? {
            commit: deployment.sha,
            // The status may name another environment than the deployment. Each of the two can say that it is production.
            environments: [status.environment, deployment.environment].flatMap((one) => one || []),
            state: status.state,
          }
        : null,
    ref,
    isDeletion: deleted ?? false,
  };
}
