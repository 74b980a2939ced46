import { z } from 'zod';
import { once } from '../../core/once.ts';
import { badDataPath, type GraphqlShape, isDataPath, rootField } from '../../remote/graphql.ts';
import type { PartProblem } from '../problem.ts';
import { flaw, text, values } from './shape.ts';

/** A GraphQL request in place of path, method and body. */
export const graphql = once(() =>
  z
    .strictObject({
      query: z.string().min(1).describe('One query or mutation, as text. Values go into variables.'),
      variables: values().exactOptional().describe('Its variables; `{id}` stands for the id of the object.'),
      data_path: text().describe('Pointer to the list or object inside `data`; it begins with the root field.'),
      null_is: z
        .enum(['absent', 'sealed'])
        .exactOptional()
        .describe(
          'The meaning of null at data_path in the answer to a query: nothing is there (default), or a value that nobody can read.',
        ),
      idempotent: z
        .boolean()
        .exactOptional()
        .describe('Two sends of the mutation have the effect of one. `parent.write` counts as such, unless this is false.'),
    })
    .describe('A GraphQL request: a POST to the base URL, in place of path, method and body.'),
);

/** The mistakes in a request as written. A mutation in place of a query would change the object. */
export function graphqlProblems(where: string, shape: GraphqlShape, kind: 'query' | 'mutation'): PartProblem[] {
  const { query, variables, data_path: path, idempotent } = shape;
  const operations = operationsOf(query);
  const problems: PartProblem[] = [];
  const say = (key: keyof GraphqlShape, rest: string): void => void problems.push(flaw(`${where}.graphql.${key}`, rest));
  if (operations === null) say('query', 'has a bracket that is not closed.');
  else if (operations.length !== 1) say('query', `holds ${operations.length} operations, but a request sends one.`);
  else if (operations[0] !== kind) say('query', `is a ${operations[0]}, but ${kind === 'query' ? 'a look' : 'a write'} must be a ${kind}.`);
  for (const name of Object.keys(variables ?? {})) {
    if (!new RegExp(`\\$${name}(?!\\w)`).test(query)) say('variables', `gives ${name}, which the query does not use.`);
  }
  if (typeof path === 'string') {
    if (!isDataPath(path)) problems.push({ at: [...where.split('.'), 'graphql', 'data_path'], detail: badDataPath(where, path) });
    else if (!new RegExp(`(?<!\\w)${rootField(path)}(?!\\w)`).test(query))
      say('data_path', `begins with ${rootField(path)}, which the query does not ask for.`);
  }
  if (kind === 'mutation' && shape.null_is !== undefined) say('null_is', 'is about queries.');
  if (kind === 'query' && idempotent !== undefined) say('idempotent', 'is about mutations: a query may always be repeated.');
  return problems;
}

/** The kinds of the operations of a document, without fragments; `null` where its brackets do not match. */
function operationsOf(query: string): string[] | null {
  const bare = query.replace(/"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|#[^\n]*/g, ' ');
  const kinds: string[] = [];
  let depth = 0;
  let head = '';
  for (const letter of bare) {
    if ('{(['.includes(letter)) {
      if (depth === 0 && letter === '{') {
        kinds.push(/^\s*(?:(query|mutation|subscription|fragment)\b)?/.exec(head)?.[1] ?? 'query');
        head = '';
      }
      depth += 1;
    } else if ('})]'.includes(letter)) depth -= 1;
    else if (depth === 0) head += letter;
    if (depth < 0) return null;
  }
  return depth === 0 ? kinds.filter((kind) => kind !== 'fragment') : null;
}
