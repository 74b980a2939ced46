import { z } from 'zod';
import { Failure } from '../core/errors.ts';
import { readEventFile } from '../engine/timing/event-file.ts';

/** What the event of a workflow run says, as far as the action decides by it. */
export interface JobEvent {
  /** `pull_request`, `deployment_status`, `push`. */
  readonly name: string;
  /** `opened`, `closed`; `null` where the event has none. */
  readonly action: string | null;
  readonly pull: {
    readonly number: number;
    readonly headRepository: string | null;
    /** The branch that it is to be merged into, and its commit then. */
    readonly base: { readonly branch: string; readonly commit: string };
  } | null;
  /** The branch that everything is merged into. */
  readonly defaultBranch: string | null;
  readonly deployment: { readonly commit: string; readonly environments: readonly string[]; readonly state: string } | null;
  /** Of a push: `refs/heads/main`. */
  readonly ref: string | null;
  /** A push that took its branch away. */
  readonly isDeletion: boolean;
}

const text = z.string().min(1);
const environment = z.string().nullish();
const payload = z.object({
  action: z.string().nullish(),
  pull_request: z
    .object({
      number: z.int().positive(),
      head: z.object({ repo: z.object({ full_name: text }).nullish() }),
      base: z.object({ ref: text, sha: text }),
    })
    .nullish(),
  repository: z.object({ default_branch: text.nullish() }).nullish(),
  deployment: z.object({ sha: text, environment }).nullish(),
  deployment_status: z.object({ state: text, environment }).nullish(),
  ref: z.string().nullish(),
  deleted: z.boolean().nullish(),
});

/** Reads GITHUB_EVENT_NAME and GITHUB_EVENT_PATH. Throws `USAGE` outside of a workflow, and for a file that is no event. */
export function readJobEvent(env: NodeJS.ProcessEnv): JobEvent {
  const { GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: path } = env;
  if (!name || !path) {
    throw new Failure('USAGE', {
      detail: 'GITHUB_EVENT_NAME and GITHUB_EVENT_PATH are not both set: this is no job of a workflow.',
      fix: 'Outside of workflows run `pilotfish`.',
    });
  }
  const {
    action = null,
    pull_request: pull,
    repository,
    deployment,
    deployment_status: status,
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
          base: { branch: pull.base.ref, commit: pull.base.sha },
        }
      : null,
    defaultBranch: repository?.default_branch ?? null,
    deployment:
      deployment && status
        ? {
            commit: deployment.sha,
            // The status may name another than the deployment was made for; either one tells of production.
            environments: [status.environment, deployment.environment].flatMap((one) => one || []),
            state: status.state,
          }
        : null,
    ref,
    isDeletion: deleted ?? false,
  };
}
