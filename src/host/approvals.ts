import { z } from 'zod';
import type { Client } from '../http/client.ts';
import type { CodeHost } from './code-host.ts';

const shape = z.array(
  z.object({
    state: z.string(),
    environments: z.array(z.object({ name: z.string() })),
    user: z.object({ login: z.string().min(1) }),
  }),
);

/**
 * The person who approved the deployment of a workflow run to an environment that `isWanted`, the last of several. `null` where nobody did,
 * or where the token lacks `actions: read` and may not ask.
 */
export async function approverOf(
  client: Client,
  host: CodeHost,
  o: { readonly run: string; readonly isWanted: (environment: string) => boolean; readonly signal: AbortSignal },
): Promise<string | null> {
  const request = { method: 'GET', path: `/repos/${host.repository}/actions/runs/${o.run}/approvals` } as const;
  const accept = [401, 403, 404];
  const { status, body } = await client.api(host.block).send(request, { purpose: 'read', share: false, signal: o.signal, accept });
  if (accept.includes(status)) return null;
  const { data = [] } = shape.safeParse(body);
  const review = data.findLast(({ state, environments }) => state === 'approved' && environments.some(({ name }) => o.isWanted(name)));
  return review?.user.login ?? null;
}
