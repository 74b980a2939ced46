import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { Failure } from '../../core/errors.ts';

/** Reads the payload of an event from the file that GITHUB_EVENT_PATH names. Throws `USAGE` for a file that is not what `shape` says. */
export function readEventFile<T>(path: string, shape: z.ZodType<T>): T {
  const refuse = (why: string, cause?: unknown): Failure =>
    new Failure('USAGE', {
      detail: `GITHUB_EVENT_PATH names ${path}, but ${why}.`,
      fix: 'Run the job again, so that the code host writes the file anew, or unset GITHUB_EVENT_PATH.',
      cause,
    });
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw refuse(cause instanceof SyntaxError ? 'the file is not JSON' : 'the file cannot be read', cause);
  }
  const { data, error } = shape.safeParse(json);
  if (data !== undefined) return data;
  const issue = error?.issues[0];
  const at = issue && issue.path.length > 0 ? `/${issue.path.join('/')} is not what an event has there` : 'it is no event';
  throw refuse(`${at}${issue ? ` (${issue.message})` : ''}`, error);
}

/** The change, as the event that started a job tells it. */
export interface CodeHostEvent {
  /** The host's name of the event: `pull_request`, `deployment_status`, `merge_request`. `null` outside of such a job. */
  readonly name: string | null;
  /** `opened`, `synchronize`, `closed`. */
  readonly action: string | null;
  readonly pr: number | null;
  readonly sha: string | null;
  /** The head of the pull request before the push of this event. Absent in other events. */
  readonly before?: string;
  readonly branch: string | null;
  /** The state of the pull request when the event was made. */
  readonly state: 'open' | 'closed' | null;
  /** The order of the pull request's events, by the host's clock. */
  readonly at: string | null;
  /** The last change of the pull request that the event knows. An older answer of the host has not heard of this change. */
  readonly changedAt: string | null;
  /** Whether the head lies in another repository, as that of a fork does; `null` where the event does not tell. */
  readonly isForeign: boolean | null;
}
