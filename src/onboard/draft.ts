import { isMap, type Json } from '../core/json.ts';
import type { DraftLine, Given } from '../ops/detect.ts';
import type { Adapter, Op } from '../ops/op.ts';

/** A provider for a draft: a built-in adapter, or a family of recipes. */
export interface DraftProvider {
  readonly adapter: Adapter;
  readonly isRecipe: boolean;
}

/** A value of a plan, and a hint for a person beside it. */
export interface DraftedValue {
  readonly value: Json;
  /** The value is a placeholder. This hint says where to find the real value. */
  readonly todo?: string;
  /** The value works as it is. This hint says what to check. */
  readonly check?: string;
}

/** A line of a drafted plan. */
export interface DraftedLine {
  readonly id: string;
  readonly provider: DraftProvider;
  readonly op: string;
  readonly comment: string;
  readonly params: readonly (readonly [name: string, value: DraftedValue])[];
  readonly dependsOn: readonly string[];
  /** The line gives a variable to the build; a plan may have several such lines. */
  readonly isVariable: boolean;
  /** The reason why the line is a comment; `null` if it is a line of the plan. */
  readonly aside: string | null;
}

/** A block under `providers` that a line needs. */
export interface DraftedBlock {
  readonly provider: DraftProvider;
  readonly keys: readonly (readonly [key: string, value: DraftedValue])[];
  readonly isAside: boolean;
}

export interface Draft {
  readonly blocks: readonly DraftedBlock[];
  readonly lines: readonly DraftedLine[];
}

/** The values that replace `{ of: … }`. */
export type Holes = { readonly [name: string]: DraftedValue };

/** The facts for drafting a line. */
export interface LineFacts {
  readonly provider: DraftProvider;
  /** The values from files of the repository, by param. */
  readonly ids: { readonly [param: string]: string };
  readonly unclear: { readonly [param: string]: readonly string[] };
  readonly repository: string;
  readonly holes: Holes;
  /** Ids of lines that got another name in this plan. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** The params of a drafted line: its own values, then values from files, then placeholders for the other required params. */
export function paramsOf(draft: DraftLine, facts: LineFacts): DraftedLine['params'] {
  const op = facts.provider.adapter.ops[draft.op];
  if (!op) throw new Error(`${facts.provider.adapter.name} drafts a line of ${draft.op}, and has no such operation`);
  const own = Object.entries(draft.params).map(([name, value]): [string, DraftedValue] => [name, ownValue(name, value, draft, facts)]);
  const known = Object.entries(facts.ids).flatMap(([name, value]): [string, DraftedValue][] =>
    name in op.params && !(name in draft.params) ? [[name, { value }]] : [],
  );
  const given = new Set([...own, ...known].map(([name]) => name));
  const missing = Object.entries(op.params).flatMap(([name, spec]): [string, DraftedValue][] =>
    spec.required && !given.has(name) ? [[name, placeholder(facts.provider.adapter.name, name, spec, facts.unclear[name] ?? [])]] : [],
  );
  return inOrderOf(op, [...own, ...known, ...missing]);
}

/** Sorts params into the order in which the operation documents them. */
function inOrderOf(op: Op, params: readonly [string, DraftedValue][]): DraftedLine['params'] {
  const order = Object.keys(op.params);
  return params.toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b));
}

function ownValue(name: string, value: Json, draft: DraftLine, facts: LineFacts): DraftedValue {
  const filled = fill(value, facts);
  const todo = draft.todo?.[name] ?? filled.todo;
  const check = draft.check?.[name] ?? filled.check;
  return { value: filled.value, ...(todo !== undefined && { todo }), ...(check !== undefined && { check }) };
}

/** Fills the holes of a value. A hint of a hole becomes a hint of the whole value. */
export function fill(value: Json, facts: Pick<LineFacts, 'holes' | 'repository' | 'renamed'>): DraftedValue {
  const hints: { todo?: string; check?: string } = {};
  const visit = (part: Json): Json => {
    if (typeof part === 'string') return part.replaceAll('${repository}', facts.repository);
    if (Array.isArray(part)) return part.map(visit);
    if (!isMap(part)) return part;
    if (typeof part.of === 'string' && Object.keys(part).length === 1) {
      const hole = facts.holes[part.of];
      if (!hole) throw new Error(`nothing fills { of: ${part.of} }`);
      if (hole.todo !== undefined) hints.todo ??= hole.todo;
      if (hole.check !== undefined) hints.check ??= hole.check;
      return hole.value;
    }
    if (typeof part.from === 'string' && Object.keys(part).length === 1) return { from: inPlan(part.from, facts.renamed) };
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, visit(inner)]));
  };
  return { value: visit(value), ...hints };
}

export function fillGiven(given: Given, facts: Pick<LineFacts, 'holes' | 'repository' | 'renamed'>): DraftedValue {
  if ('from' in given) return fill({ from: given.from }, facts);
  return { ...fill(given.text, facts), ...(given.todo !== undefined && { todo: given.todo }) };
}

function inPlan(reference: string, renamed: ReadonlyMap<string, string>): string {
  const [line = '', ...rest] = reference.split('.');
  return [renamed.get(line) ?? line, ...rest].join('.');
}

function placeholder(provider: string, name: string, spec: Op['params'][string], seen: readonly string[]): DraftedValue {
  const where = spec.todo ?? spec.doc;
  const todo = seen.length === 0 ? where : `one of ${seen.join(', ')}, from files of this repository. ${where}`;
  if (spec.type !== 'string' || spec.enum) return { value: spec.enum?.[0] ?? spec.example ?? spec.default ?? null, todo };
  const words = `${provider}_${name}`.split('_');
  return { value: `your-${[...new Set(words)].join('-')}`, todo };
}

/** The ids of the lines that a value refers to. */
export function references(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(references);
  if (!isMap(value)) return [];
  if (typeof value.from === 'string' && Object.keys(value).length === 1) return [value.from.split('.', 1)[0] ?? ''];
  return Object.values(value).flatMap(references);
}
