import { relative } from 'node:path';
import { Failure } from '../core/errors.ts';
import type { RepositoryFacts } from '../ledger/repository.ts';
import { resolveContext } from '../plan/context.ts';
import { isProduction } from '../plan/environments.ts';
import { readPlan } from '../plan/load.ts';
import { locatePlan } from '../plan/locate.ts';
import type { Context, Plan } from '../plan/types.ts';
import type { RunRequest } from './types.ts';

/**
 * What a destroy is of. It needs the ledger alone: of a plan, when there is one that can be read, only its name and its
 * `receipts:` are taken, because they say where the ledger is.
 */
export async function destroyTarget(
  request: RunRequest,
  facts: RepositoryFacts | null,
): Promise<{ context: Context & { readonly scope: string }; plan: { readonly name: string | null; readonly receipts: Plan['receipts'] } }> {
  const context = resolveContext({ flags: request, env: request.env, git: facts });
  const { scope } = context;
  if (scope === null) {
    throw new Failure('CTX_NULL', {
      detail: 'No scope was given, and a destroy must know which scope to take away.',
      fix: 'Pass --scope <scope> or --pr <number>.',
    });
  }
  if (isProduction(request.environment) && request.approvedBy === null) {
    throw new Failure('ENV_NOT_APPROVED', { detail: `${request.environment} is production, and destroying it needs an approver.` });
  }
  return { context: { ...context, scope }, plan: await planFacts(request, context) };
}

async function planFacts(request: RunRequest, context: Context): Promise<{ name: string | null; receipts: Plan['receipts'] }> {
  try {
    const path = await locatePlan(request.cwd, request.plan);
    const { plan } = await readPlan({ path, display: relative(request.cwd, path) || path, context });
    return { name: plan.name, receipts: plan.receipts };
  } catch {
    // A plan that is gone or broken must not keep anybody from cleaning up.
    return { name: null, receipts: null };
  }
}
