import { dirname } from 'node:path';
import { Failure, Failures } from '../../core/errors.ts';
import { shownPlace } from '../../ledger/stores/open-store.ts';
import { Blocks } from '../../ops/blocks.ts';
import { createRegistry, type Registry } from '../../ops/registry.ts';
import { type PlanHead, planFromText } from '../../plan/load.ts';
import { locatePlan } from '../../plan/locate.ts';
import { Problems } from '../../plan/problems.ts';
import { decodePlan } from '../../plan/read-file.ts';
import type { Context, Plan } from '../../plan/types.ts';
import { commitTree } from '../../recipes/own/file-tree.ts';
import { type WithOwnFamilies, withOwnFamilies } from '../../recipes/own/of-plan.ts';
import { type Exported, exportedOf } from '../exports/exported.ts';
import type { Prepared, PreparedLine, RunRequest } from '../types.ts';
import { type Base, pathInBase } from './base-tree.ts';
import { type Claim, claimsOf, exportClaims } from './claims.ts';
import { noPlan } from './destroy-target.ts';
import { preparedLines } from './prepare.ts';

interface World {
  readonly registry: Registry;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Compares a plan with that of a commit which people reviewed. A host, a credential or a command that the reviewed plan lacks takes effect
 * when it is merged. Throws `PLAN_NOT_TRUSTED` with every claim of every line that the reviewed plan lacks, before anything is sent.
 */
export async function mustBeTrusted({ plan, context, lines, exports, registry }: Prepared, base: Base, world: World): Promise<void> {
  const trusted = await basePlan(base, plan.path, context);
  const known = new Set((await trustedClaims(trusted, { base, context, world })).map(({ key }) => key));
  const commit = base.tree.commit.slice(0, 12);
  const unknown = (await claimsOfAll(lines, { ...world, registry })).filter(({ key }) => !known.has(key));
  const why = trusted ? `The plan of the commit ${commit} has nothing of that` : `The commit ${commit} has no plan there that can be read`;
  const failures = [...new Map(unknown.map((claim) => [claim.key, claim])).values()].map(
    ({ line: { line }, says }) =>
      new Failure('PLAN_NOT_TRUSTED', { detail: `${line.id} ${says}. ${why}. Nothing was sent.`, place: line.place }),
  );
  failures.push(...untrustedPlace(plan, trusted, why));
  if (exports.length > 0) failures.push(...(await untrustedExports(exports, trusted, { base, registry, env: world.env, why })));
  const [first, ...rest] = failures;
  if (first) throw rest.length === 0 ? first : new Failures([first, ...rest]);
}

/** A store elsewhere gets credentials of this run, and its word tells what is ours. */
function untrustedPlace({ receipts }: Pick<PlanHead, 'receipts'>, trusted: Plan | null, why: string): readonly Failure[] {
  if (receipts === null || receipts === 'unreadable' || receipts === 'git-branch' || receipts === 'local') return [];
  if (receipts === trusted?.receipts) return [];
  return [new Failure('PLAN_NOT_TRUSTED', { detail: `The plan keeps its ledger at ${shownPlace(receipts)}. ${why}. Nothing was sent.` })];
}

/** The secrets that `exports` of the plan hands to a command, and that of the reviewed plan does not. */
async function untrustedExports(
  exports: readonly Exported[],
  trusted: Plan | null,
  { base, registry, env, why }: World & { readonly base: Base; readonly why: string },
): Promise<readonly Failure[]> {
  const own = trusted && (await withFamiliesOf(base, trusted, registry)).registry;
  const reviewed = trusted && own ? await exportedOf(trusted, own, new Problems()) : [];
  const known = new Set(reviewed.flatMap((one) => exportClaims(one, { env, registry })).map(({ key }) => key));
  return exports.flatMap((one) =>
    exportClaims(one, { env, registry })
      .filter(({ key }) => !known.has(key))
      .map(({ says }) => new Failure('PLAN_NOT_TRUSTED', { detail: `${one.name} ${says}. ${why}. Nothing was sent.`, place: one.place })),
  );
}

/**
 * The plan's head for a destroy, with the API blocks of the trusted plan and its families: no command runs that only another plan names. The
 * name of the ledger stays the plan's own, or the objects of a pull request that changed it would stay for ever. Throws `PLAN_NOT_TRUSTED` for
 * a store elsewhere that the trusted plan does not name.
 */
export async function asTrusted(
  named: PlanHead,
  base: Base,
  { cwd, plan }: Pick<RunRequest, 'cwd' | 'plan'>,
  context: Context,
): Promise<PlanHead> {
  const file = await locatePlan(cwd, plan).catch(() => null);
  const trusted = file === null ? null : await basePlan(base, file, context);
  const { apis, providers, lifetime } = trusted ?? noPlan;
  const [elsewhere] = untrustedPlace(named, trusted, `The plan of the commit ${base.tree.commit.slice(0, 12)} has nothing of that`);
  if (elsewhere) throw elsewhere;
  const familyBlocks = trusted ? (await withFamiliesOf(base, trusted, createRegistry())).blocks : [];
  return { ...named, apis, providers, lifetime, familyBlocks };
}

/** `null` when the commit has no valid plan at this path. Then nothing vouches for any claim. */
async function basePlan(base: Base, file: string, context: Context): Promise<Plan | null> {
  const path = pathInBase(base, file);
  const bytes = path === null ? null : await base.tree.read(path);
  if (path === null || bytes === null) return null;
  const display = `${path} at ${base.tree.commit.slice(0, 12)}`;
  try {
    return planFromText(decodePlan(bytes, display), { path: file, display, context }).plan;
  } catch (thrown) {
    if (thrown instanceof Failure || thrown instanceof Failures) return null;
    throw thrown;
  }
}

/** The families of the trusted plan as that commit has their files. A family that is not valid there is not there. */
async function withFamiliesOf(base: Base, plan: Plan, registry: Registry): Promise<WithOwnFamilies> {
  const path = pathInBase(base, plan.path) ?? '';
  return await withOwnFamilies(plan, registry, { tree: commitTree(base.tree), folder: dirname(path).replace(/^\.$/, '') });
}

interface Trusting {
  readonly base: Base;
  readonly context: Prepared['context'];
  readonly world: World;
}

/** Mistakes of that plan are not this run's business. A line that cannot be prepared vouches for nothing. */
async function trustedClaims(plan: Plan | null, { base, context, world }: Trusting): Promise<readonly Claim[]> {
  if (plan === null) return [];
  const { env } = world;
  const { registry } = await withFamiliesOf(base, plan, world.registry);
  const problems = new Problems();
  const blocks = new Blocks({ plan, registry, env, problems });
  const tools = { registry, blocks, problems, after: new Map(), spoiled: new Set<string>() };
  return await claimsOfAll(await preparedLines(plan, tools, context), { registry, env });
}

async function claimsOfAll(lines: readonly PreparedLine[], world: World) {
  return (await Promise.all(lines.map((line) => claimsOf(line, world)))).flat();
}
