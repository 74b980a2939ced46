import { parseTemplate } from 'url-template';
import { Failure } from '../core/errors.ts';
import { isMap, mapValues } from '../core/json.ts';
import { Sealed } from '../core/sealed.ts';
import type { Body, RequestSpec, StoredRequest } from '../http/types.ts';
import { asJson } from './stored-json.ts';

const expression = /\{([^{}]*)\}/g;
const name = /^\+?[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * A path template with its names filled in: `{name}` URI-encoded, `{+name}` with `/` and `:` kept (RFC 6570). `{id}` and
 * `{+id}` stay unless they are given, because an object's id is known later. Braces inside a value arrive encoded, so
 * they never count as `{id}`. A missing name is an error, not an empty text.
 */
export function expandPath(template: string, values: { readonly [name: string]: string }): string {
  return template.replace(expression, (whole, inner: string) => {
    const key = inner.replace(/^\+/, '');
    if (!name.test(inner)) throw unknown(template, whole, values);
    if (!Object.hasOwn(values, key)) {
      if (key === 'id') return whole;
      throw unknown(template, whole, values);
    }
    return parseTemplate(whole).expand({ [key]: values[key] ?? null });
  });
}

/** The names a template uses, `{id}` left out. */
export function namesOf(template: string): string[] {
  return [...template.matchAll(expression)].map(([, inner]) => (inner ?? '').replace(/^\+/, '')).filter((key) => key !== 'id');
}

/** A stored request for one object: `{id}` URI-encoded in its path, raw in its query, body and variables, never in the text of a GraphQL query. */
export function fillId(request: StoredRequest, id: string): StoredRequest {
  if (id === '' && hasId(request)) {
    // Some providers answer a path without its id with their oldest object.
    throw new Failure('PROVIDER_RESPONSE', { detail: `${request.method} ${request.path} needs an id, but the object has none.` });
  }
  const raw = (text: string): string => text.replaceAll('{id}', id);
  return {
    ...request,
    path: request.path.replace(/\{\+?id\}/g, (whole) => parseTemplate(whole).expand({ id })),
    ...(request.query && { query: mapValues(request.query, (value) => (typeof value === 'string' ? raw(value) : value.map(raw))) }),
    ...(request.body !== undefined && { body: asJson(fillBody(request.body, raw)) }),
    ...(request.graphql && {
      graphql: {
        ...request.graphql,
        ...(request.graphql.variables && { variables: mapValues(request.graphql.variables, (value) => asJson(fillBody(value, raw))) }),
      },
    }),
  };
}

/** Fills the id into variables that are sent and not kept. */
export const fillVariables = (request: RequestSpec, id: string): RequestSpec => {
  const variables = request.graphql?.variables;
  if (!request.graphql || !variables) return request;
  return {
    ...request,
    graphql: { ...request.graphql, variables: mapValues(variables, (value) => fillBody(value, (t) => t.replaceAll('{id}', id))) },
  };
};

/** Whether the request needs the id of the object. */
export const hasId = (request: StoredRequest): boolean =>
  /\{\+?id\}/.test(JSON.stringify([request.path, request.query, request.body, request.graphql?.variables]));

/** A segment of a path as it was before its encoding. A path that a person wrote may hold a `%` that stands for itself. */
export function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function fillBody(body: Body, raw: (text: string) => string): Body {
  if (typeof body === 'string') return raw(body);
  if (Array.isArray(body)) return body.map((item: Body) => fillBody(item, raw));
  if (body instanceof Sealed || !isMap(body)) return body;
  const map: { readonly [name: string]: Body } = body;
  return mapValues(map, (value) => fillBody(value, raw));
}

function unknown(template: string, whole: string, values: { readonly [name: string]: string }): Failure {
  const known = ['id', ...Object.keys(values)].map((key) => `{${key}}`).join(', ');
  return new Failure('PARAM_INVALID', {
    detail: `The path ${template} uses ${whole}, but nothing gives it a value. Known here: ${known}.`,
    fix: 'Correct the name in braces, or encode a literal brace as %7B or %7D.',
  });
}
