import { z } from 'zod';
import { Failure } from '../../core/errors.ts';
import { isMap } from '../../core/json.ts';
import { didYouMean } from '../../core/nearest.ts';
import { once } from '../../core/once.ts';
import { asksForNothing } from '../../remote/says.ts';
import type { Value } from '../../remote/value.ts';
import type { PartProblem } from '../problem.ts';

/** Anything a plan may write as a value: literals, references, and in a recipe `{ param }` and `{ join }`. */
export const leaf = once(() => z.custom<Value>((value) => value !== undefined, 'a value'));

/** Text, or something that becomes text: a number, a reference, a `{ param }` or `{ join }` of a recipe. */
export const text = once(() => z.custom<Value>(isText, 'text'));

function isText(value: unknown): boolean {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return !isMap(value) || 'param' in value || 'join' in value;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

export const values = once(() => z.record(z.string(), leaf()));
export const pointer = once(() => z.string());

/** A match for the body of an answer. `matchProblems` finds its mistakes, beside the other keys of the line. */
const sentence =
  '`*` in the pointer stands for any entry of a list, `{ one_of: [...] }` for one of several values, `{ contains: <text> }` for a text there or below that holds this text, in any case of letters, and `{ absent: true }` for a member that is not there';
export const mayMatch = (meaning: string) => values().exactOptional().describe(`Pointer to value in the body of ${meaning}; ${sentence}.`);

/** A mistake in a part of the line, whose name begins the sentence: `flaw('find.match', 'is empty.')`. */
export const flaw = (part: string, rest: string): PartProblem => ({ at: part.split('.'), detail: `${part} ${rest}` });

/** Adds mistakes that the shape itself cannot tell, each at its part of the line. */
export function addFlaws(ctx: z.RefinementCtx, flaws: readonly Mistake[]): void {
  for (const { at, detail, ...more } of flaws) ctx.addIssue({ code: 'custom', message: detail, path: [...at], params: { sentence: more } });
}

export function matchProblems(where: string, match: { readonly [pointer: string]: unknown } | undefined): PartProblem[] {
  if (match === undefined) return [];
  if (Object.keys(match).length === 0) return [flaw(where, 'is empty, so every answer would match.')];
  const at = where.split('.');
  return Object.entries(match).flatMap(([pointer, want]) => wantedProblems(`${where}.${pointer}`, want).map((detail) => ({ at, detail })));
}

function wantedProblems(where: string, want: unknown): string[] {
  if (!isMap(want)) return [];
  if (Object.hasOwn(want, 'one_of')) {
    if (Object.keys(want).length > 1) return [`${where} has one_of and other members, but a choice of values must stand alone.`];
    const { one_of: choices } = want;
    if (!Array.isArray(choices) || choices.length === 0) return [`${where}.one_of must be a list with at least one value.`];
    return choices.flatMap((one: unknown, i) => wantedProblems(`${where}.one_of.${i}`, one));
  }
  if (Object.hasOwn(want, 'absent') && !asksForNothing(want)) return [`${where}.absent is true and stands alone, or is left out.`];
  if (!Object.hasOwn(want, 'contains')) return [];
  if (Object.keys(want).length > 1) return [`${where} has contains and other members, but a text to look for must stand alone.`];
  return want.contains === '' || !isText(want.contains) ? [`${where}.contains must be a text that is not empty.`] : [];
}

export const statuses = once(() => z.array(z.int().min(200).max(599)));

/** `name: pointer`, or a pointer with more facts about an output. */
export const outputs = once(() =>
  z.record(
    z.string(),
    z.union([
      pointer(),
      z.strictObject({
        path: pointer().describe('Pointer to the value inside the object.'),
        sensitive: z.boolean().exactOptional().describe('Never stored and never shown.'),
        once: z.boolean().exactOptional().describe('Exists only in the answer to the create.'),
      }),
    ]),
  ),
);

const pageEnd = () => ({
  cap: z
    .int()
    .positive()
    .exactOptional()
    .describe('The most entries of a page of this server, by its documentation: a shorter page is then the last one.'),
  total: pointer().exactOptional().describe('Pointer to the number of all entries. The list is whole with that many.'),
  until_empty: z
    .literal(true)
    .exactOptional()
    .describe(
      'The list is read to an empty page, because neither of the other two is known. That is the default, but a recipe must say so.',
    ),
});

export const paging = once(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z
        .literal('cursor')
        .describe(
          'How the next page is asked for. `cursor`: by a value of the answer. `page`: by its number. `offset`: by the number of entries before it. `last_id`: by the last entry. `next_url`: by an address in the answer. `link`: by the Link header.',
        ),
      next: pointer().describe('Pointer to the cursor; of a GraphQL answer, inside `data`.'),
      param: z.string().describe('The query parameter, or GraphQL variable, that takes it.'),
      more: pointer().exactOptional().describe('Pointer to a value that is true while there is another page.'),
    }),
    z.strictObject({
      kind: z.literal('page'),
      param: z.string(),
      first: z.int().exactOptional().describe('The number of the first page; 1 when left out.'),
      size: z.int().positive().exactOptional().describe('The entries of a page, as the request asks for them.'),
      ...pageEnd(),
    }),
    z.strictObject({ kind: z.literal('offset'), param: z.string(), size: z.int().positive(), ...pageEnd() }),
    z.strictObject({
      kind: z.literal('last_id'),
      param: z.string(),
      id: pointer().describe('Pointer to the id inside an entry.'),
      more: pointer().exactOptional(),
    }),
    z.strictObject({ kind: z.literal('next_url'), next: pointer() }),
    z.strictObject({ kind: z.literal('link') }),
  ]),
);

/** A difference between the sent and the shown value that means nothing, inside a value. */
export const alikeRule = once(() =>
  z.strictObject({
    default: leaf().exactOptional().describe('The meaning of an absent member.'),
    ignore_case: z.boolean().exactOptional().describe('true: texts that differ only in the case of their letters are equal.'),
    lone: z.boolean().exactOptional().describe('true: one value and a list of that one value are equal.'),
  }),
);

/** The keys of every request of a line. A request without GraphQL needs a path. */
export const request = once(() => ({
  path: text().exactOptional().describe('Path below the base URL; `{id}` stands for the id of the object.'),
  query: values().exactOptional().describe('Query parameters.'),
  headers: values().exactOptional().describe('Headers of this request, beside those of the API block.'),
  encoding: z
    .enum(['json', 'form', 'xml', 'multipart'])
    .exactOptional()
    .describe('How the body of this request is written, in place of the encoding of the API block.'),
}));

/** Checks params against their shape. The error names every mistake, with the nearest key that exists. */
export function parseShape<S extends z.ZodType>(schema: S, params: unknown): z.output<S> {
  const result = parsed(schema, params);
  if (result.success) return result.data;
  throw new Failure('PARAM_INVALID', {
    detail: problemsOf(schema, result.error.issues)
      .map(({ detail }) => detail)
      .join(' '),
  });
}

export const shapeProblems = (schema: z.ZodType, params: unknown): PartProblem[] =>
  shapeMistakes(schema, params).map(({ detail, at }) => ({ detail, at }));

/** A mistake with one thing to do about it, where the shape tells that. */
export interface Mistake extends PartProblem {
  readonly fix?: string;
  /** The last key of `at` is one that should not be there, or one that is not there. */
  readonly isOfKey?: true;
}

export function shapeMistakes(schema: z.ZodType, params: unknown): readonly Mistake[] {
  const result = parsed(schema, params);
  return result.success ? [] : problemsOf(schema, result.error.issues);
}

/** Params without a reference stay one object from the plan to the request, so check, trial and bind share one parse. */
function parsed<S extends z.ZodType>(schema: S, params: unknown): z.ZodSafeParseResult<z.output<S>> {
  const isObject = typeof params === 'object' && params !== null;
  const known = isObject ? results.get(params) : undefined;
  if (known?.schema === schema) return known.result as z.ZodSafeParseResult<z.output<S>>;
  const result = schema.safeParse(params, { reportInput: true });
  if (isObject) results.set(params, { schema, result });
  return result;
}

const results = new WeakMap<object, { readonly schema: z.ZodType; readonly result: z.ZodSafeParseResult<unknown> }>();

function problemsOf(schema: z.ZodType, issues: readonly z.core.$ZodIssue[]): Mistake[] {
  return issues.flatMap((issue): Mistake[] => {
    const at = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
    if (issue.code === 'unrecognized_keys') {
      const known = keysAt(schema, issue.path);
      const where = at.length === 0 ? '' : ` of ${at.join('.')}`;
      const fix = `Remove it, or use one of ${known.join(', ')}.`;
      return issue.keys.map((key) => ({
        detail: `"${key}" is not a key${where}.${didYouMean(key, known)}`,
        at: [...at, key],
        isOfKey: true,
        ...(known.length > 0 && { fix }),
      }));
    }
    if (issue.code === 'custom' && issue.params?.sentence) return [{ detail: issue.message, at, ...issue.params.sentence }];
    const meant = issue.code === 'invalid_union' ? meantBranch(issue) : null;
    if (meant) return problemsOf(schema, meant);
    const known = schemasAt(schema, issue.path);
    return [{ detail: sentenceOf(issue, at.join('.'), choicesOf(known)), at, ...remedyOf(issue, at, known) }];
  });
}

/** The mistakes of the form that comes nearest; `null` where the value is of no form at all, or of none more than of another. */
function meantBranch(issue: z.core.$ZodIssueInvalidUnion): readonly z.core.$ZodIssue[] | null {
  const inside = issue.errors
    .filter((branch) => !branch.some(({ code, path }) => code === 'invalid_type' && path.length === 0))
    .toSorted((a, b) => a.length - b.length);
  return inside[0]?.map((one) => ({ ...one, path: [...issue.path, ...one.path] })) ?? null;
}

/** One thing to do, where the mistake itself tells it. */
function remedyOf(issue: z.core.$ZodIssue, at: Mistake['at'], known: readonly unknown[]): Pick<Mistake, 'fix' | 'isOfKey'> {
  if (isMissing(issue)) return { fix: `Add \`${at.at(-1)}\`.`, isOfKey: true };
  if (issue.code === 'invalid_key') return { isOfKey: true };
  const choices = choicesOf(known);
  if (choices.length > 0 && isOfChoices(issue)) return { fix: `Write one of ${choices.join(', ')}.` };
  const firstKeys = known.flatMap((one) => (one instanceof z.ZodObject ? (Object.keys(one.shape)[0] ?? []) : []));
  if (issue.code !== 'invalid_union' || firstKeys.length === 0) return {};
  return { fix: `Write a map with ${[...new Set(firstKeys)].join(', or ')}.` };
}

/** Whether the value must be one of a few. A union without an error of its own was asked for the kind of a map. */
const isOfChoices = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'invalid_value' || (issue.code === 'invalid_union' && issue.errors.length === 0);

function sentenceOf(issue: z.core.$ZodIssue, at: string, choices: readonly string[]): string {
  if (isMissing(issue)) return `${at} is missing.`;
  if (issue.code === 'custom') return `${at || 'The line'} must be ${issue.message}.`;
  if (choices.length > 0 && isOfChoices(issue)) {
    const near = typeof issue.input === 'string' ? didYouMean(issue.input, choices) : '';
    return `${at} must be ${choices.length > 1 ? 'one of ' : ''}${choices.join(', ')}.${near}`;
  }
  if (issue.code === 'invalid_union') return `${at || 'The line'} has an unknown form.`;
  if (issue.code === 'invalid_key') return `The name ${at} must be ${issue.issues[0]?.message}.`;
  if (issue.code === 'invalid_format' && !issue.message.startsWith('Invalid')) return `${at} must be ${issue.message}.`;
  return `${at || 'The line'} is not valid: ${issue.message.replace(/^Invalid (input|option): /, '')}.`;
}

const isMissing = (issue: z.core.$ZodIssue): boolean =>
  issue.path.length > 0 &&
  issue.input === undefined &&
  ['custom', 'invalid_value', 'invalid_type', 'invalid_union'].includes(issue.code ?? '');

const keysAt = (schema: unknown, path: readonly PropertyKey[]): readonly string[] => [
  ...new Set(schemasAt(schema, path).flatMap((at) => (at instanceof z.ZodObject ? Object.keys(at.shape) : []))),
];

/** The words that a value may be, where there are few. */
const choicesOf = (schemas: readonly unknown[]): string[] =>
  schemas.flatMap((at) =>
    at instanceof z.ZodEnum ? at.options.map(String) : at instanceof z.ZodLiteral ? [...at.values].map(String) : [],
  );

/** Every schema that a value at this path may have. */
function schemasAt(schema: unknown, path: readonly PropertyKey[]): readonly unknown[] {
  const at = unwrapped(schema);
  if (at instanceof z.ZodUnion || at instanceof z.ZodDiscriminatedUnion)
    return (at.options as readonly unknown[]).flatMap((option) => schemasAt(option, path));
  const [next, ...rest] = path;
  if (next === undefined) return [at];
  if (at instanceof z.ZodObject) return Object.hasOwn(at.shape, next) ? schemasAt(at.shape[String(next)], rest) : [];
  if (at instanceof z.ZodArray) return schemasAt(at.element, rest);
  if (at instanceof z.ZodRecord) return schemasAt(at.valueType, rest);
  return [];
}

function unwrapped(schema: unknown): unknown {
  const isWrapper =
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault;
  return isWrapper ? unwrapped(schema.unwrap()) : schema;
}
