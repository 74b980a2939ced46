import { Failure } from '../../core/errors.ts';
import type { LedgerRecord, LedgerState, SentDeletes, Superseded } from '../../ledger/model/facts.ts';
import { deletesPath, shortIdentity } from '../../ledger/model/sent-deletes.ts';
import { isLedgerDamage, parseState } from '../../ledger/model/state.ts';
import type { Session } from '../session.ts';
import { storedRecord } from '../trust/trust.ts';
import { isPastUnseen } from './phases.ts';

/** The objects that this scope had under one identity, whose delete was accepted, and that no run has seen gone since. */
export interface Past {
  /** As it last stood: how the objects are reached, and with which credential. */
  readonly record: LedgerRecord;
  readonly objects: readonly Superseded[];
  /** The ledger's numbers of those deletes. */
  readonly deletes: readonly number[];
}

/** A record as an older commit has it, and whether a key of this run sealed it there. */
interface OlderRecord {
  readonly record: LedgerRecord;
  readonly wasSealed: boolean;
}

/** The records of the older commits that the ledger names. One a run: sessions are derived from each other, and all have its writer. */
const readings = new WeakMap<Session['writer'], Map<string, Promise<readonly OlderRecord[]>>>();

/**
 * By identity, what accepted deletes of this scope were of. Nothing is read where the ledger names none: this is asked only where an
 * object stands that nothing else tells about, where a name is held, and by a destroy of those that are `open`.
 */
export async function pastOf(session: Session, which: 'all' | 'open' = 'all'): Promise<ReadonlyMap<string, Past>> {
  const { writer } = session;
  const known = readings.get(writer) ?? new Map<string, Promise<readonly OlderRecord[]>>();
  readings.set(writer, known);
  const sent = (writer.state.deletes ?? []).filter(({ open }) => which === 'all' || open === true);
  for (const one of sent) if (!known.has(one.head)) known.set(one.head, recordsOf(session, one));
  const past = new Map<string, Past>();
  for (const note of sent) {
    const found = (note.records ?? []).map((record) => ({ record, wasSealed: true }));
    for (const { record, wasSealed } of [...((await known.get(note.head)) ?? []), ...found]) {
      if (record.plan !== session.planName) continue;
      const isOurs = wasSealed && (await session.trust.isNoteSealed(deletesPath(note.n), note, record));
      if (!isOurs) {
        if (which === 'open') leaveNoted(session, note.n, record);
        continue;
      }
      session.trust.believe(record);
      add(past, record, note.n, writer.state);
    }
  }
  return past;
}

/** Deletes that another credential noted, or nobody: whoever holds it looks after them. */
const unseen = new WeakMap<Session['writer'], Set<number>>();

function leaveNoted({ writer, warnings }: Session, n: number, { line, key }: LedgerRecord): void {
  unseen.set(writer, (unseen.get(writer) ?? new Set()).add(n));
  const text = `${line}: whether ${key}, which an earlier run removed, is gone could not be seen: no credential of this run sealed that.`;
  if (!warnings.includes(text)) warnings.push(text);
}

function add(past: Map<string, Past>, record: LedgerRecord, n: number, { records, left }: LedgerState): void {
  const now = records.get(record.identity);
  const stands = new Set([now?.objectId, left.get(record.identity)?.objectId, ...(now?.superseded ?? []).map(({ objectId }) => objectId)]);
  const before = past.get(record.identity);
  const objects = new Map(before?.objects.map((one) => [one.objectId, one]));
  for (const one of deletedWith(record)) if (!stands.has(one.objectId)) objects.set(one.objectId, one);
  if (objects.size === 0) return;
  past.set(record.identity, { record, objects: [...objects.values()], deletes: [...(before?.deletes ?? []), n] });
}

/** Those of a record's objects that end with it: what was adopted or is kept stays, and is nobody's to wait for. */
function deletedWith({ owned, destroy, kind, recordId, objectId, reach, superseded }: LedgerRecord): readonly Superseded[] {
  const isRemoved = owned && destroy === 'delete' && kind === 'object' && objectId !== '';
  const own = isRemoved ? [{ recordId, objectId, reach }] : [];
  return [...superseded, ...own].filter((one) => one.reach.kind === 'object' && one.reach.remove !== null);
}

/** None for a commit that the store has no more: a folder keeps the last ones only. */
async function recordsOf({ store, trust, receiptsBranch }: Session, { head, of }: SentDeletes): Promise<readonly OlderRecord[]> {
  try {
    const tree = await store.readAt(receiptsBranch, head);
    const wanted = new Set(of.split(' '));
    const all = tree === null ? [] : [...parseState(tree.files, receiptsBranch).records.values()];
    const records = all.filter(({ identity }) => wanted.has(shortIdentity(identity)));
    const files = tree?.files ?? new Map<string, string>();
    return await Promise.all(records.map(async (record) => ({ record, wasSealed: await trust.wasSealed(storedRecord(record), files) })));
  } catch (error) {
    if (!isLedgerDamage(error)) throw error;
    return [];
  }
}

/** The earlier deletes that a destroy found when it began. */
const lookedBack = new WeakMap<Session['writer'], { readonly past: ReadonlyMap<string, Past>; readonly deletes: readonly number[] }>();

/** Before the lines of a destroy are made: they are of what the ledger names, and of what it says was removed and not seen gone. */
export async function lookBack(session: Session): Promise<void> {
  const deletes = (session.writer.state.deletes ?? []).flatMap(({ n, open }) => (open === true ? [n] : []));
  const past = deletes.length === 0 ? null : await pastOrNone(session);
  const seen = deletes.filter((n) => !unseen.get(session.writer)?.has(n));
  if (past) lookedBack.set(session.writer, { past, deletes: seen });
}

export const pastNow = ({ writer }: Session): ReadonlyMap<string, Past> => lookedBack.get(writer)?.past ?? new Map();

/** Of a destroy whose lines all settled: what it looked back at is gone, and no later run needs to look again. */
export function endLookBack(session: Session): void {
  const deletes = lookedBack.get(session.writer)?.deletes;
  const isUnseen = [...session.works.values()].some(isPastUnseen);
  if (!deletes || deletes.length === 0 || isUnseen) return;
  void session.writer.submit([{ kind: 'looked', deletes }], { urgent: false }).catch(() => undefined);
}

/** For a destroy, which takes away what it can although an older commit cannot be read: then that is a warning. */
async function pastOrNone(session: Session): Promise<ReadonlyMap<string, Past> | null> {
  try {
    return await pastOf(session, 'open');
  } catch (error) {
    if (!(error instanceof Failure) || session.stopping.aborted) throw error;
    session.warnings.push(`Whether what earlier runs removed is gone was not looked at: ${error.detail}`);
    return null;
  }
}
