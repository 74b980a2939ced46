import { Failure } from '../../core/errors.ts';
import type { LedgerRecord, LedgerState, SentDeletes, Superseded } from '../../ledger/model/facts.ts';
import { deletesPath, shortIdentity } from '../../ledger/model/sent-deletes.ts';
import { isLedgerDamage, parseState } from '../../ledger/model/state.ts';
import { asSuperseded } from '../../ledger/model/superseded.ts';
import type { Session } from '../session.ts';
import { storedRecord } from '../trust/trust.ts';
import { isPastUnseen } from './phases.ts';

/** The objects that this scope had under one identity, whose delete was accepted, and that no run has seen gone since. */
export interface Past {
  /** The last record. It tells how the objects are reached, and with which credential. */
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
 * The objects of this scope's accepted deletes, by identity. Reads nothing when the ledger names none. Callers ask only for an object that
 * nothing else tells about, for a name that is held, and in a destroy for deletes that are `open`.
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

/** Deletes whose notes no credential of this run sealed. A run that holds that credential looks after them. */
const unseen = new WeakMap<Session['writer'], Set<number>>();

function leaveNoted({ writer, warnings }: Session, n: number, { line, key }: LedgerRecord): void {
  unseen.set(writer, (unseen.get(writer) ?? new Set()).add(n));
  const text = `${line}: an earlier run removed ${key}, and this run could not see whether it is gone, because no credential of this run sealed that.`;
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

/** The objects that end with a record. An adopted or kept object stays, and nobody waits for its end. */
function deletedWith(record: LedgerRecord): readonly Superseded[] {
  const { owned, destroy, kind, objectId, superseded } = record;
  const isRemoved = owned && destroy === 'delete' && kind === 'object' && objectId !== '';
  return [...superseded, ...(isRemoved ? [asSuperseded(record)] : [])].filter(
    (one) => one.reach.kind === 'object' && one.reach.remove !== null,
  );
}

/** Empty for a commit that the store no longer has: a folder keeps only the last ones. */
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

/** Call this before the lines of a destroy are made. They come from what the ledger names, and from what was removed and not seen gone. */
export async function lookBack(session: Session): Promise<void> {
  const deletes = (session.writer.state.deletes ?? []).flatMap(({ n, open }) => (open === true ? [n] : []));
  const past = deletes.length === 0 ? null : await pastOrNone(session);
  const seen = deletes.filter((n) => !unseen.get(session.writer)?.has(n));
  if (past) lookedBack.set(session.writer, { past, deletes: seen });
}

export const pastNow = ({ writer }: Session): ReadonlyMap<string, Past> => lookedBack.get(writer)?.past ?? new Map();

/** Ends the look back of a destroy whose lines all settled: the objects are gone, and no later run needs to look again. */
export function endLookBack(session: Session): void {
  const deletes = lookedBack.get(session.writer)?.deletes;
  const isUnseen = [...session.works.values()].some(isPastUnseen);
  if (!deletes || deletes.length === 0 || isUnseen) return;
  void session.writer.submit([{ kind: 'looked', deletes }], { urgent: false }).catch(() => undefined);
}

/** A destroy removes what it can even if an older commit cannot be read, so that failure is a warning. */
async function pastOrNone(session: Session): Promise<ReadonlyMap<string, Past> | null> {
  try {
    return await pastOf(session, 'open');
  } catch (error) {
    if (!(error instanceof Failure) || session.stopping.aborted) throw error;
    session.warnings.push(`This run did not look whether the objects that earlier runs removed are gone: ${error.detail}`);
    return null;
  }
}
