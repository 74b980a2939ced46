import type { z } from 'zod';
import { Failure } from '../core/errors.ts';
import type { Http, RequestSpec, SendOptions } from '../http/types.ts';

/** Sends a request and takes its answer apart at the door: only what the schema names goes on. */
export async function ask<T>(http: Http, request: RequestSpec, options: SendOptions, schema: z.ZodType<T>): Promise<T> {
  const { body } = await http.send(request, options);
  return parseAnswer(schema, body, `${http.block.api} answered ${request.method} ${request.path}`);
}

/** `what` begins the sentence. Names of members are told, never their values. */
export function parseAnswer<T>(schema: z.ZodType<T>, body: unknown, what: string): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const at = issue && issue.path.length > 0 ? `at /${issue.path.map(String).join('/')}` : 'at the top';
  throw new Failure('PROVIDER_RESPONSE', {
    detail: `${what} without what is needed ${at} (${issue?.code ?? 'unknown'}).`,
    fix: 'Check the base URL; when it is right, the provider has changed its API.',
  });
}
