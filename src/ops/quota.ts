import type { Json } from '../core/json.ts';
import type { Method, Refused } from '../http/types.ts';
import { says } from '../remote/says.ts';

/** How a provider refuses another object of an operation when it is full, and how many objects there may be. */
export interface QuotaSpec {
  /** The limit as the provider states it, as a sentence: "An account holds 16 webhook endpoints." */
  readonly limit?: string;
  /** Refused writes that mean "full" beside 402 and 507. */
  readonly answers?: readonly QuotaAnswer[];
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
