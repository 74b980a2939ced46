import type { GraphqlShape } from '../../remote/graphql.ts';
import { fieldName } from '../../remote/live.ts';
import { graphqlProblems } from './graphql-shape.ts';
import { matchProblems } from './shape.ts';

interface RequestShape {
  readonly path?: unknown;
  readonly query?: unknown;
  readonly headers?: unknown;
  readonly body?: unknown;
  readonly graphql?: GraphqlShape;
  readonly fields_at?: string;
  readonly send_fields?: boolean;
}

type Match = { readonly [pointer: string]: unknown };

type Update = RequestShape & { readonly fields?: readonly string[] };

interface Checked {
  readonly find?: RequestShape & {
    readonly match: Match;
    readonly next?: string;
    readonly cursor_param?: string;
    readonly page?: unknown;
    readonly none_match?: Match;
  };
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
  readonly update?: Update | readonly Update[];
}

/** What is wrong with a line although each of its keys has the form that its shape asks for, one sentence a mistake. */
export function resourceProblems(shape: Checked): string[] {
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
  problems.push(...idProblems(shape));
  const checkNames = (key: string, list: readonly string[] = []): void => {
    for (const name of list) if (!names.has(fieldName(name))) problems.push(`${key} names ${name}, which is not one of the fields.`);
  };
  checkNames('immutable', shape.immutable);
  checkNames('write_only', shape.write_only);
  checkNames('compare', Object.keys(shape.compare ?? {}));
  for (const one of updates) checkNames('update.fields', one.fields);
  return problems;
}

/** Where the braces would be sent as they stand: the object has no id yet, or nothing fills it in there. */
function idProblems({ find, create, update, chosen_id: chosen }: Checked): string[] {
  const isKnown = chosen !== undefined;
  const inside = (where: string, one: RequestShape | undefined, hasId: boolean): [string, unknown][] => [
    ...(hasId
      ? []
      : [[`${where}.path`, one?.path] as [string, unknown], [`${where}.graphql`, one?.graphql?.variables] as [string, unknown]]),
    [`${where}.query`, one?.query],
    [`${where}.headers`, one?.headers],
    [`${where}.body`, one?.body],
  ];
  const places = [
    ...inside('find', find, isKnown),
    ['find.match', find?.match] as const,
    ...inside('create', create, isKnown),
    ...[update ?? []].flat().flatMap((one: Update) => inside('update', one, true)),
  ];
  const why = (where: string): string =>
    where.startsWith('update') ? 'which is filled in in its path alone' : 'and the object has none before it is made';
  return places.flatMap(([where, part]) =>
    part !== undefined && /\{\+?id\}/.test(JSON.stringify(part))
      ? [
          `${where} has {id}, ${why(where)}: it would be sent as it stands. A text with these braces that the provider wants belongs into fields.`,
        ]
      : [],
  );
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
