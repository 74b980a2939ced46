import { relative } from 'node:path';
import { door } from '../../core/door.ts';
import { Failure } from '../../core/errors.ts';
import type { Redactor } from '../../core/redact.ts';
import { receiptsOf, scopeOf } from '../../ledger/model/names.ts';
import { openStore } from '../../ledger/stores/open-store.ts';
import { createRegistry } from '../../ops/registry.ts';
import { isProduction, resolveContext } from '../../plan/context.ts';
import { type PlanHead, readPlanHead } from '../../plan/load.ts';
import { locatePlan } from '../../plan/locate.ts';
import { noScope } from '../../plan/no-scope.ts';
import type { Context } from '../../plan/types.ts';
import type { RepositoryFacts } from '../../platform/checkout.ts';
import { withOwnFamilies } from '../../recipes/own/of-plan.ts';
import { readCodeHostEvent } from '../timing/event.ts';
import type { RunRequest, RunWorld } from '../types.ts';

/** The facts that open a ledger before there is a run. */
export type OpenWorld = Pick<RunWorld, 'store' | 'dispatcher'> & { readonly redactor: Redactor };

export const noPlan: PlanHead = {
  file: '',
  path: '',
  name: null,
  receipts: null,
  ledger: null,
  lifetime: null,
  apis: new Map(),
  providers: new Map(),
  recipes: [],
  familyBlocks: [],
};

/**
 * The scope and ledger of a destroy, which needs the ledger alone. A readable plan tells the place of the ledger by its name and its
 * `receipts:`, and the commands that may run by its API blocks. Without a plan the scope's only ledger serves.
 */
export async function destroyTarget(
  request: RunRequest,
  world: OpenWorld,
  facts: RepositoryFacts | null,
  purpose: 'plan' | 'apply',
): Promise<{ context: Context & { readonly scope: string }; plan: PlanHead; warnings: readonly string[] }> {
  const context = resolveContext({ flags: request, event: () => readCodeHostEvent(request.env), git: facts });
  const { scope } = context;
  if (scope === null) {
    throw new Failure('CTX_NULL', {
      detail: noScope.destroy,
      fix: `Pass ${door.passed('scope')} or ${door.passed('pr')}.`,
    });
  }
  const lacksApproval = isProduction(request.environment) && request.approvedBy === null;
  if (lacksApproval && purpose === 'apply') {
    throw new Failure('ENV_NOT_APPROVED', { detail: `${request.environment} is production, and destroying it needs an approver.` });
  }
  const known = { ...context, scope };
  const { ofPlan } = request;
  const plan =
    ofPlan === undefined ? await factsOf(request, world, facts, known) : { ...((await readFacts(request, known)) ?? noPlan), name: ofPlan };
  const warnings = lacksApproval ? [`The environment is ${request.environment}: apply will need ${door.passed('approved-by')}.`] : [];
  return { context: known, plan, warnings };
}

/** The place of a scope's ledger, with or without a plan that can be read. */
export async function factsOf(
  request: Pick<RunRequest, 'cwd' | 'env' | 'plan'>,
  world: OpenWorld,
  facts: RepositoryFacts | null,
  known: Context & { readonly scope: string },
): Promise<PlanHead> {
  return (await readFacts(request, known)) ?? (await guessFacts(request, world, facts, known));
}

/**
 * `null` for a plan that is gone or broken, which must not keep anybody from cleaning up. The lines are not read. A family that is broken has
 * no block.
 */
export async function readFacts(request: Pick<RunRequest, 'cwd' | 'plan'>, context: Context): Promise<PlanHead | null> {
  try {
    const path = await locatePlan(request.cwd, request.plan);
    const head = await readPlanHead({ path, display: relative(request.cwd, path) || path, context });
    return { ...head, familyBlocks: (await withOwnFamilies(head, createRegistry())).blocks };
  } catch {
    return null;
  }
}

/** The ledgers that this scope has, whatever plan they belong to. More than one needs the plan's name. */
async function guessFacts(
  request: Pick<RunRequest, 'cwd' | 'env'>,
  world: OpenWorld,
  facts: RepositoryFacts | null,
  { environment, scope }: { readonly environment: string; readonly scope: string },
): Promise<PlanHead> {
  const { cwd, env } = request;
  const store =
    world.store ??
    (await openStore({
      receipts: null,
      facts,
      cwd,
      env,
      redactor: world.redactor,
      ...(world.dispatcher && { dispatcher: world.dispatcher }),
    }));
  try {
    const names = (await store.list(receiptsOf(environment))).flatMap(({ branch }) => {
      const found = scopeOf(branch);
      return found?.scope === scope ? [found.plan] : [];
    });
    const [name = null, ...more] = names;
    if (more.length === 0) return { ...noPlan, name };
    throw new Failure('USAGE', {
      detail: `The scope ${scope} has the ledgers of several plans (${names.map((one) => one ?? 'one without a name').join(', ')}), and no plan that can be read says which one is meant.`,
      fix: `Pass ${door.passed('plan')} with a file that holds \`name: <name>\` and \`changes: []\`.`,
    });
  } finally {
    if (!world.store) await store.close();
  }
}
