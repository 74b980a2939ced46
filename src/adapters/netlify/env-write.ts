import { Failure } from '../../core/errors.ts';
import { HttpFailure } from '../../http/failure.ts';
import type { Body, SendOptions } from '../../http/types.ts';
import { ask } from '../../ops/answer.ts';
import type { Desired, Io } from '../../ops/bound.ts';
import { asBody } from '../../remote/stored-json.ts';
import {
  type EnvIdentity,
  type EnvVariable,
  keyPath,
  listPath,
  plainScopes,
  readVariable,
  valuesOf,
  variableSchema,
  variablesSchema,
} from './api.ts';

/**
 * Puts a value at an empty place. One request makes a new variable, and another adds a value to an existing variable. That one
 * overwrites without an error, so a last look comes right before the write.
 */
export async function addValue(io: Io, identity: EnvIdentity, desired: Desired): Promise<EnvVariable> {
  const there = await readVariable(io, identity);
  if (there) return await joinVariable(io, identity, there, desired);
  try {
    return await makeVariable(io, identity, desired);
  } catch (thrown) {
    // Another line or run made the variable meanwhile. The docs do not name the answer to that (2026-11-21).
    if (!(thrown instanceof HttpFailure) || thrown.unanswered || !mayMeanTaken.has(thrown.status ?? 0)) throw thrown;
    const now = await readVariable(io, identity);
    if (!now) throw thrown;
    return await joinVariable(io, identity, now, desired);
  }
}

type Repeats = Pick<SendOptions, 'retry'>;
/** The engine looks for the result of a create before it sends the create again. */
const once: Repeats = { retry: 'none' };

/** Statuses that may mean that the variable exists already. */
export const mayMeanTaken: ReadonlySet<number> = new Set([400, 409, 422]);

/** Changes the value of the same context. */
export async function changeValue(io: Io, identity: EnvIdentity, desired: Desired, options: Repeats = {}): Promise<EnvVariable> {
  return await ask(
    io.http,
    { method: 'PATCH', path: keyPath(identity), query: { site_id: identity.site }, body: valueBody(identity, desired) },
    { purpose: 'write', signal: io.signal, ...options },
    variableSchema,
  );
}

/** Secrecy and scopes belong to the variable, so they change only while nobody else has a value in it. */
export async function changeVariable(io: Io, identity: EnvIdentity, desired: Desired): Promise<EnvVariable> {
  const there = await readVariable(io, identity);
  if (there) refuseShared(identity, there, desired);
  if (desired.value === undefined) {
    throw new Failure('PARAM_INVALID', {
      detail: `Secrecy and scopes of ${identity.key} can only be written together with its value, but the plan keeps the value.`,
      fix: 'Give `value` as well, or leave `secret` and `scopes` out.',
    });
  }
  // The request replaces all values of the variable, and ours is the only one.
  return await ask(
    io.http,
    { method: 'PUT', path: keyPath(identity), query: { site_id: identity.site }, body: bodyOf(identity, desired, there) },
    // A second send would also remove values that somebody else added since the look.
    { purpose: 'write', signal: io.signal, ...once },
    variableSchema,
  );
}

async function makeVariable(io: Io, identity: EnvIdentity, desired: Desired): Promise<EnvVariable> {
  const { account, site, key } = identity;
  const request = { method: 'POST', path: listPath(account), query: { site_id: site }, body: [bodyOf(identity, desired, null)] } as const;
  const made = await ask(io.http, request, { purpose: 'write', signal: io.signal, ...once }, variablesSchema);
  const [ours] = made.filter((one) => one.key === key);
  return ours ?? { key, scopes: [], values: [] };
}

/** Adds a value to an existing variable, as it was seen a moment ago. */
export async function joinVariable(io: Io, identity: EnvIdentity, there: EnvVariable, desired: Desired): Promise<EnvVariable> {
  const { key, context } = identity;
  if (valuesOf(there, identity).length > 0) {
    throw new Failure('PROVIDER_CONFLICT', { detail: `${key} got a value in this context between the look and the write.` });
  }
  if (!isAsDeclared(there, desired)) return await changeVariable(io, identity, desired);
  if (there.is_secret === true && (context === 'all' || context === 'dev')) {
    throw new Failure('PARAM_INVALID', {
      detail: `${key} is a secret in Netlify, and a secret cannot have a value in the context ${context}.`,
      fix: 'Choose another context, or another key.',
    });
  }
  return await changeValue(io, identity, desired, once);
}

/** Refuses to change the settings of a variable that others share. A line may change them only where it is alone. */
function refuseShared(identity: EnvIdentity, there: EnvVariable, desired: Desired): void {
  const own = new Set(valuesOf(there, identity));
  const others = there.values.filter((one) => !own.has(one)).length;
  if (others === 0 || isAsDeclared(there, desired)) return;
  const is = there.is_secret === true ? 'is a secret' : 'is no secret';
  throw new Failure('PARAM_INVALID', {
    detail: `The variable ${identity.key} ${is} with the scopes ${plainScopes(there.scopes).join(', ') || 'that Netlify gave it'}. The plan wants other settings, but ${others} values in the variable are not this line's.`,
    fix: 'Change `secret` and `scopes` in the plan to the settings in Netlify, change the variable in Netlify, or use another key.',
  });
}

/** Whether the variable's settings are as planned, as far as the plan declares them. */
export function isAsDeclared(there: EnvVariable, { secret, scopes }: Desired): boolean {
  const isSameSecrecy = secret === undefined || secret === (there.is_secret === true);
  return isSameSecrecy && (scopes === undefined || JSON.stringify(scopes) === JSON.stringify(plainScopes(there.scopes)));
}

/** The variable with our value and these other values. Settings that the plan does not declare stay as they are. */
export function bodyOf(identity: EnvIdentity, desired: Desired, there: EnvVariable | null, others: readonly Body[] = []): Body {
  // With its id it stays the value that the ledger knows.
  const [own] = there ? valuesOf(there, identity) : [];
  const isSecret = desired.secret ?? there?.is_secret;
  // A secret cannot be used in post processing, which is one of the default scopes of a variable.
  const kept = (there?.scopes ?? []).filter((scope) => isSecret !== true || plainScopes([scope])[0] !== 'post_processing');
  const scopes = desired.scopes ?? (kept.length > 0 ? kept : undefined);
  return {
    key: identity.key,
    values: [{ ...(own && { id: own.id }), ...valueBody(identity, desired) }, ...others],
    ...(isSecret !== undefined && isSecret !== null && { is_secret: asBody(isSecret) }),
    ...(scopes !== undefined && { scopes: asBody(scopes) }),
  };
}

/** One value at its place. */
export const valueBody = ({ context, branch }: EnvIdentity, { value }: Desired): { readonly [name: string]: Body } => ({
  context,
  ...(branch !== null && { context_parameter: branch }),
  ...(value !== undefined && { value: asBody(value) }),
});
