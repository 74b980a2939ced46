import { z } from 'zod';
import { once } from '../../core/once.ts';
import { getAt, splitPointer } from '../../core/pointer.ts';
import { graphql, graphqlProblems } from './graphql-shape.ts';
import { alikeRule, leaf, pointer, request, text, values } from './shape.ts';

const version = once(() =>
  z
    .strictObject({
      from: z.string().min(1).describe('What the read shows: a pointer into the parent (/metageneration), or the name of a header (etag).'),
      header: z.string().min(1).exactOptional().describe('The header of the write that names it: If-Match.'),
      query: z.string().min(1).exactOptional().describe('The query parameter of the write that names it: ifMetagenerationMatch.'),
      body: pointer().min(1).exactOptional().describe('Where in the written body it goes: /version.'),
      original: pointer().min(1).exactOptional().describe('Where in the written body the parent goes as it was read. Beside `body`.'),
    })
    .describe(
      'The provider refuses (412, 409) a write that names another version than the present one. Then the line reads and writes again.',
    ),
);

const requirement = once(() =>
  z
    .strictObject({
      match: values().describe('Pointer into the parent to the value that has to stand there; null is also a member that is not there.'),
      fix: z.string().min(1).describe('The one thing to do where it does not: Name a boolean flag.'),
    })
    .describe('Of what kind the parent must be. What stands in one of another kind is still taken out.'),
);

const byGraphql = once(() => z.strictObject({ graphql: graphql() }));

const parent = once(() =>
  z
    .strictObject({
      ...request(),
      method: z.enum(['PUT', 'PATCH', 'POST']).exactOptional().describe('How the collection is written.'),
      query: z.record(z.string(), text()).exactOptional().describe('Query parameters of both the read and the write.'),
      read_path: text().exactOptional().describe('Where the parent is read, when that is not where it is written.'),
      read_method: z.enum(['GET', 'POST']).exactOptional().describe('POST: the read is an action without a body.'),
      read: byGraphql().exactOptional().describe('Reads the parent by GraphQL, in place of path and method.'),
      write: byGraphql()
        .exactOptional()
        .describe('Writes the collection by GraphQL: it goes into the variables, at write_list_path. Beside `read`.'),
      send: z
        .union([z.enum(['parent', 'collection']), z.array(z.string())])
        .exactOptional()
        .describe('What goes back beside the collection: the whole parent, these members of it, or nothing around the collection.'),
      body: leaf().exactOptional().describe('Members of every write beside those, such as { CORSConfiguration: { "@xmlns": … } }.'),
      drop: z
        .array(pointer())
        .exactOptional()
        .describe('Pointers into the written body, `*` for every member or entry: what the provider shows and does not take back.'),
      item_path: pointer().exactOptional().describe('Pointer to the parent inside the answer.'),
      if_missing: z.enum(['empty', 'error']).exactOptional().describe('empty: a parent that answers 404 is an empty collection.'),
      missing_match: values()
        .exactOptional()
        .describe(
          'Pointer to value in the body of a refused read, whatever its status: only such an answer is an empty collection (if_missing: empty), or, without that key, says that the parent is not there.',
        ),
      settle: z
        .number()
        .positive()
        .max(3_600)
        .exactOptional()
        .describe(
          'Seconds by which reads may go on saying that the parent is not there after its first entry was written (if_missing: empty).',
        ),
      require: requirement().exactOptional(),
      write_list_path: pointer().exactOptional().describe('Where the list is written, when that is not where it is read.'),
      version: version().exactOptional(),
      idempotent: z.boolean().exactOptional().describe('Writes of a collection always are; the key is taken for clearness.'),
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
      value: leaf().exactOptional().describe('What stands under that name.'),
      compare: z
        .record(pointer(), alikeRule())
        .exactOptional()
        .describe('How members of the value are compared: pointer to rule, `*` for every entry of a list.'),
      when_empty: z.literal('delete').exactOptional().describe('The provider takes no empty collection: delete it instead.'),
      empty_as: leaf().exactOptional().describe('What is written in place of an empty collection, where the provider takes no empty one.'),
      with: values().exactOptional().describe('Values for `{name}` and `{+name}` in the paths of this line.'),
    })
    .superRefine((shape, ctx) => {
      const say = (message: string) => ctx.addIssue({ code: 'custom', message, params: { sentence: true } });
      if (shape.shape === 'map' && shape.value === undefined) say('An entry of a map needs a value.');
      if (shape.shape !== 'array' && shape.key_field !== undefined) say('key_field belongs to a list of maps (shape: array).');
      if (shape.shape === 'delimited' && shape.value !== undefined) say('An entry of a comma-separated text has no value.');
      if (shape.shape === 'array' && shape.key_field === undefined && shape.value !== undefined)
        say('An entry with a value needs key_field or shape: map.');
      for (const message of emptyProblems(shape)) say(message);
      for (const message of parentProblems(shape.parent, shape.when_empty)) say(message);
    }),
);

export type ListItemShape = z.output<ReturnType<typeof listItemShape>>;
type ParentShape = ListItemShape['parent'];

function emptyProblems({ empty_as: instead, when_empty: whenEmpty, shape, parent: { method } }: ListItemShape): string[] {
  if (instead === undefined) return [];
  if (whenEmpty !== undefined) return ['empty_as and when_empty both say what becomes of an empty collection.'];
  if (shape === 'map' && method === 'PATCH') return ['empty_as has no meaning where a write takes only what changes in a map (PATCH).'];
  return [];
}

function parentProblems(given: ParentShape, whenEmpty: 'delete' | undefined): string[] {
  const { missing_match: match, drop, version: condition } = given;
  const problems = given.read || given.write ? graphqlParentProblems(given, whenEmpty) : pathProblems(given);
  if (match && Object.keys(match).length === 0) problems.push('parent.missing_match is empty, so every refused read would match.');
  if (drop?.some((at) => splitPointer(at).length === 0)) problems.push('parent.drop holds an empty pointer, which is the whole body.');
  if (given.require && Object.keys(given.require.match).length === 0) problems.push('parent.require.match is empty, so every parent fits.');
  if (condition) problems.push(...bodyVersionProblems(given, condition, whenEmpty));
  if (condition?.header !== undefined && isNamed(given.headers, condition.header))
    problems.push(`parent.headers and parent.version both give the header ${condition.header}.`);
  if (condition?.query !== undefined && Object.hasOwn(given.query ?? {}, condition.query))
    problems.push(`parent.query and parent.version both give ${condition.query}.`);
  return problems;
}

function bodyVersionProblems(
  { send, body, drop = [] }: ParentShape,
  at: z.output<ReturnType<typeof version>>,
  whenEmpty?: 'delete',
): string[] {
  const problems: string[] = [];
  if ([at.header, at.query, at.body].filter((place) => place !== undefined).length !== 1)
    problems.push('parent.version needs either header, query or body: where the write names the version.');
  if (at.original !== undefined && at.body === undefined) problems.push('parent.version.original belongs to parent.version.body.');
  if (at.body === undefined) return problems;
  if (send === 'collection') problems.push('parent.version.body has no place in a body that is the collection (send: collection).');
  if (whenEmpty !== undefined) problems.push('parent.version.body has no place in a delete (when_empty: delete).');
  for (const place of [at.body, ...(at.original === undefined ? [] : [at.original])]) {
    if (getAt(body, place) !== undefined) problems.push(`parent.body and parent.version both give ${place}.`);
    if (drop.some((cut) => isWithin(splitPointer(place), splitPointer(cut))))
      problems.push(`parent.drop takes ${place} out of every write again.`);
  }
  return problems;
}

const isWithin = (place: readonly string[], cut: readonly string[]): boolean =>
  cut.length <= place.length && cut.every((part, i) => part === '*' || part === place[i]);

const isNamed = (headers: object | undefined, name: string): boolean =>
  Object.keys(headers ?? {}).some((one) => one.toLowerCase() === name.toLowerCase());

function pathProblems(given: ParentShape): string[] {
  const problems: string[] = [];
  if (given.path === undefined) problems.push('parent.path is missing.');
  if (given.method === undefined) problems.push('parent.method is missing.');
  return problems;
}

/** Keys that speak of a path, a body or an answer by status, which a GraphQL parent does not have. */
const notGraphql = ['path', 'query', 'headers', 'encoding', 'read_path', 'read_method', 'send', 'body', 'version', 'idempotent'] as const;

function graphqlParentProblems(given: ParentShape, whenEmpty: 'delete' | undefined): string[] {
  const { read, write } = given;
  if (!read || !write) return ['parent.read and parent.write belong together: a collection is read before it is written.'];
  const problems = notGraphql
    .filter((key) => given[key] !== undefined)
    .map((key) => `parent.${key} has no meaning beside GraphQL requests.`);
  if (given.method !== undefined && given.method !== 'PATCH')
    problems.push('parent.method beside GraphQL is PATCH, where the mutation takes only what changes in a map, or left out.');
  if (given.write_list_path === undefined) problems.push('parent.write_list_path is missing: the variable that takes the collection.');
  if (whenEmpty !== undefined) problems.push('when_empty: delete has no meaning beside GraphQL requests.');
  return [
    ...problems,
    ...graphqlProblems('parent.read', read.graphql, 'query'),
    ...graphqlProblems('parent.write', write.graphql, 'mutation'),
  ];
}
