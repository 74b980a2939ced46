import { Failure, Failures } from '../core/errors.ts';
import type { TodoDoc } from '../engine/document.ts';
import type { Registry } from '../ops/registry.ts';
import { planFromText } from '../plan/load.ts';
import { readYaml } from '../plan/read-yaml.ts';
import type { Tree } from '../plan/tree.ts';
import type { Expr, Plan, PlanLine } from '../plan/types.ts';
import type { DraftedLine } from './draft.ts';
import { previewEnvironment } from './next-step.ts';

/** A line that a plan has already, under the canonical name of its operation. */
interface StandingLine {
  readonly id: string;
  readonly provider: string;
  readonly isRecipe: boolean;
  readonly op: string;
  readonly params: PlanLine['params'];
  /** Params whose value is still marked `# TODO`. */
  readonly unfinished: ReadonlySet<string>;
}

/** What a plan that is there holds, as far as a draft has to know it. */
export interface Standing {
  readonly lines: readonly StandingLine[];
  /** Ids of lines by `<provider>.<op>`; the first of several. */
  readonly ids: ReadonlyMap<string, string>;
  /** Every id that a line has, in whatever environment. */
  readonly taken: readonly string[];
}

/** The lines of a plan. One that does not parse holds none that are known: `plan` says what is wrong with it. */
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
  const ids = new Map(lines.toReversed().map(({ id, provider, op }) => [`${provider}.${op}`, id]));
  return { lines, ids, taken: [...lines.map(({ id }) => id), ...(plan?.filtered.keys() ?? [])] };
}

/** The plan as it is for previews. Values of the run stand in it as they are written: a line that is added takes them over. */
function planOf(text: string, file: string): Plan {
  const source = text.replaceAll(/\$(?=\{\s*(?:ctx|context)\b)/gi, '$$$$');
  const read = (environment: string): Plan =>
    planFromText(source, { path: file, display: file, context: { ...noContext, environment } }).plan;
  const plan = read('preview');
  const environment = previewEnvironment(plan.environments) ?? 'preview';
  return environment === 'preview' ? plan : read(environment);
}

const noContext = { scope: null, git: { sha: null, branch: null }, pr: { number: null } };

/** Whether the plan has this line already: one of its operation, and of variables the one of that name. */
export function stands(standing: Standing, line: DraftedLine): boolean {
  return standing.lines.some(
    ({ provider, isRecipe, op, params }) =>
      provider === line.provider.adapter.name &&
      isRecipe === line.provider.isRecipe &&
      op === line.op &&
      (!line.isVariable || line.params.some(([name, { value }]) => typeof value === 'string' && isName(value) && params[name] === value)),
  );
}

const isName = (text: string): boolean => /^[A-Z][A-Z0-9_]*$/.test(text);

/** Values that every line of a provider in the plan gives for a param, so that one more of its lines takes them too. */
export function knownParams(standing: Standing, provider: string): { readonly [param: string]: string } {
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

/** `null` for what a broken plan does not tell: `plan` says what is wrong with it, and where; `init` does not judge it. */
export async function orNone<T>(read: () => T | Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (thrown) {
    if (thrown instanceof Failure || thrown instanceof Failures) return null;
    throw thrown;
  }
}

/**
 * Every value of the plan that is still marked `# TODO`, by the same reading that `plan` and `apply` refuse it with. A value that
 * several aliases name is told once, at its own place.
 */
export function findTodos(text: string, file: string): readonly TodoDoc[] {
  const yaml = readYaml(text, file);
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
