import { Failure } from '../../core/errors.ts';

const codes: ReadonlySet<string> = new Set(['PROVIDER_RESPONSE', 'PLUGIN_FAILED', 'SECRET_UNRESOLVED', 'INTERNAL']);

/** Whether it is the answer that is wrong, and not the request: what was asked for was done all the same. */
export const isUnusable = (thrown: unknown): boolean => !(thrown instanceof Failure) || codes.has(thrown.code);
