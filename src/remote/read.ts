import { isMap, type Json } from '../core/json.ts';
import { getAt } from '../core/pointer.ts';
import { isXml } from '../http/encodings/decode.ts';
import { HttpFailure } from '../http/failure.ts';
import type { Answer, Http, SendOptions, StoredRequest } from '../http/types.ts';
import { isAsPlanned } from './compare.ts';
import { rootField } from './graphql.ts';
import type { FindSpec, UntilGone } from './reach.ts';
import { says } from './says.ts';
import { fillId } from './template.ts';

/** How a look is made. */
export interface ReadOptions {
  readonly signal: AbortSignal;
  /** As in `SendOptions`. */
  readonly share?: boolean;
}

/** The options of a read, which is harmless to repeat whatever its method is. */
export function readOptions(request: StoredRequest, o: Partial<ReadOptions>, accept: readonly number[] = []): SendOptions {
  return {
    purpose: 'read',
    ...(o.signal && { signal: o.signal }),
    ...(request.method === 'POST' && { idempotent: true }),
    ...(accept.length > 0 && { accept }),
    ...(o.share !== undefined && { share: o.share }),
  };
}

export const isXmlAnswer = (answer: Answer): boolean => isXml(answer.headers['content-type']);

/** Whether every pointer holds its value; numbers and their text are equal. */
export function holds(value: unknown, match: { readonly [pointer: string]: Json }): boolean {
  return Object.entries(match).every(([pointer, want]) => isAsPlanned(want, getAt(value, pointer)));
}

/** Whether a body means "none", whatever the status is. */
export const saysNone = (spec: Pick<FindSpec, 'none_match'>, body: unknown): boolean =>
  spec.none_match !== undefined && says(body, spec.none_match);
export const isRefusalOfNone = (spec: Pick<FindSpec, 'none_match'>, thrown: unknown): boolean =>
  thrown instanceof HttpFailure && thrown.status !== null && saysNone(spec, thrown.body);

export const showRequest = (request: StoredRequest): string =>
  request.graphql ? `the GraphQL field ${rootField(request.graphql.data_path)}` : `${request.method} ${request.path}`;

/** The names of members, never their values: names suffice to correct a pointer. */
export function members(value: unknown): string {
  if (Array.isArray(value)) return '; it is a list itself';
  if (!isMap(value)) return `; it is ${value === null ? 'empty' : `a ${typeof value}`}`;
  const names = Object.keys(value);
  if (names.length === 0) return '; it has no members';
  return `; it has ${names.slice(0, 8).join(', ')}${names.length > 8 ? ', …' : ''}`;
}

/** Whether an object whose delete was accepted is gone by now, by a read of its own. Other parts of the answer do not matter. */
export async function isGone(http: Http, how: UntilGone, id: string, signal: AbortSignal): Promise<boolean> {
  const gone = [404, 410, ...(how.none ?? [])];
  const saysGone = (body: unknown): boolean => how.none_match !== undefined && says(body, how.none_match);
  const request = fillId(how.read, id);
  try {
    const answer = await http.send(request, readOptions(request, { signal, share: false }, gone));
    return gone.includes(answer.status) || saysGone(answer.body);
  } catch (thrown) {
    if (thrown instanceof HttpFailure && thrown.status !== null && saysGone(thrown.body)) return true;
    throw thrown;
  }
}
