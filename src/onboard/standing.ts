import type { Registry } from '../adapters/registry.ts';
import { Failure } from '../core/errors.ts';
import { planFromText } from '../plan/load.ts';
import type { Expr, PlanLine } from '../plan/types.ts';
import type { DraftedLine } from './draft.ts';

/** A line that a plan has already, under the canonical name of its operation. */
interface StandingLine {
  readonly id: string;
  readonly provider: string;
  readonly isRecipe: boolean;
  readonly op: string;
  readonly params: PlanLine['params'];
}

/** What a plan that is there holds, as far as a draft has to know it. */
export interface Standing {
  readonly lines: readonly StandingLine[];
  /** Ids of lines by `<provider>.<op>`; the first of several. */
  readonly ids: ReadonlyMap<string, string>;
}

const noContext = { environment: 'preview', scope: null, git: { sha: null, branch: null }, pr: { number: null } };

/** The lines of a plan. One that does not parse holds none that are known: `plan` says what is wrong with it. */
export async function readStanding(text: string, file: string, registry: Registry): Promise<Standing> {
  const lines: StandingLine[] = [];
  for (const line of linesOf(text, file)) {
    const recipe = line.recipe === null ? null : await registry.recipe(line.recipe);
    const adapter = line.recipe === null ? registry.adapter(line.adapter) : null;
    const provider = recipe?.family.name ?? adapter?.name ?? line.adapter;
    lines.push({ id: line.id, provider, isRecipe: line.recipe !== null, op: recipe?.opName ?? line.op, params: line.params });
  }
  const ids = new Map(lines.toReversed().map(({ id, provider, op }) => [`${provider}.${op}`, id]));
  return { lines, ids };
}

function linesOf(text: string, file: string): readonly PlanLine[] {
  try {
    return planFromText(text, { path: file, display: file, context: noContext }).plan.lines;
  } catch (thrown) {
    if (thrown instanceof Failure || (thrown instanceof Error && 'failures' in thrown)) return [];
    throw thrown;
  }
}

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
    for (const [name, value] of Object.entries(line.params)) values.set(name, (values.get(name) ?? new Set()).add(value));
  }
  return Object.fromEntries(
    [...values].flatMap(([name, set]) => {
      const [only] = set;
      return set.size === 1 && typeof only === 'string' && !only.startsWith('your-') ? [[name, only]] : [];
    }),
  );
}
