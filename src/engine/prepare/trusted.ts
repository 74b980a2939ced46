import { Failure, Failures } from '../../core/errors.ts';
import { Blocks } from '../../ops/blocks.ts';
import type { Registry } from '../../ops/registry.ts';
import { type PlanHead, planFromText } from '../../plan/load.ts';
import { locatePlan } from '../../plan/locate.ts';
import { Problems } from '../../plan/problems.ts';
import { decodePlan } from '../../plan/read-file.ts';
import type { Context, Plan } from '../../plan/types.ts';
import type { Prepared, PreparedLine, RunRequest } from '../types.ts';
import { type Base, pathInBase } from './base-tree.ts';
import { claimsOf } from './claims.ts';
import { preparedLines } from './prepare.ts';

interface World {
  readonly registry: Registry;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Compares a plan with that of a commit which people reviewed. A host, a credential or a command that the reviewed plan lacks takes effect
 * when it is merged. Throws `PLAN_NOT_TRUSTED` with every claim of every line that the reviewed plan lacks, before anything is sent.
 */
export async function mustBeTrusted({ plan, context, lines }: Prepared, base: Base, world: World): Promise<void> {
  const trusted = await basePlan(base, plan.path, context);
  const known = new Set((await claimsOfAll(trusted ? await trustedLines(trusted, context, world) : [], world)).map(({ key }) => key));
  const commit = base.tree.commit.slice(0, 12);
  const unknown = (await claimsOfAll(lines, world)).filter(({ key }) => !known.has(key));
  const why = trusted ? `The plan of the commit ${commit} has nothing of that` : `The commit ${commit} has no plan there that can be read`;
  const failures = [...new Map(unknown.map((claim) => [claim.key, claim])).values()].map(
    ({ line: { line }, says }) =>
      new Failure('PLAN_NOT_TRUSTED', { detail: `${line.id} ${says}. ${why}. Nothing was sent.`, place: line.place }),
  );
  const [first, ...rest] = failures;
  if (first) throw rest.length === 0 ? first : new Failures([first, ...rest]);
}

/**
 * The plan's head for a destroy, with the API blocks of the trusted plan: no command runs that only another plan names. Name and place of
 * the ledger stay the plan's own, or the objects of a pull request that changed them would stay for ever.
 */
export async function asTrusted(
  named: PlanHead,
  base: Base,
  { cwd, plan }: Pick<RunRequest, 'cwd' | 'plan'>,
  context: Context,
): Promise<PlanHead> {
  const file = await locatePlan(cwd, plan).catch(() => null);
  const trusted = file === null ? null : await basePlan(base, file, context);
  return { ...named, apis: trusted?.apis ?? new Map(), providers: trusted?.providers ?? new Map() };
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

/** Mistakes of that plan are not this run's business. A line that cannot be prepared vouches for nothing. */
async function trustedLines(plan: Plan, context: Prepared['context'], { registry, env }: World): Promise<readonly PreparedLine[]> {
  const problems = new Problems();
  const blocks = new Blocks({ plan, registry, env, problems });
  return await preparedLines(plan, { registry, blocks, problems, after: new Map(), spoiled: new Set() }, context);
}

async function claimsOfAll(lines: readonly PreparedLine[], world: World) {
  return (await Promise.all(lines.map((line) => claimsOf(line, world)))).flat();
}
