import { type Refusal, refuse } from '../kit/index.ts';

const docs = 'https://stripe.com/docs/error-codes/';

/** A refusal in the provider's words: every error is one object below `error`. */
export const invalid = (
  message: string,
  more: { readonly code?: string; readonly param?: string; readonly status?: number } = {},
): Refusal =>
  refuse(more.status ?? 400, {
    error: {
      ...(more.code !== undefined && { code: more.code, doc_url: `${docs}${more.code.replaceAll('_', '-')}` }),
      message,
      ...(more.param !== undefined && { param: more.param }),
      type: 'invalid_request_error',
    },
  });

export const noSuch = (id: string, param: string, status = 404, what = 'webhook endpoint'): Refusal =>
  invalid(`No such ${what}: '${id}'`, { code: 'resource_missing', param, status });

export const reusedKey = (key: string): Refusal =>
  refuse(400, {
    error: {
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      type: 'idempotency_error',
    },
  });
