import { once } from '../core/once.ts';
import { begin } from './begin.ts';
import { type OpenSession, openSession, type SessionOptions } from './prepare/open-session.ts';
import { prepare } from './prepare/prepare.ts';
import { wantedBy } from './prepare/recorded-lines.ts';
import { Parents } from './shared/parents.ts';
import type { Prepared } from './types.ts';

/**
 * Lets a destroy ask the plan at hand about facts that nobody sealed: its lines look, as a plan does, and confirm the records whose objects
 * they find. A plan that is gone or broken confirms nothing.
 */
export function lookByPlan({ session }: OpenSession, options: SessionOptions): void {
  session.trust.lookByPlan = once(async () => {
    const prepared = await planAtHand(options);
    if (!prepared || prepared.plan.name !== session.planName) return;
    const { listen: _, ...world } = options.world;
    const { plan, registry } = prepared;
    const opened = await openSession({ ...options, world: { ...world, store: session.store }, purpose: 'plan', plan, registry });
    try {
      await opened.session.writer.look();
      const { drive } = begin({ session: opened.session, prepared }, 'plan', {
        parents: new Parents(opened.session),
        wanted: wantedBy([]),
      });
      const ended = await drive.done;
      const failures = ended.positions().flatMap(({ id, context: { error } }) => {
        const identity = opened.session.works.get(id)?.identity;
        return identity && error && error.code !== 'LEDGER_UNSEALED' ? [[identity, error] as const] : [];
      });
      session.trust.learnFrom(opened.session.trust, failures);
    } finally {
      await opened.close();
    }
  });
}

async function planAtHand({ request, registry, facts }: SessionOptions): Promise<Prepared | null> {
  // A destroy does not compare the plan with that of the base branch, so it sends nothing to the hosts that the plan names.
  if (request.planFrom) return null;
  try {
    return await prepare({ request: { ...request, destroy: false, only: [], expect: null }, registry, facts, purpose: 'plan' });
  } catch {
    return null;
  }
}
