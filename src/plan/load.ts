import type { Failure, Place } from '../core/errors.ts';
import { didYouMean, nearest } from '../core/nearest.ts';
import { receiptsPlace } from '../core/receipts-place.ts';
import { defaultEnvironments } from './context.ts';
import { readExports } from './exports.ts';
import { referenceFailures } from './graph.ts';
import { lifetimeOf } from './lifetime.ts';
import { driftOf, type LineReading, readLine } from './line.ts';
import { nearestPart, plainOf } from './parts.ts';
import { Problems, quote } from './problems.ts';
import { readProviders } from './providers.ts';
import { readPlanFile } from './read-file.ts';
import { readYaml, type YamlFile } from './read-yaml.ts';
import { type Issue, issuesOf, lifetimeKeys, namePattern, topKeys, topSchema } from './schema.ts';
import { Substitution } from './substitute.ts';
import { isListTree, isMapTree, isScalarTree, type MapTree, type Tree, valueAt } from './tree.ts';
import type { Context, Plan, PlanLine } from './types.ts';

export interface LoadOptions {
  readonly path: string;
  /** The path as messages show it. */
  readonly display: string;
  readonly context: Context;
  /** A run without a scope is a mistake, told together with the other values that it lacks. */
  readonly needsScope?: boolean;
}

export interface PlanReading {
  /** The readable part of the plan. Broken values are `{ keep: true }` in it; broken lines are left out. */
  readonly plan: Plan;
  /** In the order of the file. */
  readonly problems: readonly Failure[];
  /** The places of texts whose values the run lacks. What they read as says nothing about them. */
  readonly lacking: readonly Place[];
  /** The same text as another run reads it. Its mistakes are those of this reading. */
  again(context: Context): Plan;
  /** Whether the file holds this text as it stands. */
  holds(text: string): boolean;
}

/** Reads a plan and collects its mistakes. Throws only where the text could not be read. */
export const readPlan = async (options: LoadOptions): Promise<PlanReading> =>
  planFromText(await readPlanFile(options.path, options.display), options);

/** The settings of a plan beside its lines. */
export type PlanHead = Pick<
  Plan,
  'file' | 'path' | 'name' | 'receipts' | 'ledger' | 'lifetime' | 'apis' | 'providers' | 'recipes' | 'familyBlocks'
>;

/** Reads no line, so that a mistake in a line does not spoil the head. Throws only where the text could not be read. */
export async function readPlanHead(options: LoadOptions): Promise<PlanHead> {
  return planFromText(withoutLines(await readPlanFile(options.path, options.display)), options).plan;
}

const changesKey = /(?<![^\n])changes:[ \t]*(?:#[^\n]*)?\r?\n/;
const nextKey = /(?<=\n)(?:[^\s#-]|--)/g;

/** The text with an empty list in place of the lines; everything else stands where it stood. */
function withoutLines(text: string): string {
  const start = text.search(changesKey);
  if (start < 0) return text;
  nextKey.lastIndex = start + 1;
  const end = nextKey.exec(text)?.index ?? text.length;
  const lines = text.slice(start, end);
  // An anchor in a line may be named outside of the lines.
  if (/[\s,[{]&/.test(lines)) return text;
  return `${text.slice(0, start)}changes: []${lines.replace(/[^\n]/g, '')}${text.slice(end)}`;
}

/** The plan that a text holds. */
export function planFromText(text: string, options: LoadOptions): PlanReading {
  const yaml = readYaml(text, options.display);
  const { root, problems } = yaml;
  if (!isMapTree(root)) {
    problems.add('PLAN_PARSE', {
      detail: isEmpty(root)
        ? 'The plan holds nothing but comments.'
        : 'A plan is a map with the key `changes`, and this file is not a map.',
      fix: 'Write `changes:` with a list of lines below it, or run `pilotfish init` for a plan to start from.',
      place: root.place,
    });
    return { plan: emptyPlan(options), problems: problems.list(), lacking: [], again: () => emptyPlan(options), holds: () => false };
  }
  return {
    ...readTop(root, yaml, options),
    again: (context) => readTop(root, { ...yaml, problems: new Problems() }, { ...options, context }).plan,
    holds: (part) => text.includes(part),
  };
}

function readTop(root: MapTree, yaml: YamlFile, options: LoadOptions): Omit<PlanReading, 'again' | 'holds'> {
  const { problems } = yaml;
  const { context } = options;
  const broken = checkTop(root, problems, context);
  const environments = environmentsOf(root, broken, problems);
  if (!environments.includes(context.environment)) {
    problems.add('ENV_UNKNOWN', {
      detail: `The plan has no environment ${quote(context.environment)}. It has ${environments.join(', ')}.${didYouMean(context.environment, environments)}`,
    });
  }
  reportTopTodos(root, yaml);
  const substitution = new Substitution(context, problems);
  const shared = { problems, substitution, todoOf: yaml.todoOf, context };
  const { providers, apis } = readProviders(valueAt(root, 'providers'), shared);
  const changes = valueAt(root, 'changes');
  const drift = driftOf(textAt(root, 'drift')) ?? 'put-back';
  const readings = isListTree(changes) ? changes.items.map((tree) => readLine(tree, { ...shared, environments, drift })) : [];
  const exports = broken.has('exports') ? null : readExports(valueAt(root, 'exports'), shared);
  substitution.finish(options);
  const { lines, filtered, ids } = sortReadings(readings, problems);
  const plan: Plan = {
    ...emptyPlan(options),
    name: broken.has('name') ? null : textAt(root, 'name'),
    environments,
    receipts: broken.has('receipts') ? 'unreadable' : receiptsPlace(textAt(root, 'receipts') ?? ''),
    // A mistake in `ledger` is reported. Until somebody mends it, the stricter rule holds.
    ledger: valueAt(root, 'ledger') ? 'sealed' : null,
    // A mistake in `lifetime` is reported. Until somebody mends it, nothing expires.
    lifetime: broken.has('lifetime') ? null : lifetimeOf(valueAt(root, 'lifetime')),
    providers,
    apis,
    recipes: broken.has('recipes') ? [] : patternsOf(valueAt(root, 'recipes')),
    exports,
    lines,
    ids,
    filtered,
  };
  // Without its environment no line is part of the run, so every reference would look wrong.
  if (environments.includes(context.environment)) problems.take(...referenceFailures(plan, ids));
  return { plan, problems: problems.list(), lacking: substitution.lacking };
}

function sortReadings(
  readings: readonly LineReading[],
  problems: Problems,
): { lines: readonly PlanLine[]; filtered: ReadonlyMap<string, Place>; ids: ReadonlySet<string> } {
  const first = new Map<string, Place>();
  const lines: PlanLine[] = [];
  const filtered = new Map<string, Place>();
  for (const { id, place, isActive, line } of readings) {
    if (id === null) continue;
    const earlier = first.get(id);
    if (earlier) {
      problems.add('PLAN_INVALID', {
        detail: `Two lines have the id ${quote(id)}; the first is on line ${earlier.line} of the file.`,
        fix: 'Give each line an id of its own.',
        place,
      });
      continue;
    }
    first.set(id, place);
    if (!isActive) filtered.set(id, place);
    else if (line) lines.push(line);
  }
  return { lines, filtered, ids: new Set(first.keys()) };
}

const fixes: { readonly [key: string]: string } = {
  version: 'Write `version: 1`, or install a newer pilotfish when the plan was made for one.',
  receipts:
    'Write `receipts: git-branch`, or leave the key out. The address of a database with its password belongs into PILOTFISH_RECEIPTS.',
  ledger: 'Write `ledger: sealed`, or leave the key out.',
  recipes: 'Write `recipes:` with a list of paths, such as `[./recipes/*.yaml]`, or leave the key out.',
  lifetime:
    'Write `lifetime: { idle: 14d, label: keep-preview }`, with `others: 30d` for scopes without a pull request, or leave the key out.',
  drift: 'Write `drift: report` or `drift: put-back`, or leave the key out.',
  exports: 'Write `exports:` with one variable a line, such as `DATABASE_URL: { from: database.connection_uri }`, or leave the key out.',
  changes: 'Write each line as `- id: <name>` below `changes:`.',
};

/** Checks the top level against the schema, and returns the wrong keys. */
function checkTop(root: MapTree, problems: Problems, context: Context): ReadonlySet<string> {
  const broken = new Set<string>();
  const shape = Object.fromEntries(root.entries.map((e) => [e.key, plainOf(e.value, e.key === 'changes' ? 1 : 2)]));
  const result = topSchema.safeParse(shape);
  if (result.success) return broken;
  for (const issue of issuesOf(result.error)) {
    const key = String(issue.path[0] ?? '');
    if (key !== '') broken.add(key);
    if (issue.unknownKey !== undefined) {
      addUnknownKey(root, { ...issue, unknownKey: issue.unknownKey }, problems);
      continue;
    }
    // One slip is one mistake: the key that is missing is the one with the wrong name.
    if (!root.entry(key) && root.entries.some((entry) => !Object.hasOwn(topKeys, entry.key) && nearest(entry.key, [key]) !== null))
      continue;
    // The blocks of `providers` are checked one by one, with a better sentence.
    if (key === 'providers' && issue.path.length > 1 && issue.path[1] !== 'http') continue;
    const fix = fixes[key];
    problems.add('PLAN_INVALID', {
      detail: root.entry(key) ? issue.detail : 'The plan has no `changes`, so it asks for nothing.',
      ...(fix !== undefined && { fix }),
      place: nearestPart(root, issue.path, context).place,
    });
  }
  return broken;
}

/** A key that the plan, or a map in it such as `lifetime`, does not have. */
function addUnknownKey(root: MapTree, { path: [within], unknownKey }: Issue & { readonly unknownKey: string }, problems: Problems): void {
  const inside = within === undefined ? root : valueAt(root, String(within));
  const keys = Object.keys(within === undefined ? topKeys : lifetimeKeys);
  problems.add('PLAN_INVALID', {
    detail: `${quote(unknownKey)} is not a key of ${within === undefined ? 'a plan' : `\`${within}\``}.${didYouMean(unknownKey, keys)}`,
    fix: `Remove it, or use one of ${keys.join(', ')}.`,
    place: (isMapTree(inside) ? inside.entry(unknownKey)?.place : undefined) ?? root.place,
  });
}

function environmentsOf(root: MapTree, broken: ReadonlySet<string>, problems: Problems): readonly string[] {
  const tree = valueAt(root, 'environments');
  if (!isListTree(tree)) return defaultEnvironments;
  const names: string[] = [];
  for (const item of tree.items) {
    if (!isScalarTree(item) || typeof item.value !== 'string' || !namePattern.test(item.value)) continue;
    const name = item.value;
    const same = names.find((other) => other.toLowerCase() === name.toLowerCase());
    if (same === undefined) names.push(name);
    else {
      problems.add('PLAN_INVALID', {
        detail: `The environments ${quote(same)} and ${quote(name)} differ in case alone, so their branches and files could be mixed up.`,
        fix: 'Remove one of them.',
        place: item.place,
      });
    }
  }
  return names.length === 0 && broken.has('environments') ? defaultEnvironments : names;
}

/** Reports TODO marks outside of lines and provider blocks, which report their own. */
function reportTopTodos(root: MapTree, yaml: YamlFile): void {
  for (const { key, value } of root.entries) {
    const hint = yaml.todoOf(value);
    // A mark above `changes:` or `providers:` speaks of the section, not of a value.
    if (hint === null || ['changes', 'providers', 'exports'].includes(key)) continue;
    yaml.problems.add('PLAN_TODO', {
      detail: `The value of ${quote(key)} is still marked \`# TODO\`${hint === '' ? '.' : `: ${hint}`}`,
      place: value.place,
    });
  }
}

const emptyPlan = (options: LoadOptions): Plan => ({
  file: options.display,
  path: options.path,
  name: null,
  environments: defaultEnvironments,
  receipts: null,
  ledger: null,
  lifetime: null,
  providers: new Map(),
  apis: new Map(),
  recipes: [],
  familyBlocks: [],
  exports: null,
  lines: [],
  ids: new Set(),
  filtered: new Map(),
});

const patternsOf = (tree: Tree | undefined): Plan['recipes'] =>
  isListTree(tree) ? tree.items.flatMap((item) => (isScalarTree(item) ? [{ text: String(item.value), place: item.place }] : [])) : [];

const isEmpty = (tree: Tree): boolean => isScalarTree(tree) && tree.value === null;

function textAt(root: MapTree, key: string): string | null {
  const tree = valueAt(root, key);
  return isScalarTree(tree) && typeof tree.value === 'string' ? tree.value : null;
}
