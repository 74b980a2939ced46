import { didYouMean } from '../core/nearest.ts';
import type { Problems } from '../plan/problems.ts';
import { FromRef, type PlanLine } from '../plan/types.ts';
import type { Adapter, DestroyPolicy, Op } from './op.ts';
import type { Registry } from './registry.ts';

/** The operation of a line, and the adapter or the recipe family that has it. */
export interface ResolvedOp {
  readonly line: PlanLine;
  readonly op: Op;
  readonly opName: string;
  readonly adapter: Adapter;
  /** Set for recipe lines; `adapter` is then the generic one. */
  readonly family: Adapter | null;
}

/** The operation that a line names; `null` when there is none, with the reason among the problems. */
export async function resolveOp(line: PlanLine, registry: Registry, problems: Problems): Promise<ResolvedOp | null> {
  return line.recipe === null ? await adapterOp(line, registry, problems) : await recipeOp(line, line.recipe, registry, problems);
}

/** What a destroy does with the line's object. Contradictions are added to the problems. */
export function destroyPolicy({ line, op }: ResolvedOp, problems: Problems): DestroyPolicy {
  const byDefault = op.destroy ?? 'delete';
  const policy = line.destroy ?? byDefault;
  if (line.destroy === 'delete' && byDefault !== 'delete' && !(op.mayDelete ?? byDefault !== 'never')) {
    problems.add('PLAN_INVALID', {
      detail: `${line.id} says \`destroy: delete\`, but the provider of ${nameOf(line)} cannot delete it.`,
      fix: 'Remove `destroy: delete`.',
      place: line.placeOf(['destroy']),
    });
  }
  const leavesSomething = op.kind === 'object' || op.kind === 'item';
  if (line.credential instanceof FromRef && policy === 'delete' && leavesSomething) {
    problems.add('PLAN_INVALID', {
      detail: `${line.id} uses a credential that another line made. The ledger does not keep that credential, so a destroy could not remove the object.`,
      fix: 'Add `destroy: keep`. The object goes when the object that owns the credential goes.',
      place: line.placeOf(['credential']),
    });
  }
  return policy;
}

async function recipeOp(line: PlanLine, recipe: string, registry: Registry, problems: Problems): Promise<ResolvedOp | null> {
  const match = await registry.recipe(recipe);
  const http = await registry.adapter('http');
  const [familyName = '', opName = ''] = recipe.split('.', 2);
  const refuse = (detail: string, fix?: string): null => {
    problems.add('PLAN_INVALID', { detail, ...(fix !== undefined && { fix }), place: line.placeOf(['recipe']) });
    return null;
  };
  const builtIn = await registry.adapter(familyName);
  const adapterFix = builtIn && Object.hasOwn(builtIn.ops, opName) ? `Write \`adapter: ${familyName}\` and \`op: ${opName}\`.` : undefined;
  if (!match || !http) {
    const known = registry.familyNames();
    return refuse(
      `${line.id} names the recipe ${JSON.stringify(recipe)}, but there is no recipe family ${JSON.stringify(familyName)}.${didYouMean(familyName, known)} The known ones are ${known.join(', ')}.`,
      adapterFix,
    );
  }
  if (!match.op) {
    const known = Object.keys(match.family.ops);
    return refuse(
      `${line.id} names the recipe ${JSON.stringify(recipe)}, but the family ${match.family.name} does not have it.${didYouMean(match.opName, known)} It has ${known.map((name) => `${match.family.name}.${name}`).join(', ')}.`,
      adapterFix,
    );
  }
  const generic = genericOps[match.op.kind];
  if (line.op in genericKinds && line.op !== generic && line.op !== match.opName) {
    problems.add('PLAN_INVALID', {
      detail: `${line.id} says \`op: ${line.op}\`, but ${recipe} is ${generic === undefined ? 'another kind of operation' : `of the op ${generic}`}.`,
      fix: 'Remove `op`: the recipe names its operation.',
      place: line.placeOf(['op']),
    });
  }
  return { line, op: match.op, opName: match.opName, adapter: http, family: match.family };
}

async function adapterOp(line: PlanLine, registry: Registry, problems: Problems): Promise<ResolvedOp | null> {
  // The reader of the file has already reported a missing adapter or op.
  if (line.adapter === '' || line.op === '') return null;
  const adapter = await registry.adapter(line.adapter);
  if (!adapter) {
    const known = registry.adapterNames();
    const isFamily = registry.familySpellings(line.adapter).length > 0;
    problems.add('PLAN_INVALID', {
      detail: `${line.id} names the adapter ${JSON.stringify(line.adapter)}, but there is no such adapter.${didYouMean(line.adapter, known)} The known ones are ${known.join(', ')}.`,
      ...(isFamily && {
        fix: `${line.adapter} is a recipe family: write \`recipe: ${line.adapter}.${line.op}\` instead of \`adapter\` and \`op\`.`,
      }),
      place: line.placeOf(['adapter']),
    });
    return null;
  }
  const op = Object.hasOwn(adapter.ops, line.op) ? adapter.ops[line.op] : undefined;
  if (op) return { line, op, opName: line.op, adapter, family: null };
  const known = Object.keys(adapter.ops);
  const family = await registry.family(line.adapter);
  problems.add('PLAN_INVALID', {
    detail: `${line.id} names the op ${JSON.stringify(line.op)}, but the adapter ${line.adapter} does not have it.${didYouMean(line.op, known)} It has ${known.join(', ')}.`,
    ...(family &&
      Object.hasOwn(family.ops, line.op) && {
        fix: `This is a recipe: write \`recipe: ${line.adapter}.${line.op}\` instead of \`adapter\` and \`op\`.`,
      }),
    place: line.placeOf(['op']),
  });
  return null;
}

const genericOps: { readonly [kind in Op['kind']]?: string } = { object: 'resource', item: 'list_item', action: 'action' };
const genericKinds = { resource: 'object', list_item: 'item', action: 'action' };

const nameOf = (line: PlanLine): string => line.recipe ?? `${line.adapter}.${line.op}`;
