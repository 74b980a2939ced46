import { Failure } from '../core/errors.ts';
import { isMap } from '../core/json.ts';
import type { Answer, Http } from '../http/types.ts';

/** Whether the body of a success says that it was none: `{ "error": … }`, a list of errors, `{ "ok": false }`. */
export function saysError(body: unknown): boolean {
  if (!isMap(body)) return false;
  return ['error', 'errors', 'failed'].some((name) => isSaid(body[name])) || body.success === false || body.ok === false;
}

function isSaid(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isMap(value) ? Object.keys(value).length > 0 : Boolean(value);
}

/** A success that is none, in the provider's own words. */
export function saidError(http: Http, what: string, { status, body }: Pick<Answer, 'status' | 'body'>): Failure {
  const said = http.quote?.(body) || (isMap(body) && http.quote?.(body.failed)) || '';
  return new Failure('PROVIDER_RESPONSE', {
    detail: `${http.block.api} answered ${status} to ${what}, and its answer is an error${said === '' ? '.' : `: ${said.replace(/[.\s]+$/, '')}.`}`,
  });
}
