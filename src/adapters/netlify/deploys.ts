import { z } from 'zod';
import { ask } from '../../ops/answer.ts';
import type { Io } from '../../ops/bound.ts';

const deploySchema = z.object({
  id: z.string(),
  state: z.string().nullish(),
  branch: z.string().nullish(),
  commit_ref: z.string().nullish(),
  context: z.string().nullish(),
  created_at: z.string().nullish(),
  deploy_url: z.string().nullish(),
  deploy_ssl_url: z.string().nullish(),
  error_message: z.string().nullish(),
  skipped: z.boolean().nullish(),
});
export type Deploy = z.output<typeof deploySchema>;
const deploysSchema = z.array(deploySchema);

/** States of a deploy that ended without being published. Anybody who wants it starts another one, which sees the new values. */
export const ended: ReadonlySet<string> = new Set(['error', 'rejected', 'deleted', 'pending_review']);

/** Newest first. `share`: whether a read that other lines of the run began may serve. */
export async function listDeploys(io: Io, site: string, query: { readonly [name: string]: string }, share: boolean): Promise<Deploy[]> {
  const request = { method: 'GET', path: `/sites/${encodeURIComponent(site)}/deploys`, query: { ...query, per_page: '20' } } as const;
  const found = await ask(io.http, request, { purpose: 'read', signal: io.signal, ...(share && { share }) }, deploysSchema);
  return found.toSorted((a, b) => startOf(b) - startOf(a));
}

export const startOf = ({ created_at }: Deploy): number => Date.parse(created_at ?? '') || 0;
