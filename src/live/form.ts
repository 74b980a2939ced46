import type { Json } from '../core/json.ts';
import { kindsOf, sentBody } from './body.ts';
import type { Passed } from './tap.ts';

/** A request as a report shows it: its form, and no value of it. */
export interface RequestForm {
  readonly method: string;
  /** The path with a name in place of each value: `/v1/projects/{project}/branches/{…}`. */
  readonly path: string;
  /** Names of the query. */
  readonly query?: readonly string[];
  /** The kinds of the body's members. */
  readonly body?: Json;
  readonly status: number;
  /** The report broke the connection after the service answered. */
  readonly isLost?: true;
}

/** The values of a line that a path may hold, by the name that stands for each. */
export type Names = ReadonlyMap<string, string>;

export function formOf(passed: Passed, names: Names): RequestForm {
  const { method, url, answer, isLost } = passed;
  const query = [...new Set(url.searchParams.keys())];
  const body = sentBody(passed);
  return {
    method,
    path: patternOf(url.pathname, names),
    ...(query.length > 0 && { query: query.map((name) => named(name, names) ?? name) }),
    ...(passed.body !== '' && { body: body === null ? 'text' : kindsOf(body) }),
    status: answer.status,
    ...(isLost && { isLost }),
  };
}

/** Words of an API's own paths: letters with signs between, a version, a file such as `config.json`. */
const word = /^(?:v\d+(?:\.\d+)*(?:beta\d*|alpha\d*)?|[a-z]{2,}(?:[-_.:]?[a-z]+)*|\d{4}-\d{2}-\d{2}|)$/i;

/** A segment that is a value of the line gets the name of its param, one that looks like an id gets `{…}`. */
export function patternOf(path: string, names: Names): string {
  return path
    .split('/')
    .map((segment) => {
      const text = decoded(segment);
      return named(text, names) ?? (word.test(text) && text.length <= 40 ? segment : '{…}');
    })
    .join('/');
}

/** `text` with a name in place of each value of the line, `null` where it holds none. */
function named(text: string, names: Names): string | null {
  const exact = names.get(text);
  if (exact !== undefined) return `{${exact}}`;
  const held = [...names].filter(([value]) => value.length >= 6 && text.includes(value));
  return held.length === 0 ? null : held.reduce((shown, [value, name]) => shown.replaceAll(value, `{${name}}`), text);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * Whether a request only reads: by its method, or as a GraphQL query. `looks` are requests that a plan sent, and a plan only reads.
 */
export function isRead(passed: Passed, looks: ReadonlySet<string>): boolean {
  if (/^(?:GET|HEAD|OPTIONS)$/.test(passed.method)) return true;
  const body = sentBody(passed);
  const query = typeof body === 'object' && body !== null && 'query' in body ? body.query : null;
  if (typeof query === 'string') return !/^\s*mutation\b/.test(query);
  return isTokenRequest(passed) || looks.has(lookOf(passed));
}

/** Whether a request is for a token: its answer is another one each time, and says nothing about objects. */
export function isTokenRequest(passed: Passed): boolean {
  const body = passed.method === 'POST' ? sentBody(passed) : null;
  return typeof body === 'object' && body !== null && 'grant_type' in body;
}

export const lookOf = ({ method, url }: Passed): string => `${method} ${url.origin}${url.pathname}`;
