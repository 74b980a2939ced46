import { z } from 'zod';
import { once } from '../../core/once.ts';
import { getAt, splitPointer } from '../../core/pointer.ts';
import type { PartProblem } from '../problem.ts';
import { graphql, graphqlProblems } from './graphql-shape.ts';
import { addFlaws, alikeRule, flaw, leaf, pointer, request, text, values } from './shape.ts';

const version = once(() =>
  z
    .strictObject({
      from: z
        .string()
        .min(1)
        .describe('Where the read shows the version: a pointer into the parent (/metageneration), or the name of a header (etag).'),
      header: z.string().min(1).exactOptional().describe('The header of the write that names the version: If-Match.'),
      query: z.string().min(1).exactOptional().describe('The query parameter of the write that names the version: ifMetagenerationMatch.'),
      body: pointer().min(1).exactOptional().describe('The place of the version in the written body: /version.'),
      original: pointer().min(1).exactOptional().describe('The place in the written body for the parent as it was read. Beside `body`.'),
    })
    .describe(
      'The provider refuses (412, 409) a write that names another version than the present one. Then the line reads and writes again.',
    ),
);

const requirement = once(() =>
  z
    .strictObject({
      match: values().describe('Pointer into the parent to the value that must be there; null also stands for an absent member.'),
      fix: z.string().min(1).describe('The one thing to do where another value is there: Name a boolean flag.'),
    })
    .describe('The kind that the parent must have. A line still removes its entry from a parent of another kind.'),
);

const byGraphql = once(() => z.strictObject({ graphql: graphql() }));

const parent = once(() =>
  z
    .strictObject({
      ...request(),
      method: z.enum(['PUT', 'PATCH', 'POST']).exactOptional().describe('How the collection is written.'),
      query: z.record(z.string(), text()).exactOptional().describe('Query parameters of both the read and the write.'),
      read_path: text().exactOptional().describe('The path that reads the parent, where it differs from the path that writes it.'),
      read_method: z.enum(['GET', 'POST']).exactOptional().describe('POST: the read is an action without a body.'),
      read: byGraphql().exactOptional().describe('Reads the parent by GraphQL, in place of path and method.'),
      write: byGraphql()
        .exactOptional()
        .describe('Writes the collection by GraphQL: it goes into the variables, at write_list_path. Beside `read`.'),
      send: z
        .union([z.enum(['parent', 'collection']), z.array(z.string())])
        .exactOptional()
        .describe('The members that go back beside the collection: the whole parent, these members, or nothing around the collection.'),
      body: leaf().exactOptional().describe('Further members of every write, such as { CORSConfiguration: { "@xmlns": … } }.'),
      drop: z
        .array(pointer())
        .exactOptional()
        .describe(
          'Pointers into the written body, `*` for every member or entry, to members that the provider shows but does not take back.',
        ),
      item_path: pointer().exactOptional().describe('Pointer to the parent inside the answer.'),
      if_missing: z.enum(['empty', 'error']).exactOptional().describe('empty: a parent that answers 404 is an empty collection.'),
      missing_match: values()
        .exactOptional()
        .describe(
          'Pointer to value in the body of a refused read, whatever its status. With if_missing: empty, only such an answer means an empty collection. Without that key, such an answer means that the parent is not there.',
        ),
      require: requirement().exactOptional(),
      write_list_path: pointer()
        .exactOptional()
        .describe('The place that the list is written to, where it differs from the place that it is read from.'),
      version: version().exactOptional(),
      idempotent: z.boolean().exactOptional().describe('Writes of a collection always are. The key only makes that clear.'),
    })
    .describe('The object that holds the collection.'),
);

/** The params of `http.list_item`, and the template of a recipe of that kind. */
export const listItemShape = once(() =>
  z
    .strictObject({
      parent: parent(),
      list_path: pointer().describe('Pointer to the collection inside the parent; empty when the parent is the collection.'),
      shape: z.enum(['array', 'delimited', 'map']).default('array').describe('A list, a comma-separated text, or a map.'),
      key_field: pointer().exactOptional().describe('The member that names an entry of a list of maps.'),
      item: text().describe('The entry: its value in a list, its name in a map or under key_field.'),
      value: leaf().exactOptional().describe('The value under that name.'),
      compare: z
        .record(pointer(), alikeRule())
        .exactOptional()
        .describe('How members of the value are compared: pointer to rule, `*` for every entry of a list.'),
      when_empty: z.literal('delete').exactOptional().describe('The provider takes no empty collection: delete it instead.'),
      settle: z
        .number()
        .positive()
        .max(3_600)
        .exactOptional()
        .describe(
          'Seconds by which a read of the parent may lag behind a write. A read that does not show the write yet is repeated that long. Six, unless a recipe gives another number.',
        ),
      empty_as: leaf()
        .exactOptional()
        .describe('The value that is written in place of an empty collection, where the provider takes no empty one.'),
      with: values().exactOptional().describe('Values for `{name}` and `{+name}` in the paths of this line.'),
    })
    .superRefine((shape, ctx) => {
      addFlaws(ctx, [...entryProblems(shape), ...emptyProblems(shape), ...parentProblems(shape.parent, shape.when_empty)]);
    }),
);

export type ListItemShape = z.output<ReturnType<typeof listItemShape>>;
type ParentShape = ListItemShape['parent'];

function entryProblems({ shape, value, key_field: key }: ListItemShape): PartProblem[] {
  const problems: PartProblem[] = [];
  const say = (detail: string): void => void problems.push({ at: [], detail });
  if (shape === 'map' && value === undefined) say('An entry of a map needs a value.');
  if (shape !== 'array' && key !== undefined) problems.push(flaw('key_field', 'belongs to a list of maps (shape: array).'));
  if (shape === 'delimited' && value !== undefined) say('An entry of a comma-separated text has no value.');
  if (shape === 'array' && key === undefined && value !== undefined) say('An entry with a value needs key_field or shape: map.');
  return problems;
}

function emptyProblems({ empty_as: instead, when_empty: whenEmpty, shape, parent: { method } }: ListItemShape): PartProblem[] {
  if (instead === undefined) return [];
  if (whenEmpty !== undefined) return [flaw('empty_as', 'and when_empty both say what happens to an empty collection.')];
  if (shape === 'map' && method === 'PATCH')
    return [flaw('empty_as', 'has no meaning where a write takes only the changes of a map (PATCH).')];
  return [];
}

function parentProblems(given: ParentShape, whenEmpty: 'delete' | undefined): PartProblem[] {
  const { missing_match: match, drop, version: condition } = given;
  const problems = given.read || given.write ? graphqlParentProblems(given, whenEmpty) : pathProblems(given);
  if (match && Object.keys(match).length === 0) problems.push(flaw('parent.missing_match', 'is empty, so every refused read would match.'));
  if (drop?.some((at) => splitPointer(at).length === 0))
    problems.push(flaw('parent.drop', 'holds an empty pointer, which means the whole body.'));
  if (given.require && Object.keys(given.require.match).length === 0)
    problems.push(flaw('parent.require.match', 'is empty, so every parent fits.'));
  if (condition) problems.push(...bodyVersionProblems(given, condition, whenEmpty));
  if (condition?.header !== undefined && isNamed(given.headers, condition.header))
    problems.push(flaw('parent.headers', `and parent.version both give the header ${condition.header}.`));
  if (condition?.query !== undefined && Object.hasOwn(given.query ?? {}, condition.query))
    problems.push(flaw('parent.query', `and parent.version both give ${condition.query}.`));
  return problems;
}

function bodyVersionProblems(
  { send, body, drop = [] }: ParentShape,
  at: z.output<ReturnType<typeof version>>,
  whenEmpty?: 'delete',
): PartProblem[] {
  const problems: PartProblem[] = [];
  if ([at.header, at.query, at.body].filter((place) => place !== undefined).length !== 1)
    problems.push(flaw('parent.version', 'needs either header, query or body: the place where the write names the version.'));
  if (at.original !== undefined && at.body === undefined) problems.push(flaw('parent.version.original', 'belongs to parent.version.body.'));
  if (at.body === undefined) return problems;
  if (send === 'collection')
    problems.push(flaw('parent.version.body', 'has no place in a body that is the collection (send: collection).'));
  if (whenEmpty !== undefined) problems.push(flaw('parent.version.body', 'has no place in a delete (when_empty: delete).'));
  for (const place of [at.body, ...(at.original === undefined ? [] : [at.original])]) {
    if (getAt(body, place) !== undefined) problems.push(flaw('parent.body', `and parent.version both give ${place}.`));
    if (drop.some((cut) => isWithin(splitPointer(place), splitPointer(cut))))
      problems.push(flaw('parent.drop', `takes ${place} out of every write again.`));
  }
  return problems;
}

const isWithin = (place: readonly string[], cut: readonly string[]): boolean =>
  cut.length <= place.length && cut.every((part, i) => part === '*' || part === place[i]);

const isNamed = (headers: object | undefined, name: string): boolean =>
  Object.keys(headers ?? {}).some((one) => one.toLowerCase() === name.toLowerCase());

function pathProblems(given: ParentShape): PartProblem[] {
  const problems: PartProblem[] = [];
  if (given.path === undefined) problems.push(flaw('parent.path', 'is missing.'));
  if (given.method === undefined) problems.push(flaw('parent.method', 'is missing.'));
  return problems;
}

/** Keys about a path, a body or an answer by status. A GraphQL parent has none of these. */
const notGraphql = ['path', 'query', 'headers', 'encoding', 'read_path', 'read_method', 'send', 'body', 'version', 'idempotent'] as const;

function graphqlParentProblems(given: ParentShape, whenEmpty: 'delete' | undefined): PartProblem[] {
  const { read, write } = given;
  if (!read || !write) return [flaw('parent.read', 'and parent.write belong together: a collection is read before it is written.')];
  const problems = notGraphql
    .filter((key) => given[key] !== undefined)
    .map((key) => flaw(`parent.${key}`, 'has no meaning beside GraphQL requests.'));
  if (given.method !== undefined && given.method !== 'PATCH')
    problems.push(
      flaw('parent.method', 'beside GraphQL must be PATCH, for a mutation that takes only the changes of a map, or must be left out.'),
    );
  if (given.write_list_path === undefined)
    problems.push(flaw('parent.write_list_path', 'is missing: it names the variable that takes the collection.'));
  if (whenEmpty !== undefined) problems.push(flaw('when_empty', 'has no meaning beside GraphQL requests.'));
  return [
    ...problems,
    ...graphqlProblems('parent.read', read.graphql, 'query'),
    ...graphqlProblems('parent.write', write.graphql, 'mutation'),
  ];
}
