import type { GraphqlShape } from '../../remote/graphql.ts';
import { fieldName } from '../../remote/live.ts';
import type { PartProblem } from '../problem.ts';
import { graphqlProblems } from './graphql-shape.ts';
import { flaw, matchProblems } from './shape.ts';

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

/** The mistakes in a line whose keys all have the form of its shape, one sentence each. */
export function resourceProblems(shape: Checked): PartProblem[] {
  const problems: PartProblem[] = [];
  if (!shape.find && !shape.read)
    problems.push(ofLine('The line needs find or read: without one nobody can look for the object before it is made.'));
  if (shape.find && Object.keys(shape.find.match).length === 0)
    problems.push(flaw('find.match', 'is empty, so every object of the list would match.'));
  if (shape.find && (shape.find.next === undefined) !== (shape.find.cursor_param === undefined)) {
    problems.push(flaw('find.next', 'and find.cursor_param belong together.'));
  }
  if (shape.find?.page && shape.find.next !== undefined) problems.push(flaw('find', 'takes either page, or next with cursor_param.'));
  const names = new Set<string>();
  for (const name of Object.keys(shape.fields).map(fieldName)) {
    if (names.has(name)) problems.push(ofLine(`The field ${name} is given twice.`));
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
    for (const name of list) if (!names.has(fieldName(name))) problems.push(flaw(key, `names ${name}, which is not one of the fields.`));
  };
  checkNames('immutable', shape.immutable);
  checkNames('write_only', shape.write_only);
  checkNames('compare', Object.keys(shape.compare ?? {}));
  for (const one of updates) checkNames('update.fields', one.fields);
  return problems;
}

/** Finds `{id}` in places where the braces would be sent as they stand: the object has no id yet, or nothing fills the id in there. */
function idProblems({ find, create, update, chosen_id: chosen }: Checked): PartProblem[] {
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
    where.startsWith('update') ? 'but only its path gets the id' : 'but the object has no id before it is made';
  return places.flatMap(([where, part]) =>
    part !== undefined && /\{\+?id\}/.test(JSON.stringify(part))
      ? [
          flaw(
            where,
            `has {id}, ${why(where)}, so the braces would be sent as they stand. If the provider wants these braces, put the text into fields.`,
          ),
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

function markProblems({ mark, create, read, chosen_id: id }: Checked): PartProblem[] {
  const problems: PartProblem[] = [];
  if (mark === '') problems.push(flaw('mark', 'is empty, which means the whole object.'));
  if (mark !== undefined && !create) problems.push(flaw('mark', 'is left by the create, but the line has no create.'));
  if (mark !== undefined && create?.graphql && create.fields_at === undefined)
    problems.push(flaw('mark', 'needs create.fields_at, which names its place in the variables.'));
  if (!create?.revive) return problems;
  if (id === undefined || !read)
    problems.push(flaw('create.revive', 'wakes an object with a chosen id after a look at it, so the line needs chosen_id and read.'));
  if (mark === undefined) problems.push(flaw('create.revive', 'needs mark: without a mark nobody can tell who owns the object.'));
  return problems;
}

function readyProblems({ ready: how }: Checked): PartProblem[] {
  if (!how) return [];
  if ((how.value === undefined) === (how.values === undefined))
    return [flaw('ready', 'needs either value or values, which say when the object is ready.')];
  const good = [how.value ?? how.values].flat();
  const both = (how.failed ?? []).filter((one) => good.some((other) => other === one));
  return both.map((one) => flaw('ready.failed', `names ${JSON.stringify(one)}, which also means that the object is ready.`));
}

/** Keys without a meaning in a GraphQL request, which goes to the base URL as a POST, as JSON, with its variables as the body. */
const notGraphql = ['path', 'query', 'method', 'body', 'encoding', 'body_at'];

function requestProblems(where: string, request: RequestShape, kind: 'query' | 'mutation'): PartProblem[] {
  if (request.fields_at !== undefined && request.send_fields === false)
    return [flaw(`${where}.fields_at`, 'says where the fields go, but send_fields is false.')];
  if (!request.graphql) return request.path === undefined ? [flaw(`${where}.path`, 'is missing.')] : [];
  const twice = notGraphql.filter((key) => Object.hasOwn(request, key));
  return [
    ...twice.map((key) => flaw(where, `has ${key} and graphql, but a GraphQL request takes no ${key}.`)),
    ...graphqlProblems(where, request.graphql, kind),
  ];
}

/** A mistake of the line as a whole. */
const ofLine = (detail: string): PartProblem => ({ at: [], detail });
