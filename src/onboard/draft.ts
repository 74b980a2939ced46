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
  /** Where each variable goes that a drafted line gives. */
  readonly wired: readonly WiredValue[];
  /** Values that are handed to nobody, with the reason. */
  readonly unwired: readonly { readonly service: string; readonly why: string }[];
}

export interface WiredValue {
  readonly variable: string;
  /** The folder of the deployable. */
  readonly deployable: string;
  readonly service: string;
  /** `database.connection_uri`, or the line alone where the value holds no output. */
  readonly from: string;
  /** `job`: CI builds the deployable, so its job has to hand over the value. */
  readonly where: 'host' | 'job';
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
  /** Values in place of outputs (`app.name`) of lines that the plan does not have, because something else makes their object. */
  readonly made?: ReadonlyMap<string, DraftedValue>;
}

/** The params of a drafted line: its own values, then values from files, then placeholders for the other required params. */
export function paramsOf(draft: DraftLine, facts: LineFacts): DraftedLine['params'] {
  const op = facts.provider.adapter.ops[draft.op];
  if (!op) throw new Error(`${facts.provider.adapter.name} drafts a line of ${draft.op}, and has no such operation`);
  const own = Object.entries(draft.params).map(([name, value]): [string, DraftedValue] => {
    const known = draft.todo?.[name] === undefined ? undefined : facts.ids[name];
    return [name, known === undefined ? ownValue(name, value, draft, facts) : { value: asParam(known, op.params[name]) }];
  });
  const known = Object.entries(facts.ids).flatMap(([name, value]): [string, DraftedValue][] =>
    name in op.params && !(name in draft.params) ? [[name, { value: asParam(value, op.params[name]) }]] : [],
  );
  const given = new Set([...own, ...known].map(([name]) => name));
  const missing = Object.entries(op.params).flatMap(([name, spec]): [string, DraftedValue][] =>
    spec.required && !given.has(name) ? [[name, placeholder(facts.provider.adapter.name, name, spec, facts.unclear[name] ?? [])]] : [],
  );
  return inOrderOf(op, [...own, ...known, ...missing]);
}

/** A value of a file is a text, and a param may be a list of them. */
const asParam = (value: string, spec: Op['params'][string] | undefined): Json => (spec?.type === 'list' ? [value] : value);

/** Sorts params into the order in which the operation documents them. */
function inOrderOf(op: Op, params: readonly [string, DraftedValue][]): DraftedLine['params'] {
  const order = Object.keys(op.params);
  return params.toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b));
}

function ownValue(name: string, value: Json, draft: DraftLine, facts: LineFacts): DraftedValue {
  const words = draft.words?.[name];
  const { text, isWhole } = typeof value === 'string' && words ? inWords(value, words, facts.ids) : { text: value, isWhole: false };
  const filled = fill(text, facts);
  const todo = isWhole ? filled.todo : (draft.todo?.[name] ?? filled.todo);
  const check = draft.check?.[name] ?? filled.check;
  return { value: filled.value, ...(todo !== undefined && { todo }), ...(check !== undefined && { check }) };
}

type FillFacts = Pick<LineFacts, 'holes' | 'repository' | 'renamed' | 'made'>;

/** Fills the holes of a value. A hint of a hole becomes a hint of the whole value. */
export function fill(value: Json, facts: FillFacts): DraftedValue {
  const hints: { todo?: string; check?: string } = {};
  const given = ({ value: inner, todo, check }: DraftedValue): Json => {
    if (todo !== undefined) hints.todo ??= todo;
    if (check !== undefined) hints.check ??= check;
    return inner;
  };
  const visit = (part: Json): Json => {
    if (typeof part === 'string') return inText(part, facts, given);
    if (Array.isArray(part)) return part.map(visit);
    if (!isMap(part)) return part;
    if (typeof part.of === 'string' && Object.keys(part).length === 1) {
      const hole = facts.holes[part.of];
      if (!hole) throw new Error(`nothing fills { of: ${part.of} }`);
      return given(hole);
    }
    if (typeof part.from === 'string' && Object.keys(part).length === 1) {
      const made = facts.made?.get(part.from);
      return made ? given(made) : { from: inPlan(part.from, facts.renamed) };
    }
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, visit(inner)]));
  };
  return { value: visit(value), ...hints };
}

/** `ids` fill the words of a text. Where they fill all of them, nothing is left to complete. */
export function fillGiven(given: Given, facts: FillFacts, ids: LineFacts['ids'] = {}): DraftedValue {
  if ('from' in given) return fill({ from: given.from }, facts);
  const { text, isWhole } = inWords(given.text, given.words ?? {}, ids);
  return { ...fill(text, facts), ...(given.todo !== undefined && !isWhole && { todo: given.todo }) };
}

/** A text with the words replaced that files know. `isWhole`: there is a word, and files know all of them. */
function inWords(given: string, words: { readonly [word: string]: string }, ids: LineFacts['ids']) {
  const all = Object.entries(words);
  const text = all.reduce((now, [word, param]) => now.replaceAll(word, () => ids[param] ?? word), given);
  return { text, isWhole: all.length > 0 && all.every(([, param]) => ids[param] !== undefined) };
}

/** An output of a line inside of a text: `${database.hostname}`. */
const inside = /(?<!\$)\$\{([a-z][a-z0-9-]*)\.([a-z][a-z0-9_]*)\}/g;

function inText(text: string, { repository, renamed, made }: FillFacts, given: (value: DraftedValue) => Json): string {
  return text.replaceAll('${repository}', repository).replace(inside, (whole, line: string, output: string) => {
    if (line === 'ctx') return whole;
    const known = made?.get(`${line}.${output}`);
    return known ? String(given(known)) : `\${${renamed.get(line) ?? line}.${output}}`;
  });
}

function inPlan(reference: string, renamed: ReadonlyMap<string, string>): string {
  const [line = '', ...rest] = reference.split('.');
  return [renamed.get(line) ?? line, ...rest].join('.');
}

/** A value that a person must replace, with the hint of its param. */
export function placeholder(provider: string, name: string, spec: Op['params'][string], seen: readonly string[]): DraftedValue {
  const where = spec.todo ?? spec.doc;
  const todo = seen.length === 0 ? where : `one of ${seen.join(', ')}, from files of this repository. ${where}`;
  if (spec.type !== 'string' || spec.enum) return { value: spec.enum?.[0] ?? spec.example ?? spec.default ?? null, todo };
  const words = `${provider}_${name}`.split('_');
  return { value: `your-${[...new Set(words)].join('-')}`, todo };
}

/** The ids of the lines that a value refers to. */
export function references(value: Json): readonly string[] {
  if (typeof value === 'string') return [...value.matchAll(inside)].flatMap(([, line = '']) => (line === 'ctx' ? [] : [line]));
  if (Array.isArray(value)) return value.flatMap(references);
  if (!isMap(value)) return [];
  if (typeof value.from === 'string' && Object.keys(value).length === 1) return [value.from.split('.', 1)[0] ?? ''];
  return Object.values(value).flatMap(references);
}
