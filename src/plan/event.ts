import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** What the event that started a job says about the change. */
export interface CodeHostEvent {
  readonly pr: number | null;
  readonly sha: string | null;
  readonly branch: string | null;
}

const none: CodeHostEvent = { pr: null, sha: null, branch: null };
const text = z.string().min(1);
const shaPattern = /^[0-9a-f]{40}([0-9a-f]{24})?$/i;

const payload = z.object({
  pull_request: z.object({ number: z.int().positive(), head: z.object({ sha: text, ref: text }) }).optional(),
  deployment: z.object({ sha: text, ref: text.optional() }).optional(),
});

/**
 * Reads GITHUB_EVENT_PATH. In a pull request job GITHUB_SHA is the merge commit that the host made up; the head of the pull request,
 * which is what gets deployed, stands only in the payload. A file that is missing or of another form says nothing.
 */
export function readCodeHostEvent(env: NodeJS.ProcessEnv): CodeHostEvent {
  const path = env.GITHUB_EVENT_PATH;
  if (path === undefined || path === '') return none;
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return none;
  }
  const { data } = payload.safeParse(json);
  if (data?.pull_request) {
    const { number, head } = data.pull_request;
    return { pr: number, sha: head.sha, branch: head.ref };
  }
  if (!data?.deployment) return none;
  // A deployment's ref is the branch or the commit, as its creator liked.
  const { sha, ref } = data.deployment;
  return { pr: null, sha, branch: ref === undefined || shaPattern.test(ref) ? null : ref };
}
