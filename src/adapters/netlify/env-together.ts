import { Failure } from '../../core/errors.ts';
import { HttpFailure } from '../../http/failure.ts';
import { ask } from '../../ops/answer.ts';
import type { Desired, Io } from '../../ops/bound.ts';
import { type EnvIdentity, type EnvVariable, listPath, listVariables, variablesSchema } from './api.ts';
import { bodyOf, isAsDeclared, joinVariable, mayMeanTaken, valueBody } from './env-write.ts';

export interface WantedValue {
  readonly identity: EnvIdentity;
  readonly desired: Desired;
}

/**
 * Puts several values of one site: one look, one request for all new variables with all of their values, and one request for each
 * value of an existing variable. `null` when Netlify refused the new ones together, maybe because of a mistake in one of them.
 */
export async function addValues(io: Io, wanted: readonly WantedValue[]): Promise<readonly (EnvVariable | Error)[] | null> {
  const [first] = wanted;
  if (!first) return [];
  const there = await listVariables({ ...io, share: false }, first.identity);
  const known = new Map(there.map((variable) => [variable.key, variable]));
  const together = groupsOf(wanted.filter(({ identity }) => !known.has(identity.key)));
  const made = together.length > 0 ? await makeVariables(io, first.identity, together) : [];
  if (made === null) return null;
  const answered = new Set(together.flat());
  for (const variable of made) known.set(variable.key, variable);
  const outcomes = new Map<WantedValue, EnvVariable | Error>();
  const ofKeys = [...Map.groupBy(wanted, ({ identity }) => identity.key)].map(async ([key, all]) => {
    // The values go one after the other, because each request changes the variable.
    for (const one of all) {
      const variable = known.get(key) ?? { key, scopes: [], values: [] };
      const now = answered.has(one) ? variable : await joinVariable(io, one.identity, variable, one.desired).catch(refusalOf);
      if (!(now instanceof Error)) known.set(key, now);
      outcomes.set(one, now);
    }
  });
  for (const { status, reason } of (await Promise.allSettled(ofKeys)).map((one) => ({ reason: null, ...one })))
    if (status === 'rejected') throw reason;
  return wanted.map((one) => outcomes.get(one) ?? new Failure('INTERNAL', { detail: `${one.identity.key} has no outcome.` }));
}

/** The values of each new variable. A value that wants other settings of the variable than the first one is left out. */
function groupsOf(wanted: readonly WantedValue[]): readonly (readonly WantedValue[])[] {
  const byKey = Map.groupBy(wanted, ({ identity }) => identity.key);
  return [...byKey.values()].flatMap((all) => {
    // A line that declares settings of the whole variable decides for lines that do not.
    const leader = all.toSorted((a, b) => declared(b.desired) - declared(a.desired))[0];
    if (!leader) return [];
    const { secret, scopes } = leader.desired;
    const isSecret = secret === true;
    const like = { key: leader.identity.key, values: [], is_secret: isSecret, scopes: Array.isArray(scopes) ? scopes.map(String) : [] };
    const others = all.filter((one) => one !== leader && isAsDeclared(like, one.desired) && !(isSecret && isOpenContext(one.identity)));
    return [[leader, ...others]];
  });
}

/** Secrets come first: where lines contradict each other, no value is shown that one of them wants hidden. */
const declared = ({ secret, scopes }: Desired): number =>
  Number(secret === true) * 3 + Number(secret !== undefined) + Number(scopes !== undefined);
const isOpenContext = ({ context }: EnvIdentity): boolean => context === 'all' || context === 'dev';

async function makeVariables(
  io: Io,
  { account, site }: EnvIdentity,
  groups: readonly (readonly WantedValue[])[],
): Promise<readonly EnvVariable[] | null> {
  const body = groups.flatMap(([leader, ...others]) => {
    if (!leader) return [];
    const values = others.map(({ identity, desired }) => valueBody(identity, desired));
    return [bodyOf(leader.identity, leader.desired, null, values)];
  });
  try {
    const request = { method: 'POST', path: listPath(account), query: { site_id: site }, body } as const;
    return await ask(io.http, request, { purpose: 'write', signal: io.signal, retry: 'none' }, variablesSchema);
  } catch (thrown) {
    if (thrown instanceof HttpFailure && !thrown.unanswered && mayMeanTaken.has(thrown.status ?? 0)) return null;
    throw thrown;
  }
}

/** The refusal of one line. Throws where the write may have landed, because nobody knows then. */
function refusalOf(thrown: unknown): Error {
  const mayStand = thrown instanceof HttpFailure && (thrown.unanswered || (thrown.status ?? 0) >= 500);
  if (mayStand || !(thrown instanceof Error)) throw thrown;
  return thrown;
}
