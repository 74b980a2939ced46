import { isMap, type Json } from '../core/json.ts';
import { actionShape } from '../ops/generic/action.ts';
import { listItemShape } from '../ops/generic/list-item-shape.ts';
import { resourceShape } from '../ops/generic/resource-shape.ts';
import { matchProblems, shapeProblems } from '../ops/generic/shape.ts';
import type { QuotaAnswer, QuotaSpec } from '../ops/quota.ts';
import { namesOf } from '../remote/template.ts';
import { isPathAt, isPointerAt } from './expand-template.ts';

interface OpToCheck {
  readonly kind: 'resource' | 'list_item' | 'action' | 'address';
  readonly params: { readonly [name: string]: { readonly required?: boolean; readonly default?: Json } };
  readonly outputs: { readonly [name: string]: { readonly path?: string } };
  readonly destroy: 'delete' | 'keep' | 'never';
  readonly example: { readonly [name: string]: Json };
  readonly template: { readonly [name: string]: Json };
  readonly quota?: QuotaSpec;
}

/** Mistakes in one op of a family file that would otherwise show only when a line uses it. */
export function checkOp(op: OpToCheck): string[] {
  return [
    ...shapeProblems(shapes[op.kind], op.template).map(({ detail }) => detail),
    ...paramProblems(op),
    ...outputProblems(op),
    ...exampleProblems(op),
    ...destroyProblems(op),
    ...addressProblems(op),
    ...pageProblems(op.template.find),
    ...(op.quota?.answers ?? []).flatMap(quotaProblems),
  ];
}

const shapes = { resource: resourceShape(), list_item: listItemShape(), action: actionShape(), address: resourceShape() };

function quotaProblems({ match, empty }: QuotaAnswer): readonly string[] {
  if (empty && match) return ['quota.answers.empty and quota.answers.match contradict each other: an empty answer matches nothing.'];
  return matchProblems('quota.answers.match', match).map(({ detail }) => detail);
}

function paramProblems(op: OpToCheck): string[] {
  const used = new Set<string>();
  const problems: string[] = [];
  visit(op.template, [], (value, at) => {
    if (isMap(value) && Object.keys(value).length === 1 && typeof value.param === 'string') used.add(value.param);
    const text = typeof value === 'string' && (isPathAt(at) || isPointerAt(at)) ? value : '';
    for (const [what, filled] of [
      ['path', text],
      ['member', at.at(-1) ?? ''],
    ] as const)
      for (const name of namesOf(filled)) {
        used.add(name);
        const param = op.params[name];
        if (param && !param.required && param.default === undefined)
          problems.push(`The ${what} ${filled} needs ${name}, but a line may leave that param out.`);
      }
  });
  for (const name of used)
    if (!Object.hasOwn(op.params, name)) problems.push(`The template uses the param ${name}, but the recipe does not declare it.`);
  for (const name of Object.keys(op.params))
    if (!used.has(name)) problems.push(`The recipe declares the param ${name}, but does not use it.`);
  return problems;
}

function outputProblems(op: OpToCheck): string[] {
  if ('outputs' in op.template) return ['Outputs must stand beside the template, each with its doc and path.'];
  return Object.entries(op.outputs).flatMap(([name, output]) => {
    if (name === 'id' && op.kind !== 'action')
      return output.path === undefined ? [] : ['The output id must not have a path, because id_path gives it.'];
    return output.path === undefined ? [`The output ${name} has no path.`] : [];
  });
}

function exampleProblems(op: OpToCheck): string[] {
  const missing = Object.entries(op.params).filter(([name, param]) => param.required && !Object.hasOwn(op.example, name));
  const unknown = Object.keys(op.example).filter((name) => !Object.hasOwn(op.params, name));
  return [
    ...missing.map(([name]) => `The example lacks ${name}.`),
    ...unknown.map((name) => `The example has ${name}, which is not a param.`),
  ];
}

function destroyProblems(op: OpToCheck): string[] {
  const canDelete = op.kind !== 'resource' || 'delete' in op.template;
  return canDelete === (op.destroy !== 'never') ? [] : ['A resource must say `destroy: never` if it has no delete, and only then.'];
}

/** An address line only reads, and nobody could use another output of it. */
function addressProblems({ kind, template, outputs }: OpToCheck): string[] {
  if (kind !== 'address') return [];
  const writes = ['create', 'update', 'delete', 'ready', 'fields'].filter((part) => part in template);
  return [
    ...writes.map((part) => `An address line makes nothing, so its template must not have ${part}.`),
    ...(Object.keys(outputs).join() === 'url'
      ? []
      : ['An address line has the output url, whose path leads to the address, and no other.']),
  ];
}

/** Where pages are numbered and nothing tells the last one, each look costs one more request. So a recipe must say how the list ends. */
function pageProblems(find: Json | undefined): string[] {
  const page = isMap(find) && isMap(find.page) ? find.page : {};
  const says = (name: string): boolean => Object.hasOwn(page, name);
  if (page.kind === 'last_id')
    return says('more') ? [] : ['find.page needs more: a pointer to a value that is true while there is another page.'];
  if (page.kind !== 'page' && page.kind !== 'offset') return [];
  const isKnown = says('cap') || says('total');
  if (isKnown && says('until_empty')) return ['find.page says until_empty, but also cap or total, which tell the last page.'];
  return isKnown || says('until_empty')
    ? []
    : ["find.page does not say how the list ends: cap, total, or until_empty where the provider's description tells neither."];
}

function visit(value: Json, at: readonly string[], see: (value: Json, at: readonly string[]) => void): void {
  see(value, at);
  if (Array.isArray(value)) for (const [i, item] of (value as readonly Json[]).entries()) visit(item, [...at, String(i)], see);
  else if (isMap(value))
    for (const [name, item] of Object.entries(value as { readonly [name: string]: Json })) visit(item, [...at, name], see);
}
