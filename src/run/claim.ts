import { recordIdOf } from '../adapters/http/find.ts';
import { Failure } from '../core/errors.ts';
import type { Intent, LedgerState } from '../ledger/facts.ts';
import { parseState } from '../ledger/state.ts';
import type { Session } from './session.ts';

/** Clocks of provider and runner may differ by this much. */
const skewMs = 60_000;

/** Why an object that an intent finds may not be what the intent announced. */
export interface Contradiction {
  readonly why: string;
  /** `unclear`: two scopes announced one object, and nobody can say yet which of them made it. */
  readonly whose: 'theirs' | 'unclear';
}

/** Whether it was made before it was announced, as far as the provider tells. */
export const isOlder = (intent: Intent, { createdAt }: Pick<Found, 'createdAt'>): boolean =>
  createdAt !== undefined && Date.parse(createdAt) < Date.parse(intent.at) - skewMs;

type Found = { readonly id: string; readonly createdAt?: string | undefined; readonly isMarked?: boolean | undefined };

/**
 * Why an object that an intent finds is not what the intent announced: it was made before, it bears another mark, or another
 * scope's record or intent names it. `null` when nothing says so. Rare, so other scopes' ledgers are read.
 */
export async function contradictionOf(session: Session, intent: Intent, live: Found): Promise<string | null> {
  return (await contradictionIn(session, intent, live))?.why ?? null;
}

/** The same, with what follows from it: a record says whose it is, and a second announcement only that it is unclear. */
export async function contradictionIn(session: Session, intent: Intent, live: Found): Promise<Contradiction | null> {
  if (isOlder(intent, live)) {
    return { why: `${intent.key} was made at ${live.createdAt}, before this scope announced it`, whose: 'theirs' };
  }
  if (live.isMarked === false) return { why: `${intent.key} does not bear the mark of this scope`, whose: 'theirs' };
  const recordId = recordIdOf(intent.reach, live.id);
  let unclear: Contradiction | null = null;
  for await (const { branch, state } of otherScopes(session)) {
    if (isRecordedIn(state, recordId, intent.provider.base_url)) return { why: `${intent.key} is recorded on ${branch}`, whose: 'theirs' };
    if (state.intents.has(intent.identity)) unclear ??= { why: `${intent.key} is announced on ${branch} as well`, whose: 'unclear' };
  }
  return unclear;
}

/** Why what this scope let stay is another's by now; `null` when no other scope has recorded it. Rare, so other ledgers are read. */
export async function recordedElsewhere(
  session: Session,
  { key, recordId, baseUrl }: { readonly key: string; readonly recordId: string; readonly baseUrl: string },
): Promise<string | null> {
  for await (const { branch, state } of otherScopes(session))
    if (isRecordedIn(state, recordId, baseUrl)) return `${key} is recorded on ${branch} by now`;
  return null;
}

const isRecordedIn = ({ records }: LedgerState, recordId: string, baseUrl: string): boolean =>
  [...records.values()].some((record) => record.owned && record.recordId === recordId && record.provider.base_url === baseUrl);

async function* otherScopes(session: Session): AsyncGenerator<{ readonly branch: string; readonly state: LedgerState }> {
  const prefix = `${session.receiptsBranch.split('/').slice(0, -2).join('/')}/`;
  for (const { branch } of await session.store.list(prefix)) {
    if (branch === session.receiptsBranch || branch.endsWith('/_history')) continue;
    const tree = await session.store.read(branch);
    if (tree) yield { branch, state: parseState(tree.files, branch) };
  }
}

export const foreign = (contradiction: string): Failure =>
  new Failure('RESOURCE_FOREIGN', {
    detail: `${contradiction}, so it is not this scope's.`,
    fix: 'Give the line another name, so that each scope has its own object.',
  });

/** Refused instead of forgotten: the object may be this scope's, and then its intent is all that names it. */
export const disputed = ({ why }: Contradiction): Failure =>
  new Failure('RESOURCE_FOREIGN', {
    detail: `${why}, and neither of the two has recorded it, so nobody can say whose it is. The intent of this scope stays.`,
    fix: 'When no run of the other scope is under way, remove the object at the provider and run again.',
  });
