import type { z } from 'zod';
import { Failure } from '../core/errors.ts';
import type { Http, RequestSpec, SendOptions } from '../http/types.ts';
import { saidError, saysError } from '../remote/says.ts';

/** Sends a request and takes its answer apart at the door: only members that the schema names go on. */
export async function ask<T>(http: Http, request: RequestSpec, options: SendOptions, schema: z.ZodType<T>): Promise<T> {
  const { status, body } = await http.send(request, options);
  try {
    return parseAnswer(schema, body, `${http.block.api} answered ${request.method} ${request.path}`);
  } catch (thrown) {
    throw saysError(body) ? saidError(http, `${request.method} ${request.path}`, { status, body }) : thrown;
  }
}

/**
 * The result of each schema for each body. All lines that share a list share its body. If each of them took the body apart, the
 * time would grow with the square of their number.
 */
const parsed = new WeakMap<z.ZodType, WeakMap<object, unknown>>();

/**
 * Takes a body apart. `what` begins the sentence of an error, which names members and never shows their values. All lines with the same body
 * share the result, so nobody may write to it.
 */
export function parseAnswer<T>(schema: z.ZodType<T>, body: unknown, what: string): T {
  if (typeof body !== 'object' || body === null) return parse(schema, body, what);
  let ofSchema = parsed.get(schema);
  if (!ofSchema) {
    ofSchema = new WeakMap();
    parsed.set(schema, ofSchema);
  }
  // Every result under a schema was made by that schema.
  if (ofSchema.has(body)) return ofSchema.get(body) as T;
  const result = parse(schema, body, what);
  ofSchema.set(body, result);
  return result;
}

function parse<T>(schema: z.ZodType<T>, body: unknown, what: string): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const at = issue && issue.path.length > 0 ? `at /${issue.path.map(String).join('/')}` : 'at the top';
  // A write may be answered without a body, and here its answer has to hold something.
  const isEmpty = body === null || body === undefined || body === '';
  throw new Failure('PROVIDER_RESPONSE', {
    detail: isEmpty ? `${what} with an empty body.` : `${what} without a usable value ${at} (${issue?.code ?? 'unknown'}).`,
    kind: isEmpty ? 'empty' : undefined,
  });
}
