import { z } from 'zod';
import { Failure } from '../core/errors.ts';
import type { Client } from '../http/client.ts';
import type { CodeHost } from './code-host.ts';
import { type PullNow, pullNow, pullShape } from './pull-request.ts';

export interface Pull extends PullNow {
  readonly number: number;
}

const perPage = 100;
/** A commit that belongs to more pull requests than these pages hold is no preview. */
const mostPages = 10;

/** The pull requests that a commit belongs to, open and closed, forks included. Throws `Failure` where the host gives no answer. */
export async function pullsOf(client: Client, host: CodeHost, commit: string, signal: AbortSignal): Promise<readonly Pull[]> {
  const found: Pull[] = [];
  for (let page = 1; page <= mostPages; page += 1) {
    const request = {
      method: 'GET',
      path: `/repos/${host.repository}/commits/${encodeURIComponent(commit)}/pulls`,
      query: { per_page: String(perPage), page: String(page) },
    } as const;
    const { body } = await client.api(host.block).send(request, { purpose: 'read', share: false, signal });
    const { data } = z.array(pullShape()).safeParse(body);
    if (!data) {
      throw new Failure('PROVIDER_RESPONSE', {
        detail: `${new URL(host.block.base_url).host} gave an answer about the pull requests of ${commit} that pilotfish cannot read.`,
      });
    }
    found.push(...data.map((pull) => ({ number: pull.number, ...pullNow(pull) })));
    if (data.length < perPage) break;
  }
  return found;
}
