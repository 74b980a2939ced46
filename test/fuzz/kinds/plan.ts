import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { basePlans } from '../base-plans.ts';
import { mutateBytes } from '../bytes.ts';
import { addForeign, foreignProblem } from '../foreign.ts';
import { bytesOf, type Input, type Kind, type Outcome, part } from '../kind.ts';
import { judge, writtenByPlan } from '../oracle.ts';
import type { Random } from '../random.ts';
import { mutateJson } from '../structure.ts';
import { freshWorld, invoke, lay, type World } from '../world.ts';
import { trapped } from '../yaml-traps.ts';

type Mutate = (plans: readonly Buffer[], random: Random) => Buffer;

/** Errors that stand nowhere in the file: the run lacks something, or the file could not be read at all. */
const withoutPlace = new Set([
  'ENV_UNKNOWN',
  'CTX_NULL',
  'ENV_NOT_APPROVED',
  'CREDENTIAL_MISSING',
  'USAGE',
  'PLUGIN_FAILED',
  'LEDGER_REFUSED',
]);

/** A plan file that somebody slipped in while writing, or wrote to do harm. */
function planKind(name: string, share: number, mutate: Mutate): Kind {
  let folder = '';
  let plans: readonly Buffer[] = [];
  return {
    name,
    share,
    prepare: async (place) => {
      folder = join(place, 'plan');
      plans = await basePlans();
    },
    make: (random) => ({
      how: random.chance(0.85) ? 'plan' : random.chance(0.7) ? 'apply' : 'apply --destroy',
      parts: [part('release.plan.yaml', mutate(plans, random))],
    }),
    run: (input) => runPlanFile(folder, input),
  };
}

async function runPlanFile(folder: string, input: Input): Promise<Outcome> {
  const world = freshWorld();
  addForeign(world);
  await lay(folder, { 'release.plan.yaml': bytesOf(input, 'release.plan.yaml') ?? '' });
  const argv = [...input.how.split(' '), '--scope', 'pr-12', '--branch', 'feature', '--sha', '1'.repeat(40), '--json'];
  const ended = await invoke(world, { folder, argv });
  const outcome = judge(ended, world, {
    json: true,
    placeless: ({ code, place }) => place === undefined && !withoutPlace.has(code) && ended.exit === 2,
  });
  return { ...outcome, finding: outcome.finding ?? (input.how === 'plan' ? writtenByPlan(world) : null) ?? trespass(world, input) };
}

/** Requests written by hand may name anything; a recipe or built-in operation never touches what is not the scope's. */
function trespass(world: World, input: Input): string | null {
  const isByHand = /\bhttp\b(?!s?:)/.test(bytesOf(input, 'release.plan.yaml')?.toString('latin1') ?? '');
  return isByHand ? null : foreignProblem(world);
}

const anyOf = (plans: readonly Buffer[], random: Random): Buffer => random.any(plans) ?? Buffer.alloc(0);

/** Aliases followed; one whose anchor stands in a line that is not there is text. */
const asData = (plan: Buffer): unknown => parse(plan.toString('utf8').replace(/\*(?=client)/g, ''), { merge: true });

export const planKinds: readonly Kind[] = [
  planKind('plan bytes', 28, (plans, random) => mutateBytes(anyOf(plans, random), random, plans)),
  planKind('plan structure', 18, (plans, random) => {
    const mutated = mutateJson(asData(anyOf(plans, random)), random, [asData(anyOf(plans, random))]);
    return Buffer.from(random.chance(0.5) ? JSON.stringify(mutated) : stringify(mutated));
  }),
  planKind('plan YAML', 12, (plans, random) => trapped(anyOf(plans, random), random)),
];
