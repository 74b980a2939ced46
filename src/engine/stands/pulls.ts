import type { Clock } from '../../core/clock.ts';
import { Failure } from '../../core/errors.ts';
import type { Redactor } from '../../core/redact.ts';
import { codeHostOf, isCodeHost } from '../../host/code-host.ts';
import { openPulls } from '../../host/open-pulls.ts';
import { createClient } from '../../http/client.ts';
import type { RepositoryFacts } from '../../platform/checkout.ts';
import type { PullsDoc } from '../stands-document.ts';
import type { RunWorld } from '../types.ts';

/** What the code host says of pull requests. */
export interface PullsNow {
  /** Why the host was not asked, in words; `null` where it answered, or nobody had to ask. */
  readonly notAsked: string | null;
  readonly requests: number;
  of(numbers: readonly number[]): PullsDoc;
}

export interface PullsQuestion {
  readonly env: NodeJS.ProcessEnv;
  readonly repository: RepositoryFacts | null;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly world: RunWorld;
}

/** Reads the open pull requests by pages. A report that only looks must not fail because of the host, so trouble there is a reason in words. */
export async function pullsNow(isNeeded: boolean, o: PullsQuestion): Promise<PullsNow> {
  if (!isNeeded) return { notAsked: null, requests: 0, of: () => ({ numbers: [], state: 'none' }) };
  const host = codeHostOf(o.env, o.repository);
  if (!isCodeHost(host)) return notAsked(host.why, 0);
  const signal = o.world.signal ?? new AbortController().signal;
  const { env, redactor, clock } = o;
  const client = createClient({ env, redactor, signal, clock, ...(o.world.dispatcher && { dispatcher: o.world.dispatcher }) });
  try {
    const open = await openPulls(client, host, signal);
    const state = (number: number) => (open.has(number) ? 'open' : 'closed');
    return {
      notAsked: null,
      requests: client.stats.requests,
      of: (numbers) => {
        if (numbers.length === 0) return { numbers, state: 'none' };
        return { numbers, state: numbers.some((number) => state(number) === 'open') ? 'open' : 'closed' };
      },
    };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return notAsked(`${new URL(host.block.base_url).host} did not tell: ${thrown.detail.replace(/\.$/, '')}`, client.stats.requests);
  } finally {
    client.close();
  }
}

const notAsked = (why: string, requests: number): PullsNow => ({
  notAsked: why,
  requests,
  of: (numbers) => ({ numbers, state: numbers.length === 0 ? 'none' : 'not asked' }),
});
