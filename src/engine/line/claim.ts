import { Failure } from '../../core/errors.ts';
import { isToCome } from '../../http/host-clock.ts';
import type { Intent } from '../../ledger/model/facts.ts';
import { recordIdOf } from '../../remote/find.ts';
import { instantOf, shownInstant } from '../../remote/instant.ts';
import type { Signs } from '../../remote/signs.ts';
import type { Session } from '../session.ts';
import { readOtherScopes, type UnreadLedger } from './other-scopes.ts';

/** Some providers tell when an object was made in whole seconds. */
const roundedMs = 1_000;

/** The reason why an object that an intent finds may not be the announced one. */
export interface Contradiction {
  readonly why: string;
  /** `unclear`: two scopes announced one object, and nobody can say yet which of them made it. */
  readonly whose: 'theirs' | 'unclear';
}

/**
 * Whether the object was made before its announcement, by the provider's own clock. `false` also when one of the two moments is unknown, or
 * when the announcement names a moment that is still to come.
 */
export function isOlder({ client }: Pick<Session, 'client'>, intent: Intent, { createdAt }: Signs): boolean {
  const announced = Date.parse(intent.atHost ?? '');
  const made = createdAt === undefined ? null : instantOf(createdAt);
  if (made === null || isToCome(announced, client.api(intent.provider).time?.() ?? null)) return false;
  return made < announced - roundedMs;
}

/** An object as a stored reach finds it. */
export interface Located extends Signs {
  readonly id: string;
}

/**
 * The reason why an object that an intent finds is not the announced one: it was made before, it bears another mark, or another
 * scope's record or intent names it. `null` when nothing says so. Reads the ledgers of the other scopes.
 */
export async function contradictionOf(session: Session, intent: Intent, live: Located): Promise<string | null> {
  return (await contradictionIn(session, intent, live))?.why ?? null;
}

/** The same, with its meaning: a record names the owner, and a second announcement only leaves the owner unclear. */
export async function contradictionIn(session: Session, intent: Intent, live: Located): Promise<Contradiction | null> {
  if (isOlder(session, intent, live)) {
    return { why: `${intent.key} was made at ${shownInstant(live.createdAt ?? '')}, before this scope announced it`, whose: 'theirs' };
  }
  if (live.isMarked === false) return { why: `${intent.key} does not bear the mark of this scope`, whose: 'theirs' };
  const recordId = recordIdOf(intent.reach, live.id);
  const others = await readOtherScopes(session);
  const recordedOn = others.recordedOn(recordId, intent.provider.base_url);
  if (recordedOn !== null) return { why: `${intent.key} is recorded on ${recordedOn}`, whose: 'theirs' };
  const announcedOn = others.announcedOn(intent.identity);
  if (announcedOn !== null) return { why: `${intent.key} is announced on ${announcedOn} as well`, whose: 'unclear' };
  // An unreadable ledger may name the object. An object that bears our mark, or was made after its announcement here, is ours all the same.
  const isShown = live.isMarked === true || live.createdAt !== undefined;
  const [unread] = others.unread;
  if (unread && !isShown) throw unknowable(intent.key, unread);
  return null;
}

/**
 * Gives the objects that the intent may have announced: an object that somebody else made meanwhile is neither recorded nor removed. Throws
 * when another scope announced the same: "not ours" would end the only fact that names an object which may be ours.
 */
export async function announced(session: Session, intent: Intent, found: readonly Located[]): Promise<readonly Located[]> {
  const ours: Located[] = [];
  for (const one of found) {
    const contradiction = await contradictionIn(session, intent, one);
    if (contradiction?.whose === 'unclear') throw disputed(contradiction);
    if (contradiction === null) ours.push(one);
  }
  return ours;
}

/** Neither claimed nor forgotten: the intent stays, and a later run that can read the other ledger decides. */
const unknowable = (key: string, { branch, why, mend }: UnreadLedger): Failure =>
  new Failure('LEDGER_CORRUPT', {
    detail: `${key} may be the object that this scope announced. Nothing about the object proves that, and ${branch}, which cannot be read, may name it too: ${why}`,
    fix: mend,
  });

/** The reason why an object that this scope let stay is now another's; `null` when no other scope has recorded it. Reads their ledgers. */
export async function recordedElsewhere(
  session: Session,
  { key, recordId, baseUrl }: { readonly key: string; readonly recordId: string; readonly baseUrl: string },
): Promise<string | null> {
  const branch = (await readOtherScopes(session)).recordedOn(recordId, baseUrl);
  return branch === null ? null : `${key} is recorded on ${branch} by now`;
}

export const foreign = (contradiction: string): Failure =>
  new Failure('RESOURCE_FOREIGN', {
    detail: `${contradiction}, so it is not this scope's.`,
    fix: 'Give the line another name, so that each scope has its own object.',
  });

/** The failure in place of forgetting: the object may be this scope's, and then only this scope's intent names it. */
const disputed = ({ why }: Contradiction): Failure =>
  new Failure('RESOURCE_FOREIGN', {
    detail: `${why}, and neither scope has recorded it, so its owner is unclear. The intent of this scope stays.`,
    fix: 'When no run of the other scope is under way, remove the object at the provider and run again.',
  });
