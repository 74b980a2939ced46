import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { Failure } from '../../core/errors.ts';

/** Reads the payload of an event from the file that GITHUB_EVENT_PATH names. Throws `USAGE` for a file that is not what `shape` says. */
export function readEventFile<T>(path: string, shape: z.ZodType<T>): T {
  const refuse = (why: string, cause?: unknown): Failure =>
    new Failure('USAGE', {
      detail: `GITHUB_EVENT_PATH names ${path}, and ${why}.`,
      fix: 'Let the code host write the file anew by running the job again, or unset GITHUB_EVENT_PATH.',
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
