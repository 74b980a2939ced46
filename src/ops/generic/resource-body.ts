import { isMap, mapValues } from '../../core/json.ts';
import { getAt, joinPointer, setAt, splitPointer } from '../../core/pointer.ts';
import type { RequestSpec } from '../../http/types.ts';
import { isAsPlanned, merged } from '../../remote/compare.ts';
import { sentGraphql } from '../../remote/graphql.ts';
import { headersToSend, queryOf, storedPath, toSend } from '../../remote/stored.ts';
import { asBody } from '../../remote/stored-json.ts';
import { fillId, fillVariables } from '../../remote/template.ts';
import type { Value } from '../../remote/value.ts';
import type { Desired } from '../bound.ts';
import type { ResourcePlan } from './resource-plan.ts';
import type { ResourceShape } from './resource-shape.ts';

/** The desired fields that `want` selects and that are sent. */
export function sentFields(plan: ResourcePlan, desired: Desired, want: (field: string) => boolean): { readonly [field: string]: Value } {
  return Object.fromEntries(Object.entries(desired).filter(([field]) => plan.rules[field]?.sent !== false && want(field)));
}

/** A body: members that go back as read, then the line's own members, then the fields at their places. `undefined` when empty. */
export function placed(own: Value | undefined, fields: { readonly [field: string]: Value }, kept: unknown, at = ''): unknown {
  const start = own === undefined ? undefined : toSend(own);
  let body: unknown = start === undefined ? kept : isMap(kept) && isMap(start) ? merged(asBody(kept), start) : start;
  for (const [name, value] of Object.entries(fields)) {
    const field = at === '' ? name : joinPointer([...splitPointer(at), ...splitPointer(name)]);
    const sent = toSend(value);
    if (sent === undefined) continue;
    const before = getAt(body, field);
    body = setAt(body, field, before === undefined || isAsPlanned(sent, before) ? (before ?? sent) : merged(asBody(before), sent));
  }
  return isMap(body) && Object.keys(body).length === 0 ? undefined : body;
}

type WriteParts = Pick<NonNullable<ResourceShape['create']>, 'body' | 'fields_at' | 'send_fields' | 'graphql'>;

/** GraphQL variables name their values themselves, so fields go into them only at the place that the line gives. */
export const sendsFields = (how: WriteParts): boolean => how.send_fields && (how.graphql === undefined || how.fields_at !== undefined);
export const ownPart = (how: WriteParts): Value | undefined => (how.graphql ? how.graphql.variables : how.body);

type RequestParts = Pick<NonNullable<ResourceShape['create']>, 'path' | 'query' | 'headers' | 'encoding' | 'graphql'>;

/** A request that is sent and not kept. */
export function requestOf(
  plan: ResourcePlan,
  method: RequestSpec['method'],
  parts: RequestParts,
  body: unknown,
  id: string | null,
  where: string,
): RequestSpec {
  const headers = parts.headers && headersToSend(parts.headers, `${where}.headers`);
  if (parts.graphql) {
    const sent = asBody(body ?? {});
    const variables = isMap(sent) ? mapValues(sent, asBody) : {};
    const request: RequestSpec = {
      method: 'POST',
      path: '',
      ...(headers && { headers }),
      graphql: sentGraphql(parts.graphql, variables, where),
    };
    return id === null ? request : fillVariables(request, id);
  }
  const path = storedPath(parts.path, plan.paths, `${where}.path`);
  return {
    method,
    path: id === null ? path : fillId({ method, path }, id).path,
    ...(parts.query && { query: queryOf(parts.query, `${where}.query`) }),
    ...(headers && { headers }),
    ...(parts.encoding && { encoding: parts.encoding }),
    ...(body !== undefined && { body: asBody(body) }),
  };
}
