import { Failure } from '../core/errors.ts';
import { isMap, type Json } from '../core/json.ts';
import { didYouMean, nearest } from '../core/nearest.ts';
import { Sealed } from '../core/sealed.ts';
import { lineKeys } from '../plan/schema.ts';
import { type Expr, isReference, type PlanLine } from '../plan/types.ts';
import { Kept, Pending, type Value } from '../remote/value.ts';
import type { Params } from './bound.ts';
import type { Op, ParamSpec } from './op.ts';
import { literalProblem } from './param-rules.ts';
import { asPart } from './problem.ts';

export interface ParamReading {
  /** The params of the line, with unquoted numbers as text where text is wanted, and with defaults. */
  readonly params: { readonly [name: string]: Expr };
  readonly failures: readonly Failure[];
}

/** Checks the params of a line against those that its op declares, and finds every mistake before any request. */
export function readParams(op: Op, line: PlanLine): ParamReading {
  const failures: Failure[] = [];
  // The generic adapter gets the line's own params object, so every caller shares one parse of it.
  if (op.open && Object.keys(op.params).length === 0) return { params: line.params, failures: openProblems(op, line) };
  const params: { [name: string]: Expr } = {};
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(line.params)) {
    const spec = specOf(op, name);
    if (!spec) {
      if (op.open) params[name] = value;
      else {
        unknown.push(name);
        failures.push(unknownParam(op, line, name));
      }
      continue;
    }
    const walk = new Walk(line, name, spec);
    params[name] = walk.value(value, [name], spec);
    failures.push(...walk.failures);
  }
  for (const [name, spec] of Object.entries(op.params)) {
    if (Object.hasOwn(line.params, name)) continue;
    if (spec.default !== undefined) params[name] = spec.default;
    // One slip is one mistake: the param that is missing is the one with the wrong name.
    else if (spec.required && !unknown.some((slip) => nearest(slip, [name]) !== null)) failures.push(missingParam(line, name, spec));
  }
  if (op.open) failures.push(...openProblems(op, line));
  return { params, failures };
}

/**
 * Checks values from references by the same rules, once they are known. Secrets are checked too, because a wrong type would otherwise
 * fail at the provider. They are never quoted.
 */
export function checkResolved(op: Op, params: Params): readonly { readonly param: string; readonly failure: Failure }[] {
  return Object.entries(params).flatMap(([param, value]) => {
    const spec = specOf(op, param);
    const detail = spec && resolvedProblem(spec, value, param);
    return detail === null ? [] : [{ param, failure: new Failure('PARAM_INVALID', { detail }) }];
  });
}

/** The first mistake in a value, its entries included. */
function resolvedProblem(spec: ParamSpec, value: Value, where: string): string | null {
  if (value instanceof Pending || value instanceof Kept) return null;
  const seen = value instanceof Sealed ? value.reveal() : value;
  // A number may stand where text is wanted, like an unquoted number in the plan.
  const isText = spec.type === 'string' && (typeof seen === 'number' || typeof seen === 'boolean');
  const problem = isMap(seen) && spec.type === 'any' ? null : literalProblem(spec, isText ? String(seen) : seen);
  if (problem !== null) {
    return value instanceof Sealed ? `${where}, taken from ${value.origin}, does not have the needed form.` : `${where} ${problem}`;
  }
  if (!Array.isArray(seen)) return null;
  const wrong = (seen as readonly Value[]).map((item, i) => resolvedProblem(itemSpec(spec), item, `${where}.${i}`));
  return wrong.find((one) => one !== null) ?? null;
}

const specOf = (op: Op, name: string): ParamSpec | null => (Object.hasOwn(op.params, name) && op.params[name]) || null;

/** One param, down to its leaves: a reference may stand wherever a literal may. */
class Walk {
  readonly failures: Failure[] = [];
  readonly #line: PlanLine;
  readonly #name: string;
  readonly #isSecret: boolean;

  constructor(line: PlanLine, name: string, spec: ParamSpec) {
    this.#line = line;
    this.#name = name;
    this.#isSecret = spec.secret === true;
  }

  value(value: Expr, path: readonly (string | number)[], spec: ParamSpec): Expr {
    if (isReference(value)) return value;
    const wanted = this.#asText(value, path, spec);
    if (this.#isSecret && isText(wanted) && wanted !== '' && !this.#line.isPublic(path)) {
      this.#refuseSecret(path);
      return wanted;
    }
    const problem = literalProblem(spec, wanted);
    if (problem !== null) {
      const detail = `${this.#where(path)} ${problem}`;
      this.failures.push(new Failure('PARAM_INVALID', { detail, ...correctionOf(spec), place: this.#line.placeOf(path) }));
      return wanted;
    }
    if (isList(wanted)) return wanted.map((item, i) => this.value(item, [...path, i], itemSpec(spec)));
    if (isExprMap(wanted)) {
      return Object.fromEntries(Object.entries(wanted).map(([key, item]) => [key, this.value(item, [...path, key], anySpec)]));
    }
    return wanted;
  }

  /** `port: 8080` where text is wanted is the text `8080`, exactly as the plan writes it. */
  #asText(value: Expr, path: readonly (string | number)[], spec: ParamSpec): Expr {
    if (spec.type !== 'string' || (typeof value !== 'number' && typeof value !== 'boolean')) return value;
    return this.#line.textOf(path) ?? value;
  }

  #refuseSecret(path: readonly (string | number)[]): void {
    this.failures.push(
      new Failure('SECRET_LITERAL', {
        detail: `${this.#where(path)} is a secret, but its value is written out in the plan.`,
        place: this.#line.placeOf(path),
      }),
    );
  }

  #where(path: readonly (string | number)[]): string {
    return `${this.#line.id}.${[this.#name, ...path.slice(1)].join('.')}`;
  }
}

const anySpec: ParamSpec = { type: 'any', doc: '' };

/** The rules for each item of a list. Rules about text and numbers in the list's own spec are meant for its items. */
function itemSpec(spec: ParamSpec): ParamSpec {
  if (spec.type !== 'list') return anySpec;
  const { enum: known, pattern, format, minimum, maximum } = spec;
  return {
    type: spec.items ?? 'any',
    doc: spec.doc,
    ...(known && { enum: known }),
    ...(pattern !== undefined && { pattern }),
    ...(format && { format }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
}

const isText = (value: Expr): value is string => typeof value === 'string';
const isList = (value: Expr): value is readonly Expr[] => Array.isArray(value);
const isExprMap = (value: Expr): value is { readonly [name: string]: Expr } => isMap(value);

function unknownParam(op: Op, line: PlanLine, name: string): Failure {
  const known = Object.keys(op.params);
  return new Failure('PARAM_INVALID', {
    detail: `${line.id} has the param ${JSON.stringify(name)}, but ${line.recipe ?? `${line.adapter}.${line.op}`} has no such param.${didYouMean(name, [...known, ...Object.keys(lineKeys)])}`,
    fix: known.length > 0 ? `Remove it, or use one of ${known.join(', ')}.` : 'Remove it.',
    place: line.placeOf([name]),
  });
}

/** A fix with an example and the place where the value is found, where the param has them. */
function correctionOf({ example, todo }: ParamSpec): { readonly fix?: string } {
  const shown = typeof example === 'string' || typeof example === 'number' ? `, for example ${JSON.stringify(example)}` : '';
  const found = todo === undefined ? '' : ` Where its value is found: ${todo}`;
  return shown + found === '' ? {} : { fix: `Correct the param at the place shown${shown}.${found}` };
}

function missingParam(line: PlanLine, name: string, spec: ParamSpec): Failure {
  const example: Json | undefined = spec.example;
  return new Failure('PARAM_INVALID', {
    detail: `${line.id} lacks the param ${name}: ${spec.doc}`,
    fix: `Add \`${name}:\`${example === undefined ? '' : `, for example ${JSON.stringify(example)}`}.${spec.todo === undefined ? '' : ` Where its value is found: ${spec.todo}`}`,
    place: line.place,
  });
}

function openProblems(op: Op, line: PlanLine): readonly Failure[] {
  return (op.problems?.(line.params) ?? []).map((problem) => {
    const { detail, at } = asPart(problem);
    return new Failure('PARAM_INVALID', { detail: `${line.id}: ${detail}`, place: line.placeOf(at) });
  });
}
