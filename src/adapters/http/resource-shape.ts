import { z } from 'zod';
import { joinPointer, splitPointer } from '../../core/pointer.ts';
import { type GraphqlShape, graphql, graphqlProblems } from './graphql.ts';
import { alikeRule, answerMatch, leaf, matchProblems, outputs, paging, pointer, request, statuses, text, values } from './shape.ts';

const either = { ...request, graphql: graphql.exactOptional() };
const fieldsAt = pointer
  .exactOptional()
  .describe('Pointer to where the fields go in the body; of a GraphQL request, in its variables, which take no fields without it.');

const find = z
  .strictObject({
    ...either,
    list_path: pointer.default('').describe('Pointer to the list inside the answer; empty when the answer is the list.'),
    entry_path: pointer.exactOptional().describe('Pointer to the object inside each entry of the list, where the entry only wraps it.'),
    match: values.describe('Pointer to the value that a match has. Part of the identity.'),
    absent: z.array(pointer).exactOptional().describe('Pointers that a match must not have: an object on its way out.'),
    next: pointer.exactOptional().describe('Pointer to the cursor of the next page.'),
    cursor_param: z.string().exactOptional().describe('Query parameter that takes the cursor.'),
    page: paging.exactOptional().describe('How the list is paged, where it is not by cursor.'),
    none_status: statuses.exactOptional().describe('Statuses that mean that nothing is there.'),
    none_match: answerMatch('the answer that mean that nothing is there, whatever its status').exactOptional(),
  })
  .describe('Finds the object in a list. Runs before every create.');

const read = z
  .strictObject({
    ...either,
    none_status: statuses.exactOptional().describe('Statuses that mean that it is not there, beside 404 and 410.'),
    none_match: answerMatch('the answer that mean that it is not there, such as { /active: false }').exactOptional(),
  })
  .describe('Reads the object by its own path.');

const revive = z
  .strictObject({
    ...either,
    method: z.enum(['POST', 'PUT', 'PATCH']).exactOptional().describe('POST when left out.'),
    match: answerMatch('its read that an object which sleeps has').describe('What an object has that sleeps: { /active: false }.'),
    body: leaf.exactOptional().describe('Members sent beside the fields, such as { active: true }.'),
    fields_at: fieldsAt,
    send_fields: z.boolean().default(true),
  })
  .describe(
    'Wakes an object whose id the create refused as existing, because it was put away and not deleted. It must bear the mark of this environment and scope; then it counts as created.',
  );

const create = z
  .strictObject({
    ...either,
    method: z.enum(['POST', 'PUT', 'PATCH']).exactOptional().describe('POST when left out.'),
    body: leaf.exactOptional().describe('Members sent beside the fields.'),
    fields_at: fieldsAt,
    idempotency_key: z.boolean().exactOptional().describe('The provider takes an Idempotency-Key.'),
    send_fields: z.boolean().default(true).describe('false: the fields are compared and not put into the body.'),
    stamp: z.array(pointer).exactOptional().describe('Members that get the moment of sending (ISO 8601).'),
    then_find: z.boolean().exactOptional().describe('The answer is not the new object: find it after the create.'),
    revive: revive.exactOptional(),
  })
  .describe('Makes the object.');

const update = z
  .strictObject({
    ...either,
    method: z.enum(['PATCH', 'PUT', 'POST']).exactOptional().describe('PATCH when left out.'),
    body: leaf.exactOptional().describe('Members sent beside the fields.'),
    fields_at: fieldsAt,
    send_fields: z.boolean().default(true),
    fields: z.array(z.string()).exactOptional().describe('The fields this request carries; it is sent only when one of them changed.'),
    body_at: pointer.exactOptional().describe('The part of the body that is sent.'),
    live: z.array(pointer).exactOptional().describe('Members sent back as read, where the update replaces the whole object.'),
  })
  .describe('Changes the object. Without it, a difference is an error at plan time.');

const untilGone = z
  .strictObject({
    ...either,
    seconds: z.number().positive().max(3_600).describe('Given up after so long; the record stays, and the next run asks again.'),
    none_status: statuses.exactOptional().describe('Statuses of this read that mean that it is gone, beside 404 and 410.'),
    none_match: answerMatch('its answer that mean that it is gone, whatever its status').exactOptional(),
  })
  .describe('The delete is answered before it is done: the object is read until it is gone.');

const remove = z
  .strictObject({
    ...either,
    method: z.enum(['DELETE', 'POST', 'PUT', 'PATCH']).exactOptional().describe('DELETE when left out.'),
    body: leaf.exactOptional().describe('A body; `{id}` stands for the id of the object.'),
    until_gone: untilGone.exactOptional(),
    fix: z
      .string()
      .min(1)
      .exactOptional()
      .describe('One thing to do where the provider refuses: what it protects, or what must be empty first. Told with the refusal.'),
  })
  .describe('Removes the object. Without it, the provider cannot delete.');

const ready = z
  .strictObject({
    path: pointer.describe('Pointer inside the object to what tells its state.'),
    value: leaf.exactOptional().describe('What stands there when it is ready.'),
    values: z.array(leaf).min(1).exactOptional().describe('The same, where there is more than one.'),
    failed: z.array(leaf).min(1).exactOptional().describe('What stands there when it will never be: the line fails with EXTERNAL_FAILED.'),
    seconds: leaf.exactOptional().describe('Waiting is given up after so long; without it at the deadline of the run (`--wait-timeout`).'),
  })
  .describe('The object is made at once and ready later: it is read until it is, and only then do others get its outputs.');

const compare = z.strictObject({
  unordered: z.boolean().exactOptional().describe('The order of this list has no meaning.'),
  whole: z.boolean().exactOptional().describe('Members of the live map that the plan does not name count as a difference.'),
  hidden: z.enum(['always', 'masked']).exactOptional().describe('Never shown; or shown as a mask while it is set.'),
  default: leaf.exactOptional().describe('What an absent live value means.'),
  ignore_case: z.boolean().exactOptional().describe('true: texts that differ only in the case of their letters are equal.'),
  members: z
    .record(pointer, alikeRule)
    .exactOptional()
    .describe('The same two for what stands inside the value: pointer to rule, `*` for every entry of a list.'),
  sent: z.boolean().exactOptional().describe('false: compared and not put into bodies.'),
});

/** The params of `http.resource`, and the template of a recipe of that kind. */
export const resourceShape = z
  .strictObject({
    find: find.exactOptional(),
    read: read.exactOptional(),
    create: create.exactOptional(),
    update: z.union([update, z.array(update).min(1)]).exactOptional(),
    delete: remove.exactOptional(),
    ready: ready.exactOptional(),
    fields: values.default({}).describe('Pointer or name to value: what is compared and hashed, and nothing else.'),
    with: values.exactOptional().describe('Values for `{name}` and `{+name}` in the paths of this line.'),
    chosen_id: text.exactOptional().describe('The id, where the caller chooses it; it stands for `{id}` in every path.'),
    id_path: pointer.default('/id').describe('Pointer to the id inside the object.'),
    item_path: pointer.default('').describe('Pointer to the object inside the answers of read, create and update.'),
    outputs: outputs.exactOptional().describe('Name to pointer inside the object, or `{ path, sensitive, once }`.'),
    exists_status: statuses.exactOptional().describe('More statuses of the create that mean "already exists".'),
    exists_match: answerMatch('a refused create that mean "already exists"').exactOptional(),
    gone_status: statuses.exactOptional().describe('More statuses of the delete that mean "gone".'),
    gone_match: answerMatch('a refused delete that mean "gone"').exactOptional(),
    immutable: z.array(z.string()).exactOptional().describe('Fields whose change makes a new object.'),
    write_only: z.array(z.string()).exactOptional().describe('Fields sent on create only and never compared.'),
    compare: z.record(z.string(), compare).exactOptional().describe('How single fields are compared.'),
    coexist: z
      .boolean()
      .exactOptional()
      .describe('false: the old object must go before a replacing one is made. So it is where the caller chose the id.'),
    mark: pointer
      .exactOptional()
      .describe(
        'Where a new object bears the mark of its environment and scope (`preview/pr-12`): what has another one is never taken for ours.',
      ),
    created_at: pointer.exactOptional().describe('Pointer to the moment the object was made.'),
    witness: z.strictObject(either).exactOptional().describe('A read that answers whenever the credential may see this kind of object.'),
    settle: z.number().positive().exactOptional().describe('Seconds by which lists may lag behind a write.'),
  })
  .superRefine((shape, ctx) => {
    for (const sentence of inconsistencies(shape)) ctx.addIssue({ code: 'custom', message: sentence, params: { sentence: true } });
  });

export type ResourceShape = z.output<typeof resourceShape>;
export type UpdateShape = z.output<typeof update>;

/** One spelling per field: `url` for `/url`, `/config/url` for what lies deeper. */
export function fieldName(nameOrPointer: string): string {
  const parts = splitPointer(nameOrPointer);
  const [only] = parts;
  return parts.length === 1 && only !== undefined && only !== '' && !only.startsWith('/') ? only : joinPointer(parts);
}

interface RequestShape {
  readonly path?: unknown;
  readonly graphql?: GraphqlShape;
  readonly fields_at?: string;
  readonly send_fields?: boolean;
}

type Match = { readonly [pointer: string]: unknown };

interface Checked {
  readonly find?: z.output<typeof find>;
  readonly read?: RequestShape & { readonly none_match?: Match };
  readonly create?: RequestShape & { readonly revive?: RequestShape & { readonly match: Match } };
  readonly delete?: RequestShape & { readonly until_gone?: RequestShape & { readonly none_match?: Match } };
  readonly witness?: RequestShape;
  readonly ready?: { readonly value?: unknown; readonly values?: readonly unknown[]; readonly failed?: readonly unknown[] };
  readonly chosen_id?: unknown;
  readonly mark?: string;
  readonly exists_match?: Match;
  readonly gone_match?: Match;
  readonly fields: { readonly [name: string]: unknown };
  readonly immutable?: readonly string[];
  readonly write_only?: readonly string[];
  readonly compare?: { readonly [name: string]: unknown };
  readonly update?: UpdateShape | readonly UpdateShape[];
}

function inconsistencies(shape: Checked): string[] {
  const problems: string[] = [];
  if (!shape.find && !shape.read) problems.push('The line needs find or read: without one the object cannot be seen before it is made.');
  if (shape.find && Object.keys(shape.find.match).length === 0)
    problems.push('find.match is empty, so every object of the list would match.');
  if (shape.find && (shape.find.next === undefined) !== (shape.find.cursor_param === undefined)) {
    problems.push('find.next and find.cursor_param belong together.');
  }
  if (shape.find?.page && shape.find.next !== undefined) problems.push('find takes either page, or next with cursor_param.');
  const names = new Set<string>();
  for (const name of Object.keys(shape.fields).map(fieldName)) {
    if (names.has(name)) problems.push(`The field ${name} is given twice.`);
    names.add(name);
  }
  const updates = shape.update === undefined ? [] : [shape.update].flat();
  const check = (where: string, one: RequestShape | undefined, kind: 'query' | 'mutation'): void => {
    if (one) problems.push(...requestProblems(where, one, kind));
  };
  check('find', shape.find, 'query');
  check('read', shape.read, 'query');
  check('witness', shape.witness, 'query');
  check('delete.until_gone', shape.delete?.until_gone, 'query');
  check('create', shape.create, 'mutation');
  check('create.revive', shape.create?.revive, 'mutation');
  for (const one of updates) check('update', one, 'mutation');
  check('delete', shape.delete, 'mutation');
  problems.push(
    ...matchesOf(shape).flatMap(([where, match]) => matchProblems(where, match)),
    ...markProblems(shape),
    ...readyProblems(shape),
  );
  const checkNames = (key: string, list: readonly string[] = []): void => {
    for (const name of list) if (!names.has(fieldName(name))) problems.push(`${key} names ${name}, which is not one of the fields.`);
  };
  checkNames('immutable', shape.immutable);
  checkNames('write_only', shape.write_only);
  checkNames('compare', Object.keys(shape.compare ?? {}));
  for (const one of updates) checkNames('update.fields', one.fields);
  return problems;
}

const matchesOf = (shape: Checked): readonly (readonly [string, Match | undefined])[] => [
  ['find.none_match', shape.find?.none_match],
  ['read.none_match', shape.read?.none_match],
  ['create.revive.match', shape.create?.revive?.match],
  ['delete.until_gone.none_match', shape.delete?.until_gone?.none_match],
  ['exists_match', shape.exists_match],
  ['gone_match', shape.gone_match],
];

function markProblems({ mark, create, read, chosen_id: id }: Checked): string[] {
  const problems: string[] = [];
  if (mark === '') problems.push('mark is empty, which is the whole object.');
  if (mark !== undefined && !create) problems.push('mark is left by the create, and the line has none.');
  if (mark !== undefined && create?.graphql && create.fields_at === undefined)
    problems.push('mark needs create.fields_at, which says where it goes in the variables.');
  if (!create?.revive) return problems;
  if (id === undefined || !read)
    problems.push('create.revive wakes an object of a chosen id after a look at it: the line needs chosen_id and read.');
  if (mark === undefined) problems.push('create.revive needs mark: without it nobody can tell whose object is woken.');
  return problems;
}

function readyProblems({ ready: how }: Checked): string[] {
  if (!how) return [];
  if ((how.value === undefined) === (how.values === undefined))
    return ['ready needs either value or values: what is there when it is ready.'];
  const good = [how.value ?? how.values].flat();
  const both = (how.failed ?? []).filter((one) => good.some((other) => other === one));
  return both.map((one) => `ready.failed and what is ready both name ${JSON.stringify(one)}.`);
}

/** What has no meaning in a GraphQL request: it goes to the base URL, as a POST, as JSON, with its variables for a body. */
const notGraphql = ['path', 'query', 'method', 'body', 'encoding', 'body_at'];

function requestProblems(where: string, request: RequestShape, kind: 'query' | 'mutation'): string[] {
  if (request.fields_at !== undefined && request.send_fields === false)
    return [`${where}.fields_at says where the fields go, and send_fields is false.`];
  if (!request.graphql) return request.path === undefined ? [`${where}.path is missing.`] : [];
  const twice = notGraphql.filter((key) => Object.hasOwn(request, key));
  return [
    ...twice.map((key) => `${where} has ${key} and graphql; a GraphQL request takes no ${key}.`),
    ...graphqlProblems(where, request.graphql, kind),
  ];
}
