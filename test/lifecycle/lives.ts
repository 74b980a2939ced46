import { runClosed } from '../../src/engine/closed.ts';
import type { ClosedDoc } from '../../src/engine/document.ts';
import type { ClosedRequest, RunWorld } from '../../src/engine/types.ts';
import { openPulls, type Pulls, type PullsOptions, shaA } from './pulls.ts';
import { lines, planOf } from './shop.ts';

export const days = 86_400_000;
export const withLifetime = (lifetime: string): string => planOf(lines.dns).replace('version: 1', `version: 1\nlifetime: ${lifetime}`);

/** A shop with open pull requests whose previews expire. */
export async function openLives(lifetime = '{ idle: 14d, label: keep-preview }', o: PullsOptions = {}): Promise<Pulls> {
  const pulls = await openPulls(withLifetime(lifetime), o);
  pulls.pulls.world.open(12, shaA, 'feature');
  return pulls;
}

/** A job of the schedule. */
export function sweep(pulls: Pulls, change: Partial<ClosedRequest> = {}, world: Partial<RunWorld> = {}): Promise<ClosedDoc> {
  const { request, dispatcher, store, machine } = pulls;
  const { cwd, plan, environment, leaseTimeoutMs, waitTimeoutMs, env } = request({
    env: { CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'acme/shop', GITHUB_EVENT_NAME: 'schedule', ...change.env },
  });
  const asked = { cwd, plan, environment, leaseTimeoutMs, waitTimeoutMs, keepReceiptsDays: 90, isExpired: true, ...change, env };
  return runClosed(asked, { dispatcher, store: store(), clock: machine, ...world });
}

/** `pr-12 kept: why` of each scope. */
export const told = ({ scopes }: ClosedDoc): readonly string[] => scopes.map(({ scope, outcome, why }) => `${scope} ${outcome}: ${why}`);
