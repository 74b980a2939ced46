import type { Place } from '../core/errors.ts';
import { isMap, setOwn } from '../core/json.ts';
import { didYouMean, nearest } from '../core/nearest.ts';
import { nearestPart, type PartPath, partAt, plainOf } from './parts.ts';
import { type Problems, quote } from './problems.ts';
import { issuesOf, lineKeys, lineSchema } from './schema.ts';
import { findSecretLiterals, spotOf } from './secret-literal.ts';
import { reportTodos } from './todo.ts';
import { isListTree, isMapTree, isScalarTree, type MapTree, sourceTextOf, type Tree, valueAt } from './tree.ts';
import { type Context, type DriftPolicy, type Expr, FromRef, type PlanLine, SecretRef } from './types.ts';
import { formOf, type ReadOptions, readMember, readValue } from './values.ts';

/** A line as read, and whether this run has it. `line` is `null` when the line is too broken to be referred to. */
export interface LineReading {
  readonly id: string | null;
  readonly place: Place;
  readonly isActive: boolean;
  readonly line: PlanLine | null;
}

export interface LineOptions extends Omit<ReadOptions, 'isActive' | 'spot'> {
  readonly context: Context;
  readonly environments: readonly string[];
  /** For a line that says none. */
  readonly drift: DriftPolicy;
}

const genericOps = ['resource', 'list_item', 'action'];

/** Reads one entry of `changes`: its own keys are checked here, its params are left to the op. */
export function readLine(tree: Tree, options: LineOptions): LineReading {
  const { problems } = options;
  if (!isMapTree(tree)) {
    problems.add('PLAN_INVALID', {
      detail: 'An entry of `changes` must be a map with an id, but this entry is not a map.',
      fix: 'Write `- id: <name>` with the keys of the line below it.',
      place: tree.place,
    });
    return { id: null, place: tree.place, isActive: false, line: null };
  }
  const isOwnRequest = textOf(valueAt(tree, 'adapter')) === 'http' && valueAt(tree, 'recipe') === undefined;
  const spot = { use: isOwnRequest ? 'address' : 'data', name: null } as const;
  const reading = { ...options, isActive: isActiveLine(tree, options), spot };
  const broken = checkKeys(tree, reading);
  const text = (key: string): string | null => (broken.has(key) ? null : textOf(valueAt(tree, key)));
  const id = textOf(valueAt(tree, 'id'));
  const place = valueAt(tree, 'id')?.place ?? tree.place;
  checkEnvironments(tree, options);
  const kind = readKind(tree, text, broken, id, problems);
  const params = readParams(tree, id, reading);
  const credential = readCredential(valueAt(tree, 'credential'), id, reading);
  if (reading.isActive) reportTodos(tree, reading);
  if (id === null || broken.has('id')) return { id, place, isActive: reading.isActive, line: null };
  const line = lineOf(tree, options.context, {
    id,
    place,
    ...kind,
    api: text('api'),
    destroy: destroyOf(text('destroy')),
    drift: driftOf(text('drift')) ?? options.drift,
    credential,
    dependsOn: broken.has('depends_on') ? [] : dependsOnOf(valueAt(tree, 'depends_on')),
    params,
  });
  return { id, place, isActive: reading.isActive, line };
}

type LineData = Omit<PlanLine, 'placeOf' | 'textOf' | 'isPublic'>;

/** The line for the rest of the program. `tree` knows where its parts stand and how they are written. */
const lineOf = (tree: MapTree, context: Context, data: LineData): PlanLine => ({
  ...data,
  placeOf: (path) => {
    const part = nearestPart(tree, path, context);
    // A missing param has no place of its own, so the line's place stands for it.
    return part === tree ? data.place : part.place;
  },
  textOf: (path) => {
    const value = exprAt(data.params, path);
    if (typeof value === 'string') return value;
    if (typeof value !== 'number' && typeof value !== 'boolean') return null;
    return sourceTextOf(partAt(tree, path, context) ?? undefined);
  },
  isPublic: (path) => {
    const part = partAt(tree, path, context);
    return part !== null && formOf(part)?.key === 'public';
  },
});

function exprAt(params: PlanLine['params'], path: PartPath): Expr | undefined {
  let at: unknown = params;
  for (const step of path) {
    if (!(isMap(at) || Array.isArray(at)) || !Object.hasOwn(at, step)) return undefined;
    at = Reflect.get(at, step);
  }
  return at as Expr;
}

function isActiveLine(tree: MapTree, options: LineOptions): boolean {
  if (!options.environments.includes(options.context.environment)) return false;
  const filter = valueAt(tree, 'environments');
  if (!isListTree(filter)) return true;
  return filter.items.some((item) => textOf(item) === options.context.environment);
}

/** Checks the keys of the line against the schema, and returns the wrong ones. */
function checkKeys(tree: MapTree, options: LineOptions): ReadonlySet<string> {
  const own: { [key: string]: unknown } = {};
  for (const { key, value } of tree.entries) if (Object.hasOwn(lineKeys, key)) own[key] = plainOf(value, 2);
  const result = lineSchema.safeParse(own);
  const broken = new Set<string>();
  if (result.success) return broken;
  for (const issue of issuesOf(result.error)) {
    const key = String(issue.path[0] ?? '');
    broken.add(key);
    const isMissing = key === 'id' && tree.entry('id') === undefined;
    const written = textOf(valueAt(tree, key));
    const hint = written === null ? '' : didYouMean(written, issue.values);
    options.problems.add('PLAN_INVALID', {
      detail: isMissing ? 'This line has no id, so no report and no reference could name it.' : issue.detail + hint,
      ...(isMissing && { fix: 'Give the line an `id`.' }),
      place: nearestPart(tree, issue.path, options.context).place,
    });
  }
  return broken;
}

function checkEnvironments(tree: MapTree, options: LineOptions): void {
  const filter = valueAt(tree, 'environments');
  if (!isListTree(filter)) return;
  for (const item of filter.items) {
    const name = textOf(item);
    if (name === null || options.environments.includes(name)) continue;
    options.problems.add('PLAN_INVALID', {
      detail: `${quote(name)} is not an environment of this plan. The plan has ${options.environments.join(', ')}.${didYouMean(name, options.environments)}`,
      fix: 'Name one of these environments, or add the name to the top-level `environments`.',
      place: item.place,
    });
  }
}

/** Reads adapter, op and recipe, and reports those that contradict each other. */
function readKind(
  tree: MapTree,
  text: (key: string) => string | null,
  broken: ReadonlySet<string>,
  id: string | null,
  problems: Problems,
): Pick<LineData, 'adapter' | 'op' | 'recipe'> {
  const who = id === null ? 'This line' : `Line ${quote(id)}`;
  const [adapter, op, recipe] = [text('adapter'), text('op'), text('recipe')];
  const refuse = (key: string, detail: string, fix: string): void =>
    problems.add('PLAN_INVALID', { detail, fix, place: valueAt(tree, key)?.place ?? valueAt(tree, 'id')?.place ?? tree.place });
  if (recipe !== null) {
    if (adapter !== null && adapter !== 'http') {
      refuse(
        'adapter',
        `${who} names the adapter ${quote(adapter)}, but its recipe is an operation of the adapter http.`,
        'Remove `adapter` or `recipe`.',
      );
    }
    if (op !== null && !genericOps.includes(op)) {
      refuse(
        'op',
        `${who} has a recipe, but ${quote(op)} is not an operation of the adapter http.${didYouMean(op, genericOps)}`,
        'Remove `op`: the recipe names its operation.',
      );
    }
    return { adapter: 'http', op: op ?? recipe.slice(recipe.indexOf('.') + 1), recipe };
  }
  if (!broken.has('recipe') && adapter === null && !broken.has('adapter')) {
    const slip = tree.entries.find((entry) => nearest(entry.key, ['adapter', 'recipe']) !== null);
    const hint = slip ? ` It has the key ${quote(slip.key)}.${didYouMean(slip.key, ['adapter', 'recipe'])}` : '';
    refuse(
      'adapter',
      `${who} has neither an adapter nor a recipe, so pilotfish cannot tell what it is.${hint}`,
      'Add `adapter` and `op`, or `recipe: <family>.<op>`.',
    );
  } else if (adapter !== null && op === null && !broken.has('op')) {
    refuse('op', `${who} names the adapter ${quote(adapter)} but no operation of it.`, 'Add `op`.');
  }
  return { adapter: adapter ?? '', op: op ?? '', recipe: null };
}

function readParams(tree: MapTree, id: string | null, options: ReadOptions): PlanLine['params'] {
  const params: { [name: string]: Expr } = {};
  for (const entry of tree.entries) {
    if (Object.hasOwn(lineKeys, entry.key)) continue;
    const spot = spotOf(entry, tree, '');
    findSecretLiterals(entry.value, { ...spot, at: id === null ? spot.at : `${id}.${spot.at}` }, options.problems);
    setOwn(params, entry.key, readMember(entry, options));
  }
  return params;
}

function readCredential(tree: Tree | undefined, id: string | null, options: ReadOptions): PlanLine['credential'] {
  if (!tree || options.todoOf(tree) !== null) return null;
  const at = id === null ? 'credential' : `${id}.credential`;
  const before = options.problems.size;
  findSecretLiterals(tree, { name: 'credential', at }, options.problems);
  if (options.problems.size > before) return null;
  const value = readValue(tree, options);
  if (value instanceof FromRef || value instanceof SecretRef) return value;
  if (options.problems.size > before) return null;
  options.problems.add('PLAN_INVALID', {
    detail: `${at} must be { from: <line>.<output> } or { secret: <reference> }, but it is neither.`,
    fix: 'Write one of the two forms, or remove `credential` to use the credential of the API block.',
    place: tree.place,
  });
  return null;
}

function dependsOnOf(tree: Tree | undefined): PlanLine['dependsOn'] {
  if (!isListTree(tree)) return [];
  return tree.items.flatMap((item) => {
    const line = textOf(item);
    return line === null ? [] : [{ line, place: item.place }];
  });
}

const textOf = (tree: Tree | undefined): string | null => (isScalarTree(tree) && typeof tree.value === 'string' ? tree.value : null);

export const driftOf = (text: string | null): DriftPolicy | null => (text === 'put-back' || text === 'report' ? text : null);

const destroyOf = (text: string | null): PlanLine['destroy'] => (text === 'keep' || text === 'delete' || text === 'never' ? text : null);
