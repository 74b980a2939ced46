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
export function addFlaws(ctx: z.RefinementCtx, flaws: readonly PartProblem[]): void {
  for (const { at, detail } of flaws) ctx.addIssue({ code: 'custom', message: detail, path: [...at], params: { sentence: true } });
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

export function shapeProblems(schema: z.ZodType, params: unknown): PartProblem[] {
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

function problemsOf(schema: z.ZodType, issues: readonly z.core.$ZodIssue[]): PartProblem[] {
  return issues.flatMap((issue) => {
    const at = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
    if (issue.code === 'unrecognized_keys') {
      const known = keysAt(schema, issue.path);
      const where = at.length === 0 ? '' : ` of ${at.join('.')}`;
      return issue.keys.map((key) => ({ detail: `"${key}" is not a key${where}.${didYouMean(key, known)}`, at: [...at, key] }));
    }
    if (issue.code === 'custom' && issue.params?.sentence === true) return [{ detail: issue.message, at }];
    return [{ detail: sentenceOf(issue, at.join('.')), at }];
  });
}

function sentenceOf(issue: z.core.$ZodIssue, at: string): string {
  if (issue.code === 'custom' && issue.input === undefined && at !== '') return `${at} is missing.`;
  if (issue.code === 'custom') return `${at || 'The line'} must be ${issue.message}.`;
  if (issue.code === 'invalid_type' && issue.input === undefined && isMissing(issue)) return `${at} is missing.`;
  if (issue.code === 'invalid_union') return `${at || 'The line'} has an unknown form.`;
  return `${at || 'The line'} is not valid: ${issue.message.replace(/^Invalid (input|option): /, '')}.`;
}

const isMissing = (issue: z.core.$ZodIssue): boolean => issue.message.endsWith('received undefined');

function keysAt(schema: unknown, path: readonly PropertyKey[]): string[] {
  const at = unwrapped(schema);
  const [next, ...rest] = path;
  if (next === undefined) return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
  if (at instanceof z.ZodObject) return keysAt(at.shape[String(next)], rest);
  if (at instanceof z.ZodArray) return keysAt(at.element, rest);
  if (at instanceof z.ZodRecord) return keysAt(at.valueType, rest);
  if (at instanceof z.ZodUnion) return at.options.flatMap((option: unknown) => keysAt(option, path));
  return [];
}

function unwrapped(schema: unknown): unknown {
  if (schema instanceof z.ZodExactOptional || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return unwrapped(schema.unwrap());
  return schema;
}
