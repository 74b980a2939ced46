import { once } from '../core/once.ts';
import type { RepositoryFacts } from '../platform/checkout.ts';
import { Barrier } from './barrier.ts';
import { begin } from './begin.ts';
import type { OpenSession } from './prepare/open-session.ts';
import { prepare } from './prepare/prepare.ts';
import { Vault } from './prepare/vault.ts';
import type { Session } from './session.ts';
import { Parents } from './shared/parents.ts';
import type { Prepared, RunRequest } from './types.ts';

/**
 * Lets a destroy ask the plan at hand about facts that nobody sealed: its lines look, as a plan does, and confirm the records whose objects
 * they find. A plan that is gone or broken confirms nothing.
 */
export function lookByPlan(
  { session, context }: OpenSession & { readonly context: Prepared['context'] },
  request: RunRequest,
  facts: RepositoryFacts | null,
): void {
  session.trust.lookByPlan = once(async () => {
    const prepared = await planAtHand(session, request, facts);
    if (!prepared || prepared.plan.name !== session.planName) return;
    const looking: Session = {
      ...session,
      purpose: 'plan',
      vault: new Vault(session.redactor, { ...context, planFile: request.plan }),
      works: new Map(),
      identities: new Map(),
      awaited: new Set(),
      barrier: new Barrier(session.clock),
      warnings: [],
      leftovers: { hash: '' },
      tell: () => undefined,
    };
    const { drive } = begin({ session: looking, prepared }, 'plan', { parents: new Parents(looking), only: [] });
    const ended = await drive.done;
    for (const { id, context } of ended.positions()) {
      const identity = looking.works.get(id)?.identity;
      if (identity && context.error && context.error.code !== 'LEDGER_UNSEALED') session.trust.failed(identity, context.error);
    }
  });
}

async function planAtHand({ registry }: Session, request: RunRequest, facts: RepositoryFacts | null): Promise<Prepared | null> {
  // A destroy does not hold the plan against that of the base branch, so it sends nothing to the hosts that it names.
  if (request.planFrom) return null;
  try {
    return await prepare({ request: { ...request, destroy: false, only: [], expect: null }, registry, facts, purpose: 'plan' });
  } catch {
    return null;
  }
}
