import { z } from 'zod';
import { once } from '../../core/once.ts';
import { badDataPath, type GraphqlShape, isDataPath, rootField } from '../../remote/graphql.ts';
import { text, values } from './shape.ts';

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
          'What null at data_path means, where a query has that member: nothing is there (default), or a value that nobody can read.',
        ),
      idempotent: z
        .boolean()
        .exactOptional()
        .describe('Sending the mutation twice has the effect of sending it once. So it is with `parent.write`, unless this is false.'),
    })
    .describe('A GraphQL request: a POST to the base URL, in place of path, method and body.'),
);

/** What is wrong with a request as written; a mutation where something is read would change it. */
export function graphqlProblems(where: string, shape: GraphqlShape, kind: 'query' | 'mutation'): string[] {
  const { query, variables, data_path: path, idempotent } = shape;
  const operations = operationsOf(query);
  const problems: string[] = [];
  if (operations === null) problems.push(`${where}.graphql.query has a bracket that is not closed.`);
  else if (operations.length !== 1) problems.push(`${where}.graphql.query holds ${operations.length} operations, and one is sent.`);
  else if (operations[0] !== kind)
    problems.push(`${where}.graphql.query is a ${operations[0]}, and ${kind === 'query' ? 'a look' : 'a write'} is a ${kind}.`);
  for (const name of Object.keys(variables ?? {})) {
    if (!new RegExp(`\\$${name}(?!\\w)`).test(query))
      problems.push(`${where}.graphql.variables gives ${name}, which the query does not use.`);
  }
  if (typeof path === 'string') {
    if (!isDataPath(path)) problems.push(badDataPath(where, path));
    else if (!new RegExp(`(?<!\\w)${rootField(path)}(?!\\w)`).test(query))
      problems.push(`${where}.graphql.data_path begins with ${rootField(path)}, which the query does not ask for.`);
  }
  if (kind === 'mutation' && shape.null_is !== undefined) problems.push(`${where}.graphql.null_is is about queries.`);
  if (kind === 'query' && idempotent !== undefined)
    problems.push(`${where}.graphql.idempotent is about mutations: a query may always be repeated.`);
  return problems;
}

/** The kinds of the operations of a document, fragments left out; `null` where its brackets do not match. */
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
