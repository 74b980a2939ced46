import { z } from 'zod';
import { Failure, Interrupted } from '../core/errors.ts';
import type { Client } from '../http/client.ts';
import type { CodeHost } from './code-host.ts';

const perPage = 100;
/** GitHub lists 3,000 files at most: https://docs.github.com/en/rest/pulls/pulls#list-pull-requests-files. */
const mostPages = 30;

/** The paths that a pull request changes, with the former ones of renamed files. `null` where nobody can tell all of them. */
export async function pullFiles(client: Client, host: CodeHost, number: number, signal: AbortSignal): Promise<readonly string[] | null> {
  const paths: string[] = [];
  try {
    for (let page = 1; page <= mostPages; page += 1) {
      const path = `/repos/${host.repository}/pulls/${number}/files`;
      const request = { method: 'GET', path, query: { per_page: String(perPage), page: String(page) } } as const;
      const { body } = await client.api(host.block).send(request, { purpose: 'read', share: false, signal });
      const { data } = z.array(z.object({ filename: z.string(), previous_filename: z.string().nullish() })).safeParse(body);
      if (!data) return null;
      paths.push(...data.flatMap(({ filename, previous_filename: former }) => (former ? [filename, former] : [filename])));
      if (data.length < perPage) return paths;
    }
    return null;
  } catch (thrown) {
    if (signal.aborted) throw new Interrupted();
    if (thrown instanceof Failure) return null;
    throw thrown;
  }
}
