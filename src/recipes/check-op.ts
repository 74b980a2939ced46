import { isMap, type Json } from '../core/json.ts';
import { didYouMean } from '../core/nearest.ts';
import { type ConsolePage, consoleProblems } from '../ops/console.ts';
import { actionShape } from '../ops/generic/action.ts';
import { listItemShape } from '../ops/generic/list-item-shape.ts';
import { resourceShape } from '../ops/generic/resource-shape.ts';
import { type Mistake, matchProblems, shapeMistakes } from '../ops/generic/shape.ts';
import type { ParamSpec } from '../ops/op.ts';
import { literalProblem } from '../ops/param-rules.ts';
import type { PartProblem } from '../ops/problem.ts';
import type { Figures, QuotaAnswer, QuotaSpec } from '../ops/quota.ts';
import { requiredNames, subjectNames } from '../ops/subject.ts';
import { lineKeys } from '../plan/schema.ts';
import { namesOf } from '../remote/template.ts';
import { isPathAt, isPointerAt } from './expand-template.ts';

interface OpToCheck {
  readonly subject?: string;
  readonly console?: ConsolePage;
  readonly kind: 'resource' | 'list_item' | 'action' | 'address';
  readonly params: { readonly [name: string]: ParamSpec };
  readonly outputs: { readonly [name: string]: { readonly path?: string; readonly sensitive?: boolean } };
  readonly destroy: 'delete' | 'keep' | 'never';
  readonly example: { readonly [name: string]: Json };
  readonly template: { readonly [name: string]: Json };
  readonly quota?: QuotaSpec;
}

type At = PartProblem['at'];

/** Mistakes in one op of a family file that would otherwise show only when a line uses it, each at its part of the op. */
export function checkOp(op: OpToCheck): readonly Mistake[] {
  return [
    ...shapeMistakes(shapes[op.kind], op.template).map((mistake) => ({ ...mistake, at: ['template', ...mistake.at] })),
    ...Object.entries(op.params).flatMap(([name, spec]) => specProblems(name, spec).map((detail) => ({ detail, at: ['params', name] }))),
    ...paramProblems(op),
    ...subjectProblems(op),
    ...consolePageProblems(op),
    ...outputProblems(op),
    ...exampleProblems(op),
    ...destroyProblems(op),
    ...addressProblems(op),
    ...pageProblems(op.template.find),
    ...(op.quota?.answers ?? []).flatMap((answer, i) => quotaProblems(answer, ['quota', 'answers', i])),
    ...(op.quota?.figures ? figuresProblems(op, op.quota.figures) : []),
  ];
}

const shapes = { resource: resourceShape(), list_item: listItemShape(), action: actionShape(), address: resourceShape() };

function quotaProblems({ match, empty }: QuotaAnswer, at: At): readonly PartProblem[] {
  if (empty && match)
    return [{ detail: 'quota.answers.empty and quota.answers.match contradict each other: an empty answer matches nothing.', at }];
  return matchProblems('quota.answers.match', match).map(({ detail }) => ({ detail, at }));
}

/** Only a create takes room, and a place is known only by params that every line has. */
function figuresProblems({ kind, params }: OpToCheck, { limit, count }: Figures): readonly PartProblem[] {
  const at = ['quota', 'figures'];
  if (kind !== 'resource' && kind !== 'list_item') return [{ detail: `quota.figures is for objects, and ${kind} makes none.`, at }];
  const unknown = Object.entries({ limit, count }).flatMap(([part, { path }]) =>
    namesOf(path).flatMap((name) => {
      const param = Object.hasOwn(params, name) ? params[name] : undefined;
      const isGiven = param !== undefined && (param.required === true || param.default !== undefined);
      if (isGiven && !param.secret) return [];
      const why = !param
        ? `the recipe does not declare it.${didYouMean(name, Object.keys(params))}`
        : param.secret
          ? 'it is secret.'
          : 'a line may leave that param out.';
      return [{ detail: `The path ${path} needs ${name}, but ${why}`, at: [...at, part, 'path'] }];
    }),
  );
  const isEmpty = count.match !== undefined && Object.keys(count.match).length === 0;
  const every = { detail: 'quota.figures.count.match is empty. Leave it out where all entries count.', at: [...at, 'count', 'match'] };
  return [...unknown, ...(isEmpty ? [every] : [])];
}

/** Mistakes in what a param may hold, which no line could make good. */
function specProblems(name: string, spec: ParamSpec): readonly string[] {
  if (Object.hasOwn(lineKeys, name)) return [`${name} is a key of every line, so no line could give the param.`];
  if (spec.pattern !== undefined && !isPattern(spec.pattern)) return [`The pattern of ${name} is not a regular expression.`];
  if (JSON.stringify(spec.default ?? null).includes(contextValue))
    return [`The default of ${name} holds ${contextValue}…}, which only a plan fills in. Make the param required.`];
  const wrong = spec.default === undefined ? null : literalProblem(spec, spec.default);
  return wrong === null ? [] : [`The default of ${name} ${wrong}`];
}

/** A value of the run, as a plan names it. */
const contextValue = '${ctx.';

function isPattern(text: string): boolean {
  try {
    return Boolean(new RegExp(text, 'u'));
  } catch {
    return false;
  }
}

function paramProblems(op: OpToCheck): readonly PartProblem[] {
  const used = new Map<string, At>();
  const problems: PartProblem[] = [];
  visit(op.template, [], (value, at) => {
    const here = ['template', ...at];
    if (typeof value === 'string' && value.includes(contextValue))
      problems.push({ detail: `The template holds ${contextValue}…}, which only a plan fills in. Use a param.`, at: here });
    const use = (name: string): void => void (used.has(name) || used.set(name, here));
    if (isMap(value) && Object.keys(value).length === 1 && typeof value.param === 'string') use(value.param);
    const text = typeof value === 'string' && (isPathAt(at) || isPointerAt(at)) ? value : '';
    for (const [what, filled] of [
      ['path', text],
      ['member', at.at(-1) ?? ''],
    ] as const)
      for (const name of namesOf(filled)) {
        use(name);
        const param = Object.hasOwn(op.params, name) ? op.params[name] : undefined;
        if (param && !param.required && param.default === undefined)
          problems.push({ detail: `The ${what} ${filled} needs ${name}, but a line may leave that param out.`, at: here });
      }
  });
  const known = Object.keys(op.params);
  for (const [name, at] of used)
    if (!Object.hasOwn(op.params, name))
      problems.push({ detail: `The template uses the param ${name}, but the recipe does not declare it.${didYouMean(name, known)}`, at });
  for (const name of known)
    if (!used.has(name)) problems.push({ detail: `The recipe declares the param ${name}, but does not use it.`, at: ['params', name] });
  return problems;
}

function subjectProblems({ subject = '', params }: OpToCheck): readonly PartProblem[] {
  const mustBeThere = new Set(requiredNames(subject));
  return subjectNames(subject).flatMap((name) => {
    const say = (detail: string): readonly PartProblem[] => [{ detail, at: ['subject'] }];
    const param = Object.hasOwn(params, name) ? params[name] : undefined;
    if (!param) return say(`The subject names the param ${name}, but the recipe does not declare it.`);
    if (param.secret) return say(`The subject names ${name}, which is secret.`);
    const isGiven = param.required === true || param.default !== undefined;
    return isGiven || !mustBeThere.has(name)
      ? []
      : say(`The subject names ${name} outside of brackets, but a line may leave that param out.`);
  });
}

function consolePageProblems({ console, outputs }: OpToCheck): readonly PartProblem[] {
  if (!console) return [];
  const plain = Object.entries(outputs).flatMap(([name, { sensitive }]) => (sensitive ? [] : [name]));
  return consoleProblems(console, plain).map((detail) => ({ detail, at: ['console'] }));
}

function outputProblems(op: OpToCheck): readonly PartProblem[] {
  if ('outputs' in op.template)
    return [{ detail: 'Outputs must stand beside the template, each with its doc and path.', at: ['template', 'outputs'] }];
  return Object.entries(op.outputs).flatMap(([name, output]) => {
    const at = ['outputs', name];
    if (name === 'id' && op.kind !== 'action')
      return output.path === undefined ? [] : [{ detail: 'The output id must not have a path, because id_path gives it.', at }];
    return output.path === undefined ? [{ detail: `The output ${name} has no path.`, at }] : [];
  });
}

function exampleProblems(op: OpToCheck): readonly PartProblem[] {
  const known = Object.keys(op.params);
  const missing = Object.entries(op.params).filter(([name, param]) => param.required && !Object.hasOwn(op.example, name));
  const unknown = Object.keys(op.example).filter((name) => !Object.hasOwn(op.params, name));
  return [
    ...missing.map(([name]) => ({ detail: `The example lacks ${name}.`, at: ['example'] })),
    ...unknown.map((name) => ({
      detail: `The example has ${name}, which is not a param.${didYouMean(name, known)}`,
      at: ['example', name],
    })),
  ];
}

function destroyProblems(op: OpToCheck): readonly PartProblem[] {
  const canDelete = op.kind !== 'resource' || 'delete' in op.template;
  if (canDelete === (op.destroy !== 'never')) return [];
  return [{ detail: 'A resource must say `destroy: never` if it has no delete, and only then.', at: ['destroy'] }];
}

/** An address line only reads, and nobody could use another output of it. */
function addressProblems({ kind, template, outputs }: OpToCheck): readonly PartProblem[] {
  if (kind !== 'address') return [];
  const writes = ['create', 'update', 'delete', 'ready', 'fields'].filter((part) => part in template);
  return [
    ...writes.map((part) => ({ detail: `An address line makes nothing, so its template must not have ${part}.`, at: ['template', part] })),
    ...(Object.keys(outputs).join() === 'url'
      ? []
      : [{ detail: 'An address line has the output url, whose path leads to the address, and no other.', at: ['outputs'] }]),
  ];
}

/** Where pages are numbered and nothing tells the last one, each look costs one more request. So a recipe must say how the list ends. */
function pageProblems(find: Json | undefined): readonly PartProblem[] {
  const page = isMap(find) && isMap(find.page) ? find.page : {};
  const says = (name: string): boolean => Object.hasOwn(page, name);
  const flaw = (detail: string) => [{ detail, at: ['template', 'find', 'page'] }];
  if (page.kind === 'last_id')
    return says('more') ? [] : flaw('find.page needs more: a pointer to a value that is true while there is another page.');
  if (page.kind !== 'page' && page.kind !== 'offset') return [];
  const isKnown = says('cap') || says('total');
  if (isKnown && says('until_empty')) return flaw('find.page says until_empty, but also cap or total, which tell the last page.');
  return isKnown || says('until_empty')
    ? []
    : flaw("find.page does not say how the list ends: cap, total, or until_empty where the provider's description tells neither.");
}

function visit(value: Json, at: readonly string[], see: (value: Json, at: readonly string[]) => void): void {
  see(value, at);
  if (Array.isArray(value)) for (const [i, item] of (value as readonly Json[]).entries()) visit(item, [...at, String(i)], see);
  else if (isMap(value))
    for (const [name, item] of Object.entries(value as { readonly [name: string]: Json })) visit(item, [...at, name], see);
}
