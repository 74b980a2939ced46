import type { LedgerRecord } from '../../ledger/model/facts.ts';
import type { ItemBound } from '../../ops/bound.ts';
import { comparableEntry } from '../../remote/hidden.ts';
import type { LiveValue } from '../../remote/live-object.ts';
import { holdsNamesOnly } from '../../remote/parent.ts';
import { hasSealed } from '../../remote/value.ts';
import type { Session } from '../session.ts';
import type { LineEntry, Standing } from '../shared/parent-ask.ts';
import { isUnseen, plainOf, referenceOf, shortHash, textOf } from './compare.ts';
import { isSentBefore } from './kept-secrets.ts';
import { lagOf } from './lag.ts';
import { notKept, shown } from './not-kept.ts';
import { ioOf, type Judged, type Keeps, type Ready, type Written } from './phases.ts';
import { printerOf } from './printer.ts';
import { standing, written } from './publish.ts';

/** A line whose object is an entry of a shared parent. */
export type OfEntry = (Judged | Written) & { readonly bound: ItemBound };

/** The entry of a line, as its parent is asked for it. */
export const entryOf = ({ id, http, stopping, bound, prepared, attempt, intent, made, record, live }: OfEntry): LineEntry => ({
  ...{ id, http, stopping, attempt },
  reach: bound.reach,
  lock: bound.lockOn,
  lag: lagOf(bound, prepared),
  isNew: attempt.sends <= 1 && intent !== null && made === null && record === null,
  ...spelt(bound.reach.item, { record, name: live?.id }),
});

/** The provider's spelling of the entry's name, as far as the ledger or a look knows it. */
export function spelt(
  item: string,
  { record, name }: { readonly record: LedgerRecord | null; readonly name: string | undefined },
): Pick<LineEntry, 'kept' | 'isAnyForm' | 'isShownOtherwise'> {
  const known = name ?? record?.objectId ?? '';
  return {
    kept: known === '' || known === item ? null : known,
    isAnyForm: record !== null && saysNoSpelling(record) && known === item,
    isShownOtherwise: Object.keys(record?.kept ?? {}).length > 0,
  };
}

/** Whether an older version wrote the record, which took the plan's spelling for the provider's. */
export const saysNoSpelling = ({ v }: Pick<LedgerRecord, 'v'>): boolean => v === 1;

/** Stands for an entry that its provider left out in silence. */
const leftOut = shortHash(null);

/** Whether the absent entry was sent before with the same value, and left out. */
export async function isLeftOut(session: Session, line: Ready<ItemBound>): Promise<boolean> {
  const { bound, record } = line;
  const [[field, want] = ['', null]] = Object.entries(bound.fields);
  if (record?.unkept?.[field] !== leftOut) return false;
  return hasSealed(want)
    ? await isSentBefore({ record, field, printer: await printerOf(session, line) }, want)
    : record.fields[field] === shortHash(want);
}

/** The line after a write of its entry. */
export async function writtenEntry(session: Session, line: OfEntry, stands: Standing): Promise<void> {
  const { bound, id, http, notes } = line;
  const { item, parent } = bound.reach;
  const made = line.record ? 'updated' : line.made === 'claimed' ? 'claimed' : 'created';
  const [field = 'value'] = Object.keys(bound.fields);
  const live = { id: stands.name, values: {}, outputs: { id: item } };
  if (stands.dropped !== null) {
    const unkept = { [field]: leftOut };
    return void standing(
      session,
      { ...line, keeps: { fields: [field], kept: {}, unkept, stood: {} }, flaw: stands.dropped },
      { live, made },
    );
  }
  const note = (text: string): void => ioOf({ id, http, notes }, session.ending).note(text);
  if (stands.name !== item) note(`${item}: kept by the provider as ${shown(stands.name)}.`);
  const value = stands.value === undefined || holdsNamesOnly(parent) ? undefined : comparableEntry(parent, stands.value, bound.entry);
  const isSecret = hasSealed(bound.entry);
  const printer = await printerOf(session, line);
  const print = (shownValue: LiveValue): Promise<string> =>
    isUnseen(shownValue) || shownValue === undefined ? Promise.resolve('') : printer.print(textOf(shownValue), referenceOf(bound.entry));
  const hashed = value === undefined || isUnseen(value) ? {} : { [field]: isSecret ? await print(value) : shortHash(plainOf(value)) };
  const keeps: Keeps = { fields: [field], kept: stands.isUnkept ? {} : hashed, unkept: stands.isUnkept ? hashed : {}, stood: {} };
  const next = written(session, { ...line, keeps }, { live, made });
  if (value === undefined || isUnseen(value)) return;
  if (stands.isUnkept)
    standing(session, { ...next, flaw: notKept(line, { ...live, values: { [field]: value } }, [field]) }, { live, made });
  else if (!isSecret) note(`${field}: kept by the provider as ${shown(value)}.`);
}
