import { Failure } from '../../core/errors.ts';
import type { ItemBound, ObjectBound } from '../../ops/bound.ts';
import { isShifting } from '../../remote/find.ts';
import { comparableEntry } from '../../remote/hidden.ts';
import type { Live } from '../../remote/live-object.ts';
import { entryOf, isTwice, otherKind, readParent, unmanaged } from '../../remote/parent.ts';
import type { Session } from '../session.ts';
import { confirmAbsent } from './absent.ts';
import { goingAmong } from './going.ts';
import { ioOf, type LineWork } from './work.ts';

/** What stands where the line's object or entry would. */
export interface FoundLive {
  readonly live: Live | null;
  readonly count: 'none' | 'one' | 'many';
}

export async function findObject(session: Session, work: LineWork, bound: ObjectBound): Promise<FoundLive> {
  await beforeBelieving(session, work);
  const fresh = work.intent !== null && session.purpose !== 'plan' ? { share: false as const } : {};
  const known = new Set(work.record?.superseded.map((old) => old.objectId) ?? []);
  for (const id of work.intent?.not ?? []) if (id !== work.record?.objectId) known.add(id);
  const look = async (o: { share?: false }): Promise<readonly Live[]> =>
    (await bound.find(ioOf(work, work.stopping, o))).filter((live) => !known.has(live.id));
  let fit = await look(fresh);
  // Alone and not the recorded one: a list that lags shows what was replaced, and its successor not yet.
  const isOther = work.record !== null && fit[0]?.id !== work.record.objectId;
  const isExpected = work.record || work.intent ? fit.length === 1 && !isOther : fit.length === 0;
  if (!isExpected && (await mustLookAgain(session, work, bound))) fit = await look({ share: false });
  work.going = fit.length === 0 ? [] : await goingAmong(session, work, bound, fit);
  if (work.going.length > 0) fit = fit.filter(({ id }) => !work.going.includes(id));
  // An interrupted replacement: the announced object stands beside the recorded one and is the one to go on with.
  const { record } = work;
  const isBeside = work.intent !== null && record !== null && fit.length === 2 && fit.some((live) => live.id === record.objectId);
  const rest = isBeside ? fit.filter((live) => live.id !== record.objectId) : fit;
  if (isBeside && record.owned) work.replaced = { recordId: record.recordId, objectId: record.objectId, reach: record.reach };
  if (rest.length === 0 && record && bound.read) {
    const live = await bound.read(ioOf(work, work.stopping, fresh), record.objectId);
    if (live && record.removing === true) work.going = [...new Set([...work.going, live.id])];
    else if (live) return { live, count: 'one' };
  }
  if (rest.length === 0 && work.record && work.http && work.going.length === 0) {
    await confirmAbsent(session, work.http, bound.reach, { what: work.record.recordId, signal: work.stopping });
  }
  return { live: rest[0] ?? null, count: rest.length === 0 ? 'none' : rest.length === 1 ? 'one' : 'many' };
}

/** Where lists lag behind writes, or move while they are read, a surprising look is made again. Tells whether it is to be. */
async function mustLookAgain(session: Session, work: LineWork, bound: ObjectBound): Promise<boolean> {
  const find = bound.reach.kind === 'object' ? bound.reach.find : null;
  const settle = find?.settle ?? 0;
  if (settle > 0) await session.clock.sleep(settle * 1000, work.stopping);
  return settle > 0 || (find != null && isShifting(find));
}

/** What an earlier run sent may still land, a delete as well as a create: nothing that is seen before it cannot any more is acted upon. */
async function beforeBelieving(session: Session, work: LineWork): Promise<void> {
  if (session.purpose !== 'plan') await session.writer.quietMoment(work.stopping);
}

export async function findItem(session: Session, work: LineWork, bound: ItemBound): Promise<FoundLive> {
  await beforeBelieving(session, work);
  if (!work.http) throw new Error('an item is looked for before its client is there');
  const { parent, item } = bound.reach;
  const collection = await readParent(work.http, parent, { signal: work.stopping, share: true });
  const refused = otherKind(collection, parent);
  if (refused) throw refused;
  work.unmanaged = unmanaged(collection, [item]);
  const remark = bound.remark?.(collection.raw) ?? null;
  if (remark !== null) ioOf(work, work.stopping).note(remark);
  const value = entryOf(collection, item, bound.entry);
  if (value === undefined) return { live: null, count: 'none' };
  const [field = 'value'] = Object.keys(bound.fields);
  const count = isTwice(collection, parent, item) ? 'many' : 'one';
  return { live: { id: item, values: { [field]: comparableEntry(parent, value, bound.entry) }, outputs: { id: item } }, count };
}

/**
 * A plan, and an apply that judges all lines ahead, look before anything is made: what stands in an object of an earlier line may have nowhere to stand yet. Only a line of the
 * same provider can be about to make that object, so beside any other one the object is missing, and the line names it wrongly.
 */
export function isParentToCome(session: Session, work: LineWork, error: unknown): boolean {
  if (!work.isAhead || !(error instanceof Failure) || error.code !== 'PROVIDER_NOT_FOUND') return false;
  const site = siteOf(work);
  const seen = new Set<string>();
  const open = [...(work.prepared?.after ?? [])];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const earlier = session.works.get(id);
    if (!earlier) continue;
    if (session.vault.get(id) === null && siteOf(earlier) === site) return true;
    open.push(...(earlier.prepared?.after ?? []));
  }
  return false;
}

/** A provider may have several hosts below one name: its last two labels. */
function siteOf({ block, prepared }: LineWork): string {
  const host = URL.parse((block ?? prepared?.block)?.base_url ?? '')?.hostname ?? '';
  return host.split('.').slice(-2).join('.');
}
