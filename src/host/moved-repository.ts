import { z } from 'zod';
import { Failure } from '../core/errors.ts';
import { once } from '../core/once.ts';
import type { Client } from '../http/client.ts';
import type { CodeHost } from './code-host.ts';
import { mergeRequestPath } from './pull-request.ts';

const pullShape = once(() => z.object({ base: z.object({ repo: z.object({ full_name: z.string() }) }) }));
const mergeShape = once(() => z.object({ project_id: z.int(), references: z.object({ full: z.string() }).nullish() }));

/** Asks whether an earlier name of a repository leads to this one. */
export interface EarlierName {
  /** `owner/repo`, on GitLab with every group. */
  readonly slug: string;
  /** A pull request of that repository. */
  readonly pull: number;
}

/**
 * Whether the host leads from another name to this repository. A renamed or transferred repository answers under its old name with a redirect
 * by its number, and a pull request there tells the repository that it is in now
 * (https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#follow-redirects,
 * https://docs.gitlab.com/api/rest/#redirects). Another repository that took the old name answers for itself.
 */
export async function isEarlierName(client: Client, host: CodeHost, { slug, pull }: EarlierName, signal: AbortSignal): Promise<boolean> {
  if (!slugPattern[host.kind].test(slug)) return false;
  const path =
    host.kind === 'gitlab' ? mergeRequestPath({ ...host, project: encodeURIComponent(slug) }, pull) : `/repos/${slug}/pulls/${pull}`;
  try {
    const { body } = await client.api(host.block).send({ method: 'GET', path }, { purpose: 'read', share: false, signal });
    return host.kind === 'gitlab'
      ? isOfProject(host, body)
      : isSame(pullShape().safeParse(body).data?.base.repo.full_name, host.repository);
  } catch (thrown) {
    // The name leads to nothing that this token may see.
    if (thrown instanceof Failure && thrown.status === 404) return false;
    throw thrown;
  }
}

const slugPattern = { github: /^[\w.-]+\/[\w.-]+$/, gitlab: /^[\w.-]+(?:\/[\w.-]+)+$/ };

function isOfProject({ project, repository }: CodeHost, body: unknown): boolean {
  const { data } = mergeShape().safeParse(body);
  return data !== undefined && (String(data.project_id) === project || isSame(data.references?.full.split('!', 1)[0], repository));
}

const isSame = (one: string | undefined, other: string): boolean => one?.toLowerCase() === other.toLowerCase();
