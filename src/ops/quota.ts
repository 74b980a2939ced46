import type { Json } from '../core/json.ts';
import type { Method, Refused } from '../http/types.ts';
import { says } from '../remote/says.ts';

/** How a provider that has no room for another object of an operation says so, and how many there may be. */
export interface QuotaSpec {
  /** The limit as the provider states it, as a sentence: "An account holds 16 webhook endpoints." */
  readonly limit?: string;
  /** Refused writes that mean "full" beside 402 and 507. */
  readonly answers?: readonly QuotaAnswer[];
}

export interface QuotaAnswer {
  /** Of the refused request, where the status means something else to others. */
  readonly method?: Method;
  /** How the path of the refused request ends, where others of that method and status mean something else. */
  readonly path?: string;
  readonly status: number;
  /** Pointer to value in the body, as `says` reads it. Without it, and without `empty`, the status alone says so. */
  readonly match?: { readonly [pointer: string]: Json };
  /** Nothing stands in the answer. The run then reads with the same credential, before it believes that this was not the credential's fault. */
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
