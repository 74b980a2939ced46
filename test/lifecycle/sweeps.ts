import { expect } from 'vitest';
import { runClosed } from '../../src/engine/closed.ts';
import type { ClosedDoc } from '../../src/engine/document.ts';
import type { ClosedRequest, RunWorld } from '../../src/engine/types.ts';
import { receiptsBranch } from '../../src/ledger/model/names.ts';
import { openPulls, type Pulls, shaA } from './pulls.ts';
import { lines, planOf } from './shop.ts';

/** A person's terminal, or a nightly job: either has a token and knows the repository. */
export function sweepOf(pulls: Pulls, change: Partial<ClosedRequest> = {}, world: Partial<RunWorld> = {}): Promise<ClosedDoc> {
  const { request, dispatcher, store, clock } = pulls;
  const { cwd, plan, environment, leaseTimeoutMs, waitTimeoutMs, env } = request({
    env: { GITHUB_REPOSITORY: 'acme/shop', ...change.env },
  });
  const asked = { cwd, plan, environment, leaseTimeoutMs, waitTimeoutMs, keepReceiptsDays: 90, ...change, env };
  return runClosed(asked, { dispatcher, store: store(), clock, ...world });
}

/** The branch of a scope's ledger. */
export const branchOf = (scope: string): string => receiptsBranch('preview', scope);

export const outcomes = (doc: ClosedDoc): readonly string[] => doc.scopes.map(({ scope, outcome }) => `${scope} ${outcome}`);

/** Pull requests with a preview each. */
export async function openPreviews(numbers: readonly number[], ...more: readonly string[]): Promise<Pulls> {
  const pulls = await openPulls(planOf(lines.dns, ...more));
  for (const number of numbers) {
    pulls.pulls.world.open(number, shaA, `feature-${number}`);
    const job = await pulls.pullEvent('opened', {}, number);
    expect((await pulls.apply(pulls.asked(job, { pr: number }))).status).toBe('complete');
  }
  return pulls;
}
