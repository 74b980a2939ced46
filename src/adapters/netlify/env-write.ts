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
 * Puts a value where none stands. A new variable is made by one request and a value of one that is there by another, which
 * overwrites without a word: so it is looked once more, in the moment before the write.
 */
export async function addValue(io: Io, identity: EnvIdentity, desired: Desired): Promise<EnvVariable> {
  const there = await readVariable(io, identity);
  if (there) return await joinVariable(io, identity, there, desired);
  try {
    return await makeVariable(io, identity, desired);
  } catch (thrown) {
    // Another line or run made the variable meanwhile; what the provider then answers is not documented (2026-11-21).
    if (!(thrown instanceof HttpFailure) || thrown.unanswered || !mayMeanTaken.has(thrown.status ?? 0)) throw thrown;
    const now = await readVariable(io, identity);
    if (!now) throw thrown;
    return await joinVariable(io, identity, now, desired);
  }
}

type Repeats = Pick<SendOptions, 'retry'>;
/** A create is looked for before it is sent again. */
const once: Repeats = { retry: 'none' };

/** Statuses that may mean that the variable is there already. */
export const mayMeanTaken: ReadonlySet<number> = new Set([400, 409, 422]);

/** The same context again, with another value. */
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
      detail: `Secrecy and scopes of ${identity.key} are written together with its value, and the plan keeps the value.`,
      fix: 'Give `value` as well, or leave `secret` and `scopes` out.',
    });
  }
  // The request replaces all values of the variable: there is none but ours.
  return await ask(
    io.http,
    { method: 'PUT', path: keyPath(identity), query: { site_id: identity.site }, body: bodyOf(identity, desired, there) },
    // Sent again it would also take away what somebody else added since the look.
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

/** Adds a value to a variable that is there, as it was seen a moment ago. */
export async function joinVariable(io: Io, identity: EnvIdentity, there: EnvVariable, desired: Desired): Promise<EnvVariable> {
  const { key, context } = identity;
  if (valuesOf(there, identity).length > 0) {
    throw new Failure('PROVIDER_CONFLICT', { detail: `${key} got a value in this context between the look and the write.` });
  }
  if (!isAsDeclared(there, desired)) return await changeVariable(io, identity, desired);
  if (there.is_secret === true && (context === 'all' || context === 'dev')) {
    throw new Failure('PARAM_INVALID', {
      detail: `${key} is a secret in Netlify, and a secret has no value in the context ${context}.`,
      fix: 'Choose another context, or another key.',
    });
  }
  return await changeValue(io, identity, desired, once);
}

/** Who takes part in a variable takes it as it is, unless nobody else is in it. */
function refuseShared(identity: EnvIdentity, there: EnvVariable, desired: Desired): void {
  const own = new Set(valuesOf(there, identity));
  const others = there.values.filter((one) => !own.has(one)).length;
  if (others === 0 || isAsDeclared(there, desired)) return;
  const is = there.is_secret === true ? 'is a secret' : 'is no secret';
  throw new Failure('PARAM_INVALID', {
    detail: `The variable ${identity.key} ${is} with the scopes ${plainScopes(there.scopes).join(', ') || 'that Netlify gave it'}, which the plan wants otherwise, and ${others} values in it are not this line's.`,
    fix: 'Change `secret` and `scopes` in the plan to what they are, change the variable in Netlify, or use another key.',
  });
}

/** Whether the variable as a whole is as the plan says, as far as it says. */
export function isAsDeclared(there: EnvVariable, { secret, scopes }: Desired): boolean {
  const isSameSecrecy = secret === undefined || secret === (there.is_secret === true);
  return isSameSecrecy && (scopes === undefined || JSON.stringify(scopes) === JSON.stringify(plainScopes(there.scopes)));
}

/** The variable with our value, and no others than these. What the plan does not declare of it stays as it is. */
export function bodyOf(identity: EnvIdentity, desired: Desired, there: EnvVariable | null, others: readonly Body[] = []): Body {
  // By its id it stays the value that the ledger knows.
  const [own] = there ? valuesOf(there, identity) : [];
  const isSecret = desired.secret ?? there?.is_secret;
  // A secret has no place in post processing, where a variable is seen unless it is told otherwise.
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
