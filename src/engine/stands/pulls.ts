import type { Clock } from '../../core/clock.ts';
import { Failure } from '../../core/errors.ts';
import type { Redactor } from '../../core/redact.ts';
import { codeHostOf, isCodeHost } from '../../host/code-host.ts';
import { createClient } from '../../http/client.ts';
import type { Belonging } from '../../ledger/model/belongs.ts';
import type { RepositoryFacts } from '../../platform/checkout.ts';
import { SweepPulls } from '../closed-pulls.ts';
import { ownNames } from '../own-repository.ts';
import type { PullsDoc } from '../stands-document.ts';
import type { RunWorld } from '../types.ts';

/** The pull requests, as the code host shows them. */
export interface PullsNow {
  /** Why the host was not asked, in words; `null` where it answered, or nobody had to ask. */
  readonly notAsked: string | null;
  readonly requests: number;
  of(belongs: Belonging): PullsDoc;
}

export interface PullsQuestion {
  readonly env: NodeJS.ProcessEnv;
  readonly repository: RepositoryFacts | null;
  /** The place of the ledger. */
  readonly location: string;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly world: RunWorld;
}

/** Reads the open pull requests by pages, where a scope names any. A report that only looks must not fail because of the host, so trouble there is a reason in words. */
export async function pullsNow(scopes: readonly Belonging[], o: PullsQuestion): Promise<PullsNow> {
  if (scopes.every(({ pulls }) => pulls.length === 0)) return { notAsked: null, requests: 0, of: () => ({ numbers: [], state: 'none' }) };
  const host = codeHostOf(o.env, o.repository);
  if (!isCodeHost(host)) return notAsked(host.why, 0);
  const signal = o.world.signal ?? new AbortController().signal;
  const { env, redactor, clock } = o;
  const client = createClient({ env, redactor, signal, clock, ...(o.world.dispatcher && { dispatcher: o.world.dispatcher }) });
  try {
    const asked = new SweepPulls(client, host, signal);
    const open = await asked.open();
    const others = await otherNames(asked, scopes, ownNames(host, o.repository, o.location));
    return {
      notAsked: null,
      requests: client.stats.requests,
      of: ({ pulls: numbers, repositories }) => {
        if (numbers.length === 0) return { numbers, state: 'none' };
        const states = new Set(repositories.flatMap((one) => others.get(one) ?? []));
        for (const state of ['other repository', 'not asked'] as const) if (states.has(state)) return { numbers, state };
        return { numbers, state: numbers.some((number) => open.has(number)) ? 'open' : 'closed' };
      },
    };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return notAsked(`${new URL(host.block.base_url).host} did not tell: ${thrown.detail.replace(/\.$/, '')}`, client.stats.requests);
  } finally {
    client.close();
  }
}

/** The repositories that scopes name and that are not this one. A name that the host does not tell of stays open. */
async function otherNames(asked: SweepPulls, scopes: readonly Belonging[], isOwn: (name: string) => boolean) {
  const others = new Map<string, 'other repository' | 'not asked'>();
  for (const { pulls, repositories } of scopes) {
    const [pull] = pulls;
    if (pull === undefined) continue;
    for (const name of repositories) {
      if (isOwn(name) || others.has(name)) continue;
      try {
        if (!(await asked.isEarlierName(name, pull))) others.set(name, 'other repository');
      } catch (thrown) {
        if (!(thrown instanceof Failure)) throw thrown;
        others.set(name, 'not asked');
      }
    }
  }
  return others;
}

const notAsked = (why: string, requests: number): PullsNow => ({
  notAsked: why,
  requests,
  of: ({ pulls: numbers }) => ({ numbers, state: numbers.length === 0 ? 'none' : 'not asked' }),
});
