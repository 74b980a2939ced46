import { canonicalJson } from '../core/canonical.ts';
import { Failure } from '../core/errors.ts';
import { mapValues } from '../core/json.ts';
import { splitPointer } from '../core/pointer.ts';
import type { Body, GraphqlRequest, StoredRequest } from '../http/types.ts';
import { storedJson } from './stored-json.ts';
import { identityText, type Value } from './value.ts';

/** A GraphQL request as a line writes it. */
export interface GraphqlShape {
  readonly query: string;
  readonly variables?: { readonly [name: string]: Value };
  readonly data_path: Value;
  readonly null_is?: 'absent' | 'sealed';
  readonly idempotent?: boolean;
}

/** A GraphQL request as the ledger may keep it: a secret in its variables is `PARAM_INVALID`. */
export function storedGraphql(shape: GraphqlShape, where: string): StoredRequest {
  const { query, variables, null_is: nullIs, idempotent } = shape;
  return {
    method: 'POST',
    path: '',
    graphql: {
      query,
      ...(variables && { variables: mapValues(variables, (value, name) => storedJson(value, `${where}.graphql.variables.${name}`)) }),
      data_path: dataPath(shape, where),
      ...(nullIs && { null_is: nullIs }),
      ...(idempotent !== undefined && { idempotent }),
    },
  };
}

/** A GraphQL request that is sent and not kept. Only its variables may be secret. */
export function sentGraphql(shape: GraphqlShape, variables: { readonly [name: string]: Body } | undefined, where: string): GraphqlRequest {
  const { query, idempotent } = shape;
  return {
    query,
    ...(variables && { variables }),
    data_path: dataPath(shape, where),
    ...(idempotent !== undefined && { idempotent }),
  };
}

/** The identity of a request: the root field, its variables and the data path. The layout of the query may change. */
export const graphqlText = (request: CallOf): string => `${graphqlCall(request)}${request.data_path}`;

/** The root field and its variables: the thing that the request reads or does, whatever it takes from the answer. */
export const graphqlCall = ({ variables, data_path }: CallOf): string => `${rootField(data_path)}(${canonicalJson(variables ?? {})})`;

type CallOf = Pick<GraphqlRequest, 'data_path'> & { readonly variables?: unknown };

export const rootField = (dataPathText: string): string => splitPointer(dataPathText)[0] ?? '';

function dataPath(shape: GraphqlShape, where: string): string {
  const path = identityText(shape.data_path, `${where}.graphql.data_path`);
  if (isDataPath(path)) return path;
  throw new Failure('PARAM_INVALID', { detail: badDataPath(where, path) });
}

export const isDataPath = (path: string): boolean => /^\/[A-Za-z_]\w*(?:\/|$)/.test(path);
export const badDataPath = (where: string, path: string): string =>
  `${where}.graphql.data_path is ${JSON.stringify(path)}, but it must be a pointer that begins with the root field, such as /project.`;
