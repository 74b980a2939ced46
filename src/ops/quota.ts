import type { Json } from '../core/json.ts';
import { getAt } from '../core/pointer.ts';
import type { Method, Refused } from '../http/types.ts';
import { holds } from '../remote/read.ts';
import { says } from '../remote/says.ts';

/** How a provider refuses another object of an operation when it is full, and how many objects there may be. */
export interface QuotaSpec {
  /** The limit as the provider states it, as a sentence: "An account holds 16 webhook endpoints." */
  readonly limit?: string;
  /** Refused writes that mean "full" beside 402 and 507. */
  readonly answers?: readonly QuotaAnswer[];
  /** The reads that tell both numbers, before the first create. Only for a provider that describes them. */
  readonly figures?: Figures;
}

/** How many objects the place of a create takes, and how many it has. Equal paths are one read. */
export interface Figures {
  readonly limit: Figure;
  readonly count: Figure & {
    /** Entries of the list that count: pointer into the entry to value. Where this is left out, all of them count. */
    readonly match?: { readonly [pointer: string]: Json };
  };
}

export interface Figure {
  /** The path of a GET, with params of the line in braces. */
  readonly path: string;
  /** Pointer to the number, or, for the count, to a list. */
  readonly at: string;
}

export interface QuotaAnswer {
  /** The method of the refused request, where the status means something else for other methods. */
  readonly method?: Method;
  /** The end of the refused request's path, where the status means something else for other paths of that method. */
  readonly path?: string;
  readonly status: number;
  /** Pointer to value in the body, as `says` reads it. Without this and without `empty`, the status suffices. */
  readonly match?: { readonly [pointer: string]: Json };
  /** The answer has no body. The run then reads with the same credential before it believes that the credential is not at fault. */
  readonly empty?: true;
}

/** Whether a refused write means that the provider has no room. */
export function isFullAnswer({ answers = [] }: QuotaSpec, { method, path, status, body }: Refused): boolean {
  return answers.some(
    (answer) =>
      answer.status === status &&
      (answer.method === undefined || answer.method === method) &&
      (answer.path === undefined || path.endsWith(answer.path)) &&
      (answer.empty === undefined || isEmptyBody(body)) &&
      (answer.match === undefined || says(body, answer.match)),
  );
}

/** A body without a word in it. */
export const isEmptyBody = (body: unknown): boolean =>
  body === null || body === undefined || (typeof body === 'string' && body.trim() === '');

/** The limit in an answer; `null` where it tells none. A number below 1 is no limit: providers write -1 or 0 for "unlimited". */
export function limitIn(body: unknown, { at }: Figures['limit']): number | null {
  const limit = wholeNumber(getAt(body, at));
  return limit === null || limit < 1 ? null : limit;
}

/** The number of objects in an answer; `null` where it tells none. A list that has further pages counts too few, which refuses nothing. */
export function countIn(body: unknown, { at, match = {} }: Figures['count']): number | null {
  const value = getAt(body, at);
  if (Array.isArray(value)) return value.filter((entry) => holds(entry, match)).length;
  const count = wholeNumber(value);
  return count === null || count < 0 ? null : count;
}

function wholeNumber(value: unknown): number | null {
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}
