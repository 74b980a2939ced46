import { isDeepStrictEqual } from 'node:util';
import { isMap } from '../core/json.ts';
import { joinPointer } from '../core/pointer.ts';
import { answeredBody } from './body.ts';
import { isTokenRequest } from './form.ts';
import type { Passed } from './tap.ts';

/** What the looks of a plan saw: the answer of each request. */
export type Seen = ReadonlyMap<string, unknown>;

export const seenBy = (passed: readonly Passed[]): Seen =>
  new Map(
    passed
      .filter((one) => !isTokenRequest(one))
      .map((one) => [`${one.method} ${one.url.href} ${one.body}`, { status: one.answer.status, body: answeredBody(one) }]),
  );

/** How two looks differ, as places: `/authorizedDomains/3`. */
export interface Differences {
  /** An entry more or less, or another value. */
  readonly changed: readonly string[];
  /** A moment or a revision went on, or an empty list is there in place of none. */
  readonly wentOn: readonly string[];
}

/**
 * Compares what stood before with what stands after. A request that only one of the two looks sent says nothing. `name`: a request whose
 * address holds it is about the object itself, and a service may remember an object that is gone.
 */
export function differencesOf(before: Seen, after: Seen, name: string): Differences {
  const found: [place: string, isMove: boolean][] = [];
  for (const [request, was] of before) {
    if (!after.has(request)) continue;
    const isOwn = request.includes(name);
    compare(was, after.get(request), [], (path, isMove) => found.push([joinPointer(path), isMove || isOwn]));
  }
  const of = (isMove: boolean): readonly string[] => [...new Set(found.filter((one) => one[1] === isMove).map(([place]) => place))];
  return { changed: of(false), wentOn: of(true) };
}

type Path = readonly (string | number)[];
type Tell = (path: Path, isMove: boolean) => void;

function compare(was: unknown, is: unknown, path: Path, tell: Tell): void {
  if (isDeepStrictEqual(was, is)) return;
  if (Array.isArray(was) && Array.isArray(is)) {
    // Some services list entries in no order.
    const left = [...is];
    const missing = was.filter((one) => {
      const at = left.findIndex((other) => isDeepStrictEqual(one, other));
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
    if (missing.length === left.length) for (const [i, one] of missing.entries()) compare(one, left[i], [...path, '*'], tell);
    else tell(path, false);
    return;
  }
  if (isMap(was) && isMap(is)) {
    for (const name of new Set([...Object.keys(was), ...Object.keys(is)])) compare(was[name], is[name], [...path, name], tell);
    return;
  }
  tell(path, (isEmpty(was) && isEmpty(is)) || movesOn(path.at(-1), was, is));
}

/** A list without entries often stays where no list was. */
const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isMap(value) && Object.values(value).every(isEmpty));

const movingName =
  /(?:updated|modified|changed|last|version|revision|generation|etag|serial|sequence|time|date|request_?id|nonce|operation-id|(?:^|_)at$|^@xmlns)/i;
const moment = /^\d{4}-\d{2}-\d{2}[T ]|^[A-Z][a-z]{2}, \d{2} /;

function movesOn(name: string | number | undefined, was: unknown, is: unknown): boolean {
  if (typeof was === 'string' && typeof is === 'string' && moment.test(was) && moment.test(is)) return true;
  const isPlain = (value: unknown): boolean => value === undefined || typeof value === 'string' || typeof value === 'number';
  return isPlain(was) && isPlain(is) && movingName.test(String(name));
}
