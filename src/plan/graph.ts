import { Failure, Failures, type Place } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import { inOrder, quote } from './problems.ts';
import { type Expr, FromRef, KeepRef, type Plan, type PlanLine, SecretRef } from './types.ts';

export interface LineOrder {
  /** Every line after the lines it needs; otherwise in the order of the file. */
  readonly order: PlanLine[];
  /** For each line, the lines it comes right after: by `from`, `credential` and `depends_on`, in the order of mention. */
  readonly after: Map<string, string[]>;
}

/** The order in which the lines can be applied. Throws every wrong reference and every cycle together. */
export function orderLines(plan: Plan): LineOrder {
  const { order, after, failures } = sortLines(plan);
  const [first, ...rest] = failures;
  if (first) throw new Failures([first, ...rest]);
  return { order, after };
}

/** What is wrong with the references of a plan. `known` are ids of lines that exist but are too broken to be in it. */
export const referenceFailures = (plan: Plan, known: ReadonlySet<string>): readonly Failure[] => sortLines(plan, known).failures;

/** Every `{ from }` in a value, with the path to it. */
export function fromRefs(expr: Expr | undefined): { ref: FromRef; path: (string | number)[] }[] {
  const found: { ref: FromRef; path: (string | number)[] }[] = [];
  const visit = (value: Expr, path: readonly (string | number)[]): void => {
    if (value instanceof FromRef) found.push({ ref: value, path: [...path] });
    else if (value instanceof SecretRef || value instanceof KeepRef || typeof value !== 'object' || value === null) return;
    else if (Array.isArray(value)) for (const [i, item] of (value as readonly Expr[]).entries()) visit(item, [...path, i]);
    else for (const [key, item] of Object.entries(value as { readonly [name: string]: Expr })) visit(item, [...path, key]);
  };
  if (expr !== undefined) visit(expr, []);
  return found;
}

interface Need {
  readonly line: string;
  readonly place: Place;
}

/** More would only repeat the same mistake, and a cycle through thousands of lines is as good as one. */
const maxCycles = 20;
const maxSuggestions = 100;
const maxShownInCycle = 12;

function sortLines(plan: Plan, known: ReadonlySet<string> = new Set()): LineOrder & { readonly failures: readonly Failure[] } {
  const byId = new Map(plan.lines.map((line) => [line.id, line]));
  const failures: Failure[] = [];
  const needs = new Map<string, Need[]>();
  const ids = [...byId.keys()];
  for (const line of plan.lines) {
    const kept: Need[] = [];
    const seen = new Set<string>();
    for (const need of needsOf(line)) {
      if (need.line === line.id) failures.push(selfReference(need));
      else if (byId.has(need.line)) {
        if (!seen.has(need.line)) kept.push(need);
        seen.add(need.line);
      } else if (!known.has(need.line) || plan.filtered.has(need.line)) {
        failures.push(unknownLine(need, line, plan, failures.length < maxSuggestions ? ids : []));
      }
    }
    needs.set(line.id, kept);
  }
  const { order, cycles } = depthFirst(plan.lines, byId, needs);
  failures.push(...cycles);
  const after = new Map([...needs].map(([id, list]) => [id, list.map((need) => need.line)]));
  return { order, after, failures: inOrder(failures) };
}

const needsOf = (line: PlanLine): readonly Need[] => [
  ...fromRefs(line.params).map(({ ref }) => ({ line: ref.line, place: ref.place })),
  ...(line.credential instanceof FromRef ? [{ line: line.credential.line, place: line.credential.place }] : []),
  ...line.dependsOn,
];

/** Depth first with a stack of its own: a chain of 10,000 lines is deeper than the call stack. */
function depthFirst(
  lines: readonly PlanLine[],
  byId: ReadonlyMap<string, PlanLine>,
  needs: ReadonlyMap<string, readonly Need[]>,
): { order: PlanLine[]; cycles: Failure[] } {
  const order: PlanLine[] = [];
  const cycles: Failure[] = [];
  /** Position on the stack while the line is open, -1 once it is done. */
  const position = new Map<string, number>();
  const inCycle = new Set<string>();
  for (const root of lines) {
    if (position.has(root.id)) continue;
    const stack = [{ line: root, next: 0 }];
    position.set(root.id, 0);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const need = needs.get(top.line.id)?.[top.next];
      top.next += 1;
      if (!need) {
        order.push(top.line);
        position.set(top.line.id, -1);
        stack.pop();
        continue;
      }
      const at = position.get(need.line);
      const line = byId.get(need.line);
      if (at === undefined && line) {
        position.set(line.id, stack.length);
        stack.push({ line, next: 0 });
      } else if (at !== undefined && at >= 0 && cycles.length < maxCycles && !(inCycle.has(need.line) && inCycle.has(top.line.id))) {
        const path = stack.slice(at).map((open) => open.line.id);
        for (const id of path) inCycle.add(id);
        cycles.push(cycleFailure(path, need.place));
      }
    }
  }
  return { order, cycles };
}

function cycleFailure(path: readonly string[], place: Place): Failure {
  const shown =
    path.length <= maxShownInCycle
      ? path
      : [...path.slice(0, maxShownInCycle - 2), `… (${path.length - maxShownInCycle + 1} more)`, path.at(-1) ?? ''];
  return new Failure('REF_CYCLE', {
    detail: `These lines wait for each other, so none could be first: ${[...shown, path[0]].join(' → ')}.`,
    fix: 'Remove one of the references; the last one is at the place shown.',
    place,
  });
}

const selfReference = (need: Need): Failure =>
  new Failure('REF_CYCLE', {
    detail: `Line ${quote(need.line)} refers to itself, so it would wait for itself.`,
    fix: 'Refer to another line, or remove the reference.',
    place: need.place,
  });

function unknownLine(need: Need, line: PlanLine, plan: Plan, ids: readonly string[]): Failure {
  const filtered = plan.filtered.get(need.line);
  if (filtered) {
    return new Failure('REF_FILTERED', {
      detail: `${quote(line.id)} refers to ${quote(need.line)} (line ${filtered.line} of the file), which this environment does not have.`,
      place: need.place,
    });
  }
  return new Failure('REF_UNKNOWN', {
    detail: `${quote(line.id)} refers to ${quote(need.line)}, and the plan has no line of that id.${didYouMean(need.line, ids)}`,
    place: need.place,
  });
}
