import { canonicalJson } from '../../core/canonical.ts';
import { Failure } from '../../core/errors.ts';
import { lookUntil, patience } from '../../core/look-until.ts';
import type { LedgerRecord } from '../../ledger/model/facts.ts';
import type { Io, ObjectBound } from '../../ops/bound.ts';
import type { Live } from '../../remote/live-object.ts';
import type { Reach } from '../../remote/reach.ts';
import { isSameId } from '../../remote/spelling.ts';
import type { Session } from '../session.ts';
import { isUnknown, settleOf } from './lag.ts';
import { ioOf, type PhaseFacts, type Ready } from './phases.ts';

type Sought = Pick<PhaseFacts, 'id' | 'http' | 'notes'> & { readonly bound: ObjectBound };

/**
 * Finds the objects once the list and their own paths agree. An object that its list shows and its path does not is neither there nor
 * absent yet: one of the two lags behind a write. Throws `PROVIDER_TRANSIENT` where they go on to disagree.
 */
export async function findSettled(
  session: Session,
  work: Sought,
  { signal, ...o }: Pick<Io, 'signal' | 'share' | 'ids' | 'isAlike'>,
): Promise<readonly Live[]> {
  const { bound } = work;
  const isEnough = (found: readonly Live[]): boolean => !found.some(({ isListedOnly }) => isListedOnly);
  const seconds = Math.max(settleOf(bound), patience);
  const first = await bound.find(ioOf(work, signal, o));
  const again = ioOf(work, signal, { ...o, share: false });
  const found = await lookUntil({ clock: session.clock, seconds, signal, isEnough }, () => bound.find(again), first);
  if (!isEnough(found)) throw listedOnly(bound, found);
  return found;
}

/**
 * Looks again for a while for a recorded object that no look shows, when the line has no `settle` and its provider is unknown. Then the looks
 * are believed. A list that shows other objects of this scope is believed at once.
 */
export async function findLate(session: Session, work: Ready<ObjectBound>, id: string): Promise<readonly Live[]> {
  const { bound, prepared, stopping: signal } = work;
  const { reach } = bound;
  if (!isUnknown(prepared) || reach.kind !== 'object' || !reach.find || settleOf(bound) > 0) return [];
  const others = reach.find.list === null || bound.read ? [] : someOthersOf(session, work);
  if (others.length > 0) {
    const shown = await bound.find(ioOf(work, signal, { ids: others }));
    if (shown.some((live) => others.includes(live.id))) return [];
  }
  const isEnough = (found: readonly Live[]): boolean => found.some((live) => isSameId(live.id, id) && !live.isListedOnly);
  const again = ioOf(work, signal, { share: false, ids: [id] });
  const look = async (): Promise<readonly Live[]> => {
    const found = await bound.find(again);
    const live = isEnough(found) ? null : await bound.read?.(again, id);
    return live ? [live] : found;
  };
  const found = await lookUntil({ clock: session.clock, seconds: patience, signal, isEnough }, look, []);
  return isEnough(found) ? found : [];
}

/** Ids of some objects that this scope has in the same list, from all over it. */
function someOthersOf({ writer }: Session, { identity, bound }: Ready<ObjectBound>): readonly string[] {
  const listOf = (reach: Reach): string | null => (reach.kind === 'object' && reach.find ? canonicalJson(reach.find.request) : null);
  const list = listOf(bound.reach);
  const records = [...writer.state.records.values()];
  const step = Math.max(1, Math.floor(records.length / 20));
  const some = records.filter((record, i) => i % step === 0 && record.identity !== identity && listOf(record.reach) === list);
  return some.map(({ objectId }) => objectId);
}

function listedOnly({ key }: ObjectBound, found: readonly Live[]): Failure {
  const ids = found.flatMap(({ id, isListedOnly }) => (isListedOnly ? [id] : []));
  return new Failure('PROVIDER_TRANSIENT', {
    kind: 'unsteady',
    detail: `${key}: the list shows ${ids.join(', ')}, but its own path answers that there is none. Nothing was written.`,
    fix: 'Run again later.',
    fixByHand: 'Run again later. Where the two never agree, correct the read path of the line.',
  });
}

/** A list may show the recorded id in another case. The object is the recorded one all the same. */
export function asRecorded(record: LedgerRecord | null, found: readonly Live[]): readonly Live[] {
  if (!record || found.some(({ id }) => id === record.objectId)) return found;
  const same = found.filter(({ id }) => isSameId(id, record.objectId));
  return same.length === 1 ? found.map((live) => (live === same[0] ? { ...live, id: record.objectId } : live)) : found;
}
