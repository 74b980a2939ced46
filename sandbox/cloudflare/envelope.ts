import { json, type Refusal, type Reply, refuse } from '../kit/index.ts';

/** Every answer of the API, good or bad, comes in one form. */
export const success = (result: unknown, more: { readonly [name: string]: unknown } = {}): Reply =>
  json(200, { result, success: true, errors: [], messages: [], ...more });

const failureBody = (code: number, message: string) => ({ result: null, success: false, errors: [{ code, message }], messages: [] });
export const failure = (status: number, code: number, message: string): Reply => json(status, failureBody(code, message));
export const refusal = (status: number, code: number, message: string): Refusal => refuse(status, failureBody(code, message));
