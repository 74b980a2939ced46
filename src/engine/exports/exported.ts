import { Failure, type Place } from '../../core/errors.ts';
import { didYouMean } from '../../core/nearest.ts';
import type { DraftLine } from '../../ops/detect.ts';
import type { OutputSpec } from '../../ops/op.ts';
import type { Registry } from '../../ops/registry.ts';
import { resolveOp } from '../../ops/resolve-op.ts';
import { exportName } from '../../plan/exports.ts';
import { fromRefs } from '../../plan/graph.ts';
import { Problems } from '../../plan/problems.ts';
import { Composed, type Expr, FromRef, KeepRef, type Plan, type PlanLine, SecretRef, sourceOf } from '../../plan/types.ts';

/** A variable that `pilotfish run` gives to its command. */
export interface Exported {
  readonly name: string;
  readonly value: Expr;
  readonly place: Place;
  /** The line that gives it to a host; `null` for an entry of `exports`. */
  readonly line: string | null;
}

/** Chooses the variables: those of `exports`, or without it those that lines of the plan give to their hosts. */
export async function exportedOf(plan: Plan, registry: Registry, problems: Problems): Promise<readonly Exported[]> {
  if (plan.exports) return plan.exports.map((one) => ({ ...one, line: null }));
  const all: Exported[] = [];
  for (const line of plan.lines) {
    const found = await variableOf(line, registry);
    if (found === null) continue;
    const { name } = found;
    const same = all.find((one) => one.name === name);
    if (!same) all.push(found);
    else if (textOf(same.value) !== textOf(found.value)) problems.take(ambiguous(same, found));
  }
  // A mistake in `exports` or in a line is told already.
  if (all.length === 0 && problems.size === 0) problems.take(nothing(plan));
  return all;
}

/** The variable that a line gives to a host, where its provider says which params are name and value. */
async function variableOf(line: PlanLine, registry: Registry): Promise<Exported | null> {
  // A mistake in the operation is reported when the line itself is prepared.
  const resolved = await resolveOp(line, registry, new Problems());
  if (!resolved) return null;
  const drafts = (resolved.family ?? resolved.adapter).detect?.draft ?? [];
  const draft = drafts.find(({ part, op }) => part === 'variable' && op === resolved.opName);
  const name = draft && line.params[paramFor(draft, 'variable.key')];
  const value = draft && line.params[paramFor(draft, 'variable.value')];
  if (typeof name !== 'string' || !exportName.test(name) || value === undefined || value instanceof KeepRef) return null;
  return { name, value, place: line.place, line: line.id };
}

const paramFor = ({ params }: DraftLine, of: string): string =>
  Object.entries(params).find(([, value]) => typeof value === 'object' && value !== null && 'of' in value && value.of === of)?.[0] ?? '';

/** A value as a person reads it: `database.uri`, `env://NAME`, or the text itself. It holds no secret. */
export function textOf(value: Expr): string {
  if (value instanceof FromRef || value instanceof SecretRef || value instanceof Composed) return sourceOf(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const ambiguous = (first: Exported, second: Exported): Failure =>
  new Failure('PLAN_INVALID', {
    detail: `${first.line} and ${second.line} give ${first.name} different values, ${textOf(first.value)} and ${textOf(second.value)}, and a command can have one.`,
    fix: `Say which one with \`exports:\` at the top of the plan: \`exports: { ${first.name}: … }\`.`,
    place: second.place,
  });

const nothing = (plan: Plan): Failure =>
  new Failure('PLAN_INVALID', {
    detail: `${plan.file} has no \`exports\`, and no line of this environment gives a variable to a host. So there is nothing to run a command with.`,
    fix: 'Add `exports:` to the plan: `exports: { DATABASE_URL: { from: database.connection_uri } }`.',
  });

/** The lines whose outputs the variables need. */
export const linesOfExports = (exported: readonly Exported[], { lines }: Pick<Plan, 'lines'>): readonly string[] => {
  const needed = new Set(exported.flatMap(({ value }) => fromRefs(value).map(({ ref }) => ref.line)));
  // A name that no line has is a mistake of its own.
  return lines.flatMap(({ id }) => (needed.has(id) ? [id] : []));
};

type Outputs = { readonly [name: string]: OutputSpec };

/**
 * Checks the references of `exports`. A plan and an apply check them too, so that a mistake does not wait for the first `run`. Lines of
 * another environment are missing only when a command needs them.
 */
export function checkExports(
  plan: Plan,
  { outputsOf, isNeeded }: { readonly outputsOf: (line: string) => Outputs | null; readonly isNeeded: boolean },
  problems: Problems,
): void {
  for (const { name, value } of plan.exports ?? []) {
    for (const { ref } of fromRefs(value)) {
      const failure = refFailure(ref, { name, plan, outputsOf, isNeeded });
      if (failure) problems.take(failure);
    }
  }
}

interface Referring {
  readonly name: string;
  readonly plan: Plan;
  readonly outputsOf: (line: string) => Outputs | null;
  readonly isNeeded: boolean;
}

function refFailure({ line, output, place }: FromRef, { name, plan, outputsOf, isNeeded }: Referring): Failure | null {
  if (!plan.ids.has(line)) {
    const detail = `exports.${name} takes ${line}.${output}, and the plan has no line ${JSON.stringify(line)}.${didYouMean(line, [...plan.ids])}`;
    return new Failure('REF_UNKNOWN', { detail, place });
  }
  if (plan.filtered.has(line)) {
    if (!isNeeded) return null;
    return new Failure('REF_UNKNOWN', {
      detail: `exports.${name} takes ${line}.${output}, and this environment does not have the line ${line}. The command would run with a value of somebody else.`,
      fix: `Remove \`environments\` of ${line}, or run the command in an environment that has the line.`,
      place,
    });
  }
  const outputs = outputsOf(line);
  if (!outputs || Object.hasOwn(outputs, output)) return null;
  const known = Object.keys(outputs);
  return new Failure('REF_OUTPUT_UNKNOWN', {
    detail: `exports.${name} takes ${line}.${output}, and ${line} has no such output.${didYouMean(output, known)} ${known.length > 0 ? `It has ${known.join(', ')}.` : 'It has none.'}`,
    place,
  });
}
