import { Failure, Failures, type Place } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import { inOrder, quote } from './problems.ts';
import { Composed, type Expr, FromRef, KeepRef, type Plan, type PlanLine, SecretRef } from './types.ts';

export interface LineOrder {
  /** Every line after the lines it needs; otherwise in the order of the file. */
  readonly order: PlanLine[];
  /** For each line, the lines that it directly needs by `from`, `credential` and `depends_on`, in the order of mention. */
  readonly after: Map<string, string[]>;
}

/** The order in which the lines can be applied. Throws every wrong reference and every cycle together. */
export function orderLines(plan: Plan): LineOrder {
  const { order, after, failures } = sortLines(plan);
  const [first, ...rest] = failures;
  if (first) throw new Failures([first, ...rest]);
  return { order, after };
}

/** The wrong references of a plan. `known`: ids of lines that exist but are too broken to be in it. */
export const referenceFailures = (plan: Plan, known: ReadonlySet<string>): readonly Failure[] => sortLines(plan, known).failures;

/** A `{ from }` in a param of a line, with the path to it. */
export interface Mention {
  readonly ref: FromRef;
  readonly path: readonly (string | number)[];
}

/** Every `{ from }` in the params of a line. Params do not change, so each line is searched once. */
export function refsOf({ params }: Pick<PlanLine, 'params'>): readonly Mention[] {
  const known = mentions.get(params);
  if (known) return known;
  const found = fromRefs(params);
  mentions.set(params, found);
  return found;
}

const mentions = new WeakMap<PlanLine['params'], readonly Mention[]>();

/** Every `{ from }` in a value, with the path to it. */
export function fromRefs(expr: Expr | undefined): readonly Mention[] {
  if (expr === undefined) return none;
  let found: Mention[] | null = null;
  const path: (string | number)[] = [];
  const step = (at: string | number, item: Expr): void => {
    path.push(at);
    visit(item);
    path.pop();
  };
  const visit = (value: Expr): void => {
    if (typeof value !== 'object' || value === null || value instanceof SecretRef || value instanceof KeepRef) return;
    if (value instanceof FromRef || value instanceof Composed) {
      found ??= [];
      const refs = value instanceof FromRef ? [value] : value.parts.filter((part) => part instanceof FromRef);
      for (const ref of refs) found.push({ ref, path: [...path] });
    } else if (isList(value)) for (let i = 0; i < value.length; i += 1) step(i, value[i] ?? null);
    else for (const key of Object.keys(value)) step(key, value[key] ?? null);
  };
  visit(expr);
  return found ?? none;
}

const none: readonly never[] = [];
const isList = (value: Expr): value is readonly Expr[] => Array.isArray(value);

interface Need {
  readonly line: string;
  readonly place: Place;
}

/** Most cycles that are reported. More would only repeat one mistake. */
const maxCycles = 20;
const maxSuggestions = 100;
const maxShownInCycle = 12;

function sortLines(plan: Plan, known: ReadonlySet<string> = new Set()): LineOrder & { readonly failures: readonly Failure[] } {
  const byId = new Map(plan.lines.map((line) => [line.id, line]));
  const failures: Failure[] = [];
  const needs = new Map<string, Need[]>();
  const ids = [...byId.keys()];
  for (const line of plan.lines) {
    const all = needsOf(line);
    if (all.length === 0) continue;
    const kept: Need[] = [];
    const seen = new Set<string>();
    for (const need of all) {
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
  const after = new Map<string, string[]>();
  for (const { id } of plan.lines) after.set(id, needs.get(id)?.map((need) => need.line) ?? []);
  return { order, after, failures: inOrder(failures) };
}

function needsOf(line: PlanLine): readonly Need[] {
  const refs: readonly Need[] = refsOf(line).map(({ ref }) => ref);
  const own = line.credential instanceof FromRef ? [line.credential] : none;
  return refs.length + own.length + line.dependsOn.length === 0 ? none : [...refs, ...own, ...line.dependsOn];
}

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
    if (!needs.has(root.id)) {
      order.push(root);
      position.set(root.id, -1);
      continue;
    }
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
      } else if (at !== undefined && at >= 0 && cycles.length < maxCycles) {
        const path = stack.slice(at).map((open) => open.line.id);
        // A cycle through a line of an earlier one is most often the same mistake.
        if (path.some((id) => inCycle.has(id))) continue;
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
    detail: `These lines wait for each other, so none can be first: ${[...shown, path[0]].join(' → ')}.`,
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
      detail: `${quote(line.id)} refers to ${quote(need.line)} (line ${filtered.line} of the file), but this environment does not have that line.`,
      place: need.place,
    });
  }
  return new Failure('REF_UNKNOWN', {
    detail: `${quote(line.id)} refers to ${quote(need.line)}, but the plan has no line with that id.${didYouMean(need.line, ids)}`,
    place: need.place,
  });
}
