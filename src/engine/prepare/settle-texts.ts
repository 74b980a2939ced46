import { Failure } from '../../core/errors.ts';
import { isMap, mapValues } from '../../core/json.ts';
import { didYouMean } from '../../core/nearest.ts';
import type { Op, ParamSpec } from '../../ops/op.ts';
import type { Registry } from '../../ops/registry.ts';
import { resolveOp } from '../../ops/resolve-op.ts';
import { Problems, quote } from '../../plan/problems.ts';
import { composed, contextValues } from '../../plan/substitute.ts';
import {
  Composed,
  type ComposedPart,
  type Expr,
  FromRef,
  isReference,
  KeepRef,
  literalsOf,
  Mention,
  type Plan,
  type PlanExport,
  type PlanLine,
} from '../../plan/types.ts';
import { referenceOf } from '../../plan/values.ts';

/** A plan whose texts hold no open `${…}` any more. */
export interface SettledPlan {
  readonly plan: Plan;
  readonly warnings: readonly string[];
}

/**
 * Decides for each `${…}` of the plan's texts, those of `exports` too, what it is: an output of a line, or a template of the provider in a param that takes such. All
 * else is `REF_UNKNOWN`, because a provider would get a slip as text. The order of the lines follows from the result.
 */
export async function settleTexts(plan: Plan, registry: Registry, problems: Problems): Promise<SettledPlan> {
  const open = new Set(plan.lines.filter(({ params }) => hasMention(params)));
  const isOpen = plan.exports?.some(({ value }) => hasMention(value)) ?? false;
  if (open.size === 0 && !isOpen) return { plan, warnings: [] };
  const ops = new Map<string, Op>();
  for (const line of plan.lines) {
    // A mistake in adapter or op is reported when the line itself is prepared.
    const resolved = await resolveOp(line, registry, new Problems());
    if (resolved) ops.set(line.id, resolved.op);
  }
  const settling = new Settling(plan, ops, problems);
  const lines = plan.lines.map((line) => (open.has(line) ? settling.line(line) : line));
  const exports = plan.exports && settling.exports(plan.exports);
  return { plan: { ...plan, lines, exports }, warnings: settling.warnings };
}

function hasMention(value: Expr): boolean {
  if (value instanceof Composed) return value.parts.some((part) => part instanceof Mention);
  if (isReference(value) || typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((item: Expr) => hasMention(item));
}

class Settling {
  readonly warnings: string[] = [];
  readonly #plan: Plan;
  readonly #ops: ReadonlyMap<string, Op>;
  readonly #problems: Problems;
  readonly #byId: ReadonlyMap<string, PlanLine>;

  constructor(plan: Plan, ops: ReadonlyMap<string, Op>, problems: Problems) {
    this.#plan = plan;
    this.#ops = ops;
    this.#problems = problems;
    this.#byId = new Map(plan.lines.map((line) => [line.id, line]));
  }

  line(line: PlanLine): PlanLine {
    const op = this.#ops.get(line.id);
    const specs: { readonly [name: string]: ParamSpec } = op?.params ?? {};
    const params = mapValues(line.params, (value, name) => {
      const takesTemplates = Object.hasOwn(specs, name) && specs[name]?.templates === true;
      return this.#value(value, takesTemplates ? (mention) => this.#template(mention, line, name) : (mention) => this.#reference(mention));
    });
    return { ...line, params };
  }

  exports(all: readonly PlanExport[]): readonly PlanExport[] {
    return all.map((one) => ({ ...one, value: this.#value(one.value, (mention) => this.#reference(mention)) }));
  }

  #value(value: Expr, settle: (mention: Mention) => Expr): Expr {
    if (value instanceof Composed) return this.#text(value, settle);
    if (isReference(value) || typeof value !== 'object' || value === null) return value;
    if (isMap(value)) return mapValues(value as { readonly [name: string]: Expr }, (item) => this.#value(item, settle));
    return (value as readonly Expr[]).map((item) => this.#value(item, settle));
  }

  #text({ parts, spot, place }: Composed, settle: (mention: Mention) => Expr): Expr {
    const settled: ComposedPart[] = [];
    for (const part of parts) {
      const value = part instanceof Mention ? settle(part) : part;
      if (value instanceof KeepRef) return value;
      settled.push(typeof value === 'string' ? { text: value, isValue: false } : (value as ComposedPart));
    }
    // A whole value keeps its type: `${database.port}` is a number.
    const [only] = settled;
    return settled.length === 1 && only instanceof FromRef ? only : composed(settled, spot, place);
  }

  #reference(mention: Mention): Expr {
    const ref = mention.isClosed ? referenceOf(mention.name, mention.place) : null;
    if (ref && this.#plan.ids.has(ref.line)) return ref;
    const { source, name, isClosed, place } = mention;
    const detail = isClosed
      ? `${quote(source)} names neither an output of a line nor a value of the run.${this.#hint(name)}`
      : `${quote(source)} is not closed with \`}\`.`;
    const fix = isClosed
      ? 'Name an output of a line, ${<line>.<output>}, or a value of the run, ${ctx.scope}. Write $${ for a ${ that the provider must get as text.'
      : 'Close it with `}`, or write `$${` for a `${` that is only text.';
    this.#problems.take(new Failure('REF_UNKNOWN', { detail, fix, place }));
    return new KeepRef(place);
  }

  /** Text of the provider, unless this plan has the output. */
  #template({ source, name, isClosed, place }: Mention, line: PlanLine, param: string): Expr {
    const ref = isClosed ? referenceOf(name, place) : null;
    const outputs = ref && this.#outputsOf(ref.line);
    if (!ref || !outputs) return source;
    const isOurs = outputs.includes(ref.output);
    this.warnings.push(
      isOurs
        ? `${line.id}.${param}: ${source} is the output of the line ${ref.line} of this plan. Write $${source} where the provider must get it as text.`
        : `${line.id}.${param}: ${source} is sent as it stands, because the line ${ref.line} has no such output.${didYouMean(ref.output, outputs)}`,
    );
    return isOurs ? ref : source;
  }

  #outputsOf(id: string): readonly string[] | null {
    const [line, op] = [this.#byId.get(id), this.#ops.get(id)];
    return line && op ? Object.keys(op.outputsFor?.(literalsOf(line.params)) ?? op.outputs) : null;
  }

  #hint(name: string): string {
    const outputs = this.#outputsOf(name);
    if (outputs) return ` ${name} is a line; its outputs are ${outputs.length === 0 ? 'none' : outputs.join(', ')}.`;
    const value = Object.keys(contextValues).find((known) => known.endsWith(`.${name}`));
    if (value !== undefined) return ` Did you mean "${value}"?`;
    const known = this.#plan.lines.flatMap(({ id }) => (this.#outputsOf(id) ?? []).map((output) => `${id}.${output}`));
    return didYouMean(name, [...Object.keys(contextValues), ...known, ...this.#plan.ids]);
  }
}
