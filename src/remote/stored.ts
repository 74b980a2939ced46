import { Failure } from '../core/errors.ts';
import { mapValues } from '../core/json.ts';
import { Sealed } from '../core/sealed.ts';
import type { Body, Encoding, StoredRequest } from '../http/types.ts';
import { type GraphqlShape, storedGraphql } from './graphql.ts';
import { mapOf, storedJson } from './stored-json.ts';
import { expandPath } from './template.ts';
import type { Value } from './value.ts';
import { identityText, Kept, Pending, PendingValue } from './value.ts';

interface RequestShape {
  readonly path?: Value;
  readonly query?: { readonly [name: string]: Value };
  readonly headers?: { readonly [name: string]: Value };
  readonly body?: Value;
  readonly encoding?: Encoding;
  readonly graphql?: GraphqlShape;
}

/**
 * A request as the ledger may keep it: everything resolved, nothing secret. A value that does not exist yet throws
 * `PendingValue`, and a secret value is `PARAM_INVALID`.
 */
export function storedRequest(
  method: StoredRequest['method'],
  shape: RequestShape,
  paths: { readonly [name: string]: string },
  where: string,
): StoredRequest {
  const headers = shape.headers && mapValues(shape.headers, (value, name) => identityText(value, `${where}.headers.${name}`));
  if (shape.graphql) return { ...storedGraphql(shape.graphql, where), ...(headers && { headers }) };
  return {
    method,
    path: storedPath(shape.path, paths, `${where}.path`),
    ...(shape.query && { query: queryOf(shape.query, `${where}.query`) }),
    ...(headers && { headers }),
    ...(shape.encoding && { encoding: shape.encoding }),
    ...(shape.body !== undefined && { body: storedJson(shape.body, `${where}.body`) }),
  };
}

export function storedPath(path: Value | undefined, paths: { readonly [name: string]: string }, where: string): string {
  const expanded = expandPath(identityText(path, where), paths);
  if (expanded.startsWith('/') && !expanded.startsWith('//')) return expanded;
  throw new Failure('PARAM_INVALID', {
    at: where.split('.'),
    detail: `${where} is ${JSON.stringify(expanded)}, which is not a path below the base URL.`,
    fix: `Begin ${where} with one slash. The host belongs in the API block.`,
  });
}

export const queryOf = (
  query: { readonly [name: string]: Value },
  where: string,
): { readonly [name: string]: string | readonly string[] } =>
  mapValues(query, (value, name) =>
    Array.isArray(value) ? value.map((one: Value) => identityText(one, `${where}.${name}`)) : identityText(value, `${where}.${name}`),
  );

/** Headers of a request that is sent and not kept. Only such a request may have secret headers. */
export const headersToSend = (headers: { readonly [name: string]: Value }, where: string): { readonly [name: string]: string | Sealed } =>
  mapValues(headers, (value, name) => (value instanceof Sealed ? value : identityText(value, `${where}.${name}`)));

/**
 * A value as it is sent. Members that are kept (`{ keep: true }`) are left out. A value that does not exist yet throws
 * `PendingValue`; this never happens for a line whose producers have settled.
 */
export function toSend(value: Value): Body | undefined {
  if (value instanceof Pending) throw new PendingValue(value);
  if (value instanceof Kept) return undefined;
  if (value === null || typeof value !== 'object' || value instanceof Sealed) return value;
  if (Array.isArray(value)) return value.flatMap((item: Value) => toSend(item) ?? []);
  return Object.fromEntries(
    Object.entries(mapOf(value)).flatMap(([name, item]) => {
      const sent = toSend(item);
      return sent === undefined ? [] : [[name, sent]];
    }),
  );
}
