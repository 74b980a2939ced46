import type { z } from 'zod';
import { Failure } from '../core/errors.ts';
import type { Http, RequestSpec, SendOptions } from '../http/types.ts';
import { saidError, saysError } from '../remote/says.ts';

/** Sends a request and takes its answer apart at the door: only what the schema names goes on. */
export async function ask<T>(http: Http, request: RequestSpec, options: SendOptions, schema: z.ZodType<T>): Promise<T> {
  const { status, body } = await http.send(request, options);
  try {
    return parseAnswer(schema, body, `${http.block.api} answered ${request.method} ${request.path}`);
  } catch (thrown) {
    throw saysError(body) ? saidError(http, `${request.method} ${request.path}`, { status, body }) : thrown;
  }
}

/**
 * What each schema made of each body. A list is one body for all lines that share it: were each of them to take it apart, the
 * time would grow with the square of their number.
 */
const parsed = new WeakMap<z.ZodType, WeakMap<object, unknown>>();

/**
 * `what` begins the sentence. Names of members are told, never their values. The result belongs to all who hold the same body:
 * it is read, never written.
 */
export function parseAnswer<T>(schema: z.ZodType<T>, body: unknown, what: string): T {
  if (typeof body !== 'object' || body === null) return parse(schema, body, what);
  let ofSchema = parsed.get(schema);
  if (!ofSchema) {
    ofSchema = new WeakMap();
    parsed.set(schema, ofSchema);
  }
  // What is kept under a schema was made by it.
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
  throw new Failure('PROVIDER_RESPONSE', {
    detail: `${what} without what is needed ${at} (${issue?.code ?? 'unknown'}).`,
    fix: 'Check the base URL; when it is right, the provider has changed its API.',
  });
}
