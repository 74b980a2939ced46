import { Failure } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import { getAt } from '../../core/pointer.ts';
import type { Http } from '../../http/types.ts';
import type { Collection } from '../../remote/collection.ts';
import { applyEntries, isOutdated, lockNameOf, readParent, writeParent } from '../../remote/parent.ts';
import type { Detach } from '../../remote/parent-spec.ts';
import type { Reach } from '../../remote/reach.ts';
import { asJson } from '../../remote/stored-json.ts';
import { inTurn } from '../schedule/turns.ts';
import type { Session } from '../session.ts';
import { pauseBetween } from './pause.ts';
import type { Removal } from './until-gone.ts';

/**
 * Takes away the entry that holds an object, and returns when the entry no longer holds it. Then the object can be removed. Refuses an
 * object that is in use, or that somebody else's entry holds too. `stays`: the provider does not remove the object, and nothing holds it.
 * An entry that holds another object by now is not touched.
 */
export async function detach(
  session: Session,
  http: Http,
  reach: Extract<Reach, { kind: 'object' }>,
  { id, stopping }: Removal,
): Promise<'detached' | 'stays'> {
  const { detach: how } = reach;
  if (!how) return 'detached';
  // One list may hold many objects of a run, and each write would make the others' writes outdated.
  return await inTurn(session, lockNameOf(http.block, how.parent), async () => {
    let parent = await letGo(session, http, how, { id, stopping });
    if (parent?.written) parent = await awaitLetGo(session, http, how, { id, stopping });
    const kept = how.kept_as === undefined ? undefined : getAt(parent?.raw, how.kept_as);
    if (typeof kept !== 'string' || kept.split('/').at(-1) !== id) return 'detached';
    session.warnings.push(
      `${id} was let go by ${placeOf(how)} and stays there: it is the ${how.kept_as?.slice(1) ?? ''}, which the provider does not remove.`,
    );
    return 'stays';
  });
}

interface Parent {
  readonly raw: unknown;
  readonly written: boolean;
}

/** A write, and three more when others wrote in between. */
const mostWrites = 4;

/** The parent without the entries that hold the object; `null` when the parent itself is gone. */
async function letGo(session: Session, http: Http, how: Detach, { id, stopping }: Removal): Promise<Parent | null> {
  for (let writes = 1; ; writes += 1) {
    const collection = await readOrNone(http, how, stopping);
    if (!collection) return null;
    const holding = collection.entries.filter(({ value }) => holds(value, how, id));
    if (holding.length === 0) return { raw: collection.raw, written: false };
    const kept = holding.find(({ name, value }) => name !== how.item || isUsed(value, how));
    if (kept) throw inUse(how, id, kept);
    const { body } = applyEntries(collection, how.parent, [{ item: how.item, entry: null }]);
    try {
      await writeParent(http, how.parent, body, { signal: session.ending, version: collection.version });
      return { raw: collection.raw, written: true };
    } catch (error) {
      if (!isOutdated(how.parent, error) || writes >= mostWrites) throw error;
    }
  }
}

/** `null` when the parent is gone, and what it held with it. */
async function readOrNone(http: Http, how: Detach, signal: AbortSignal): Promise<Collection | null> {
  try {
    return await readParent(http, how.parent, { signal, share: false });
  } catch (error) {
    if (error instanceof Failure && error.code === 'PROVIDER_NOT_FOUND') return null;
    throw error;
  }
}

async function awaitLetGo(session: Session, http: Http, how: Detach, { id, stopping }: Removal): Promise<Parent | null> {
  const { in_force: list, seconds } = how;
  const until = session.clock.mono() + seconds * 1000;
  for (let polls = 0; ; polls += 1) {
    const collection = await readOrNone(http, how, stopping);
    const entries: unknown = list === undefined ? [] : getAt(collection?.raw, list);
    const isInForce = Array.isArray(entries) && entries.some((entry) => holds(asJson(entry), how, id));
    if (!isInForce) return collection && { raw: collection.raw, written: true };
    if (await pauseBetween(session, { signal: stopping, of: id, polls, until, longest })) continue;
    throw new Failure('WAIT_TIMEOUT', {
      detail: `${how.item} of ${placeOf(how)} was taken away from ${id}, and is still in force ${Math.round(seconds)} s later. The record stays.`,
      fix: 'Run again later. The next run goes on from there.',
    });
  }
}

const longest = 3_000;

const holds = (entry: Json, how: Detach, id: string): boolean => getAt(entry, how.holds) === id;
const isUsed = (entry: Json, { in_use: at }: Detach): boolean => at !== undefined && Boolean(getAt(entry, at));
const placeOf = ({ parent }: Detach): string => parent.path.split('?', 1)[0] ?? parent.path;

function inUse(how: Detach, id: string, { name, value }: { readonly name: string; readonly value: Json }): Failure {
  const used = isUsed(value, how);
  const why = used
    ? `${placeOf(how)} uses it (${how.in_use?.slice(1)}: ${String(getAt(value, how.in_use ?? ''))})`
    : `${name} of ${placeOf(how)}, which is not of this scope, holds it too`;
  return new Failure('PROVIDER_CONFLICT', {
    detail: `${id} cannot be removed: ${why}. It stays as it is, and so does its record.`,
    fix: used ? 'Let another object take its place at the provider, then run again.' : `Take ${name} away from it, then run again.`,
  });
}
