import { Failure } from '../../core/errors.ts';
import { mapValues } from '../../core/json.ts';
import { lookUntil } from '../../core/look-until.ts';
import type { LedgerRecord, Superseded } from '../../ledger/model/facts.ts';
import { asSuperseded } from '../../ledger/model/superseded.ts';
import type { ItemBound, ObjectBound } from '../../ops/bound.ts';
import type { Collection } from '../../remote/collection.ts';
import { isShifting } from '../../remote/find.ts';
import { comparableEntry } from '../../remote/hidden.ts';
import { type Live, unreadable } from '../../remote/live-object.ts';
import { entryOf, holdsNamesOnly, isTwice, otherKind, readParent, unmanaged } from '../../remote/parent.ts';
import { formsOf, namesIn, underPlanNames } from '../../remote/spelled-entries.ts';
import type { Session } from '../session.ts';
import { confirmAbsent } from './absent.ts';
import { asRecorded, findLate, findSettled } from './found.ts';
import { goingAmong } from './going.ts';
import { lagOf, settleOf } from './lag.ts';
import { saysNoSpelling } from './line-entry.ts';
import { type Findings, ioOf, type LinePhase, type PhaseFacts, type Ready } from './phases.ts';

/** The object or entry that stands in the line's place. */
export interface FoundLive extends Pick<Findings, 'going' | 'goingOf' | 'replaced' | 'alikes'> {
  readonly live: Live | null;
  readonly count: 'none' | 'one' | 'many';
  /** Entries of the list that no line manages. */
  readonly unmanaged: readonly string[];
}

/** `isFresh`: a look that began before now is not joined. */
export async function findObject(session: Session, work: Ready<ObjectBound>, isFresh = false): Promise<FoundLive> {
  await beforeBelieving(session, work);
  const { bound, record, intent, http, stopping } = work;
  const fresh = isFresh || (intent !== null && session.purpose !== 'plan') ? { share: false as const } : {};
  const known = new Set(record?.superseded.map((old) => old.objectId) ?? []);
  for (const id of intent?.not ?? []) if (id !== record?.objectId) known.add(id);
  const ids = idsOf(record);
  const look = async (o: { share?: false }): Promise<readonly Live[]> => {
    const found = await findSettled(session, work, { signal: stopping, ...o, ids, isAlike: intent !== null });
    return asRecorded(record, found).filter((live) => !known.has(live.id));
  };
  let fit = await look(fresh);
  // One object that is not the recorded one: a lagging list may show the replaced object, and not yet its successor.
  const isOther = record !== null && !fit.some(({ id }) => id === record.objectId);
  const isExpected = record || intent ? fit.length === 1 && !isOther : fit.length === 0;
  if (!isExpected && (await mustLookAgain(session, work))) fit = await look({ share: false });
  if (record && fit.length === 0 && ids[0] !== undefined && record.removing !== true)
    fit = asRecorded(record, await findLate(session, work, ids[0]));
  const { going, goingOf } = fit.length === 0 ? { going: [], goingOf: [] } : await goingAmong(session, work, fit);
  if (going.length > 0) fit = fit.filter(({ id }) => !going.includes(id));
  const { rest, replaced } = besides(work, fit);
  const isNew = rest.length === 0 && intent === null && session.purpose !== 'plan';
  const alikes = isNew ? await alikesOf(work) : [];
  const found = { goingOf, replaced, alikes, unmanaged: [] };
  if (rest.length === 0 && record && bound.read) {
    const read = await bound.read(ioOf(work, stopping, fresh), record.objectId);
    const [live = null] = read ? asRecorded(record, [read]) : [];
    if (live && record.removing === true) return { ...found, going: [...new Set([...going, live.id])], live: null, count: 'none' };
    if (live) return { ...found, going, live, count: 'one' };
  }
  if (rest.length === 0 && record?.owned && isHiddenByNewer(bound))
    return { ...found, going, live: asLastSeen(record, bound), count: 'one' };
  if (rest.length === 0 && record && going.length === 0) {
    await confirmAbsent(session, http, bound.reach, { what: record.recordId, signal: stopping });
  }
  return { ...found, going, live: rest[0] ?? null, count: rest.length === 0 ? 'none' : rest.length === 1 ? 'one' : 'many' };
}

/** The ids that a look finds even if the objects have other names now. */
export const idsOf = (record: LedgerRecord | null): readonly string[] => (record && record.objectId !== '' ? [record.objectId] : []);

/** Ids of other people's objects. If the answer to our create is lost, none of them is taken for its object. The list was just read. */
async function alikesOf(work: Ready<ObjectBound>): Promise<readonly string[]> {
  const { reach } = work.bound;
  if (reach.kind !== 'object' || !reach.find || reach.find.list === null) return [];
  return (await work.bound.find(ioOf(work, work.stopping, { isAlike: true }))).map(({ id }) => id);
}

const isHiddenByNewer = ({ reach }: ObjectBound): boolean => reach.kind === 'object' && reach.find?.latest_only === true;

/** Nobody can read the object any more, so the record tells what it is. */
const asLastSeen = ({ objectId, outputs }: LedgerRecord, { fields }: ObjectBound): Live => ({
  id: objectId,
  values: mapValues(fields, () => unreadable),
  outputs,
});

/** An interrupted replacement: the announced object stands beside the recorded one and is the one to go on with. */
function besides(
  { record, intent }: Ready<ObjectBound>,
  fit: readonly Live[],
): { readonly rest: readonly Live[]; readonly replaced: Superseded | null } {
  const isBeside = intent !== null && record !== null && fit.length === 2 && fit.some((live) => live.id === record.objectId);
  if (!isBeside) return { rest: fit, replaced: null };
  return { rest: fit.filter((live) => live.id !== record.objectId), replaced: record.owned ? asSuperseded(record) : null };
}

/** Tells whether a surprising look must be made again: lists may lag behind writes, or move while they are read. */
async function mustLookAgain(session: Session, { bound, stopping }: Ready<ObjectBound>): Promise<boolean> {
  const find = bound.reach.kind === 'object' ? bound.reach.find : null;
  const settle = settleOf(bound);
  if (settle > 0) await session.clock.sleep(settle * 1000, stopping);
  return settle > 0 || (find != null && isShifting(find));
}

/** A write of an earlier run may still land, a delete as well as a create: a line acts only on a look that begins after that time. */
async function beforeBelieving(session: Session, { stopping }: Ready): Promise<void> {
  if (session.purpose !== 'plan') await session.writer.quietMoment(stopping);
}

export async function findItem(session: Session, work: Ready<ItemBound>): Promise<FoundLive> {
  await beforeBelieving(session, work);
  const { bound, stopping } = work;
  const { parent, item } = bound.reach;
  const read = await readRecorded(session, work);
  const { name, isUnclear } = nameOf(work, namesIn(read));
  const collection = underPlanNames(read, new Map([[name, item]]));
  const refused = otherKind(collection, parent);
  if (refused) throw refused;
  const remark = bound.remark?.(collection.raw) ?? null;
  if (remark !== null) ioOf(work, stopping).note(remark);
  const found = { going: [], goingOf: [], replaced: null, alikes: [], unmanaged: unmanaged(collection, [item]) };
  const value = entryOf(collection, item, bound.entry);
  if (value === undefined) return { ...found, live: null, count: 'none' };
  const [field = 'value'] = Object.keys(bound.fields);
  // A plain list holds nothing but names, so the entry under ours is as planned, however it is spelt.
  const shown = holdsNamesOnly(parent) && name !== item ? item : value;
  const live: Live = { id: name, values: { [field]: comparableEntry(parent, shown, bound.entry) }, outputs: { id: item } };
  return { ...found, live, count: isUnclear || isTwice(collection, parent, item) ? 'many' : 'one' };
}

/**
 * Reads may lag behind a write. So one read that does not show a recorded entry does not make it gone, and a collection in which a dead run
 * may have made the first entry is not missing.
 */
async function readRecorded(session: Session, work: Ready<ItemBound>): Promise<Collection> {
  const { bound, http, record, intent, prepared, stopping: signal } = work;
  const isEnough = (read: Collection): boolean => namesIn(read).has(nameOf(work, namesIn(read)).name) || (record === null && !read.missing);
  const seconds = record ? lagOf(bound, prepared) : intent ? settleOf(bound) : 0;
  let share = true;
  return await lookUntil({ clock: session.clock, seconds, signal, isEnough }, () => {
    const read = readParent(http, bound.reach.parent, { signal, share });
    share = false;
    return read;
  });
}

/**
 * The name of the line's entry at the provider: the recorded one. Where the ledger does not know that name, because an older version or a
 * dead run wrote the entry, the one form of the plan's name that was not there before.
 */
function nameOf(
  { bound, record, intent }: Ready<ItemBound>,
  names: ReadonlySet<string>,
): { readonly name: string; readonly isUnclear: boolean } {
  const { item } = bound.reach;
  const recorded = record?.objectId ?? '';
  if (recorded !== '' && names.has(recorded)) return { name: recorded, isUnclear: false };
  const isUnknown = record ? saysNoSpelling(record) : intent !== null;
  if (names.has(item) || !isUnknown) return { name: item, isUnclear: false };
  const [form = item, ...more] = formsOf(names, item).filter((name) => !intent?.not.includes(name));
  return { name: form, isUnclear: more.length > 0 };
}

/**
 * A plan, and an apply that judges all lines ahead, look before anything is made. So the parent that an earlier line makes may not exist yet.
 * Only a line of the same provider can be about to make that parent. Beside any other line the parent is missing, and the line names it wrongly.
 */
export function isParentToCome(session: Session, work: PhaseFacts, error: unknown): boolean {
  if (!work.isAhead || !(error instanceof Failure) || error.code !== 'PROVIDER_NOT_FOUND') return false;
  const site = siteOf(work);
  return earlierOf(session, work).some((earlier) => session.vault.get(earlier.id) === null && siteOf(earlier) === site);
}

/** Gives the lines that this one comes after, and the lines that those come after. */
export function earlierOf({ works }: Pick<Session, 'works'>, { after }: Pick<PhaseFacts, 'after'>): readonly LinePhase[] {
  const seen = new Map<string, LinePhase>();
  const open = [...after];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const earlier = works.get(id);
    if (seen.has(id) || !earlier) continue;
    seen.set(id, earlier);
    open.push(...earlier.after);
  }
  return [...seen.values()];
}

/** A provider may have several hosts below one name: its last two labels. */
export function siteOf({ block, prepared }: PhaseFacts): string {
  const host = URL.parse((block ?? prepared?.block)?.base_url ?? '')?.hostname ?? '';
  return host.split('.').slice(-2).join('.');
}
