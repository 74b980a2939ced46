import type { StoredRequest } from '../http/types.ts';
import { decoded } from './template.ts';

interface Named extends Pick<StoredRequest, 'path' | 'query' | 'body'> {
  readonly graphql?: { readonly variables?: unknown } | undefined;
}

/** The texts by which a request names things: segments of its path, and texts in its query, body and variables. */
export const partsOf = ({ path, query, body, graphql }: Named): readonly string[] => [
  ...path.split(/[/?&=]/).map(decoded),
  ...textsIn([query, body, graphql?.variables]),
];

export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
