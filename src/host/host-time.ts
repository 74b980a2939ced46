import { Interrupted } from '../core/errors.ts';
import type { Client } from '../http/client.ts';
import type { CodeHost } from './code-host.ts';

/**
 * The present time by the code host's own clock; `null` where it does not tell. Every answer of the host tells the time, even a refusal. So
 * a request is sent only where this run has heard none: the shortest one that a token for pull requests may send.
 */
export async function hostTime(client: Client, host: CodeHost, signal: AbortSignal): Promise<number | null> {
  const api = client.api(host.block);
  const known = api.time?.() ?? null;
  if (known !== null) return known;
  const path =
    host.kind === 'gitlab'
      ? `/projects/${host.project ?? encodeURIComponent(host.repository)}/merge_requests`
      : `/repos/${host.repository}/pulls`;
  try {
    await api.send({ method: 'GET', path, query: { per_page: '1' } }, { purpose: 'read', share: false, signal });
  } catch {
    if (signal.aborted) throw new Interrupted();
  }
  return api.time?.() ?? null;
}
