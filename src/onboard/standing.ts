import { Failure, Failures } from '../core/errors.ts';
import type { TodoDoc } from '../engine/init-document.ts';
import type { Registry } from '../ops/registry.ts';
import { defaultEnvironments } from '../plan/context.ts';
import { planFromText } from '../plan/load.ts';
import { readYaml, type YamlFile } from '../plan/read-yaml.ts';
import type { Tree } from '../plan/tree.ts';
import type { Expr, Plan, PlanLine } from '../plan/types.ts';
import { withOwnFamilies } from '../recipes/own/of-plan.ts';
import type { DraftedLine } from './draft.ts';
import { previewEnvironment } from './next-step.ts';

/** A line of an existing plan, under the canonical name of its operation. */
export interface StandingLine {
  readonly id: string;
  readonly provider: string;
  readonly isRecipe: boolean;
  readonly op: string;
  readonly params: PlanLine['params'];
  /** The params whose value is still marked `# TODO`. */
  readonly unfinished: ReadonlySet<string>;
}

/** The facts about an existing plan that a draft needs. */
export interface Standing {
  readonly lines: readonly StandingLine[];
  /** The id of every line, in any environment. */
  readonly taken: readonly string[];
  /** The environments of the plan. */
  readonly environments: readonly string[];
}

/** Reads the lines of a plan. A plan that does not parse gives no lines, because `plan` reports its mistakes. */
export async function readStanding(text: string, file: string, registry: Registry): Promise<Standing> {
  const plan = await orNone(() => planOf(text, file));
  const marked = new Set(plan ? findTodos(text, file).map(({ line }) => line) : []);
  const lines: StandingLine[] = [];
  for (const line of plan?.lines ?? []) {
    const recipe = line.recipe === null ? null : await registry.recipe(line.recipe);
    const adapter = line.recipe === null ? await registry.adapter(line.adapter) : null;
    const provider = recipe?.family.name ?? adapter?.name ?? line.adapter;
    const { id, params } = line;
    const unfinished = new Set(Object.keys(params).filter((name) => marked.has(line.placeOf([name]).line)));
    lines.push({ id, provider, isRecipe: line.recipe !== null, op: recipe?.opName ?? line.op, params, unfinished });
  }
  const taken = [...lines.map(({ id }) => id), ...(plan?.filtered.keys() ?? [])];
  return { lines, taken, environments: plan?.environments ?? defaultEnvironments };
}

/** The registry with the recipe families of a plan. `plan` reports their mistakes. */
export async function withFamiliesOf(text: string, file: string, registry: Registry): Promise<Registry> {
  const plan = await orNone(() => planOf(text, file));
  return plan ? (await withOwnFamilies(plan, registry)).registry : registry;
}

/** Reads the plan for previews. References to values of the run stay as they are written, because an added line takes them over. */
function planOf(text: string, file: string): Plan {
  const source = text.replaceAll(/\$(?=\{\s*(?:ctx|context)\b)/gi, '$$$$');
  const read = (environment: string): Plan =>
    planFromText(source, { path: file, display: file, context: { ...noContext, environment } }).plan;
  const plan = read('preview');
  const environment = previewEnvironment(plan.environments) ?? 'preview';
  return environment === 'preview' ? plan : read(environment);
}

const noContext = { scope: null, git: { sha: null, branch: null }, pr: { number: null } };

/** Tells whether the plan already has this line. A draft takes over the id of a line that the plan has. */
export function stands(standing: Standing, { id, provider, op }: DraftedLine): boolean {
  return standing.lines.some(
    (line) => line.id === id && line.provider === provider.adapter.name && line.isRecipe === provider.isRecipe && line.op === op,
  );
}

/** The values that all lines of a provider give for a param. A new line of this provider takes them too. */
export function knownParams(standing: Pick<Standing, 'lines'>, provider: string): { readonly [param: string]: string } {
  const values = new Map<string, Set<Expr | undefined>>();
  for (const line of standing.lines.filter((one) => one.provider === provider)) {
    for (const [name, value] of Object.entries(line.params)) {
      if (!line.unfinished.has(name)) values.set(name, (values.get(name) ?? new Set()).add(value));
    }
  }
  return Object.fromEntries(
    [...values].flatMap(([name, set]) => {
      const [only] = set;
      return set.size === 1 && typeof only === 'string' ? [[name, only]] : [];
    }),
  );
}

/** Returns `null` if the plan is broken. `plan` names the mistake and its place; `init` does not judge a plan. */
export async function orNone<T>(read: () => T | Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (thrown) {
    if (thrown instanceof Failure || thrown instanceof Failures) return null;
    throw thrown;
  }
}

/**
 * Finds every value of the plan that is still marked `# TODO`, by the same rules by which `plan` and `apply` refuse it. A value with
 * several aliases is found once, at its own place. `yaml`: the text, if it was read before.
 */
export function findTodos(text: string, file: string, yaml: YamlFile = readYaml(text, file)): readonly TodoDoc[] {
  const seen = new Set<Tree>();
  const todos: TodoDoc[] = [];
  const visit = (tree: Tree, path: string): void => {
    if (seen.has(tree)) return;
    seen.add(tree);
    const hint = yaml.todoOf(tree);
    if (hint !== null && path !== '') todos.push({ path, hint, file, line: tree.place.line });
    if (tree.kind === 'map') for (const { key, value } of tree.entries) visit(value, path === '' ? key : `${path}.${key}`);
    if (tree.kind === 'list') for (const [i, item] of tree.items.entries()) visit(item, `${path}[${i}]`);
  };
  visit(yaml.root, '');
  return todos.sort((a, b) => a.line - b.line);
}
