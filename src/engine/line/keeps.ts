import type { Printer } from '../../core/fingerprint.ts';
import type { Json } from '../../core/json.ts';
import { lookUntil, patience } from '../../core/look-until.ts';
import type { ObjectBound } from '../../ops/bound.ts';
import { isOtherForm, isWhole } from '../../remote/forms.ts';
import { type Live, type LiveValue, sameAs, withValues } from '../../remote/live-object.ts';
import { hasPending, hasSealed, type Value } from '../../remote/value.ts';
import { keep, mustGoOn, type Session } from '../session.ts';
import { comparable, isLive, isUnseen, plainOf, referenceOf, secretText, shortHash, shownText, textOf } from './compare.ts';
import { desiredBeside, reportsDrift, updatingIo } from './drift.ts';
import { underLease } from './durable.ts';
import { findSettled } from './found.ts';
import { isSentBefore, shownSecret } from './kept-secrets.ts';
import { settleOf } from './lag.ts';
import { isEmpty, notKept, shown } from './not-kept.ts';
import { ioOf, isOf, type Keeps, type ObjectWrite, type Written } from './phases.ts';
import { printerOf } from './printer.ts';
import { standing } from './publish.ts';

type WrittenObject = Written & { readonly bound: ObjectBound };

/** An object before a write and after it. */
interface Sides {
  readonly before: Live | null;
  readonly after: Live;
  /** `after` is the write's own answer: a later read may show the edit of a person. */
  readonly isAnswer: boolean;
  /** The fields that were written. */
  readonly fields: readonly string[];
  /** Fields among them that were written twice. */
  readonly sure?: readonly string[];
}

/** Learns how the provider keeps what this run last wrote. Sends nothing where the answer to the write shows it as planned. */
export async function verify(session: Session, work: Written): Promise<void> {
  if (work.sent !== null && isOf(work, 'object')) await learnKeeps(session, work, work.sent);
}

/**
 * Reads a field again that the answer does not show as planned. It also reads a field that an earlier run had written already, when another
 * form of the value stood there, or the value from which it was put back before. A field that stands otherwise is written once more. A
 * field that stands as before is the line's flaw, and no later run sends it again.
 */
async function learnKeeps(session: Session, work: WrittenObject, { before, fields, replaced }: ObjectWrite): Promise<void> {
  const told = await judgeKeeps(session, work, { before, after: work.live, isAnswer: true, fields });
  // Another object puts back a field that cannot change in place.
  const old = before ?? replaced;
  const fromOutside = fields.filter(
    (field) => old && !old.worn?.includes(field) && isPutBack(work, field) && isSeenIn([old, work.live], field),
  );
  const putBack = fromOutside.filter((field) => told.kept[field] === undefined);
  const stood = Object.fromEntries(fromOutside.map((field) => [field, shortHash(plainOf(old?.values[field]))]));
  const again = [
    ...putBack.filter((field) => work.record?.stood?.[field] === stood[field] || isSuspect(work, field, old?.values[field])),
    ...(await secretsPutBack(session, work, fields, told.kept)),
  ];
  let line = keep(session, { ...work, keeps: { fields, kept: told.kept, unkept: {}, stood } });
  // No later run puts a value back, so only a read now shows how the provider keeps what it answers as sent.
  const unread = reportsDrift(work) ? fields : [];
  const doubted = [...new Set([...told.doubted, ...again, ...unread])];
  // An object that is made at once and becomes ready later may not show all of its values yet.
  if (doubted.length === 0 || (work.bound.ready && before === null)) return;
  const seen = await readSettled(session, line, doubted, again);
  line = keep(session, { ...line, keeps: withKept(line.keeps, seen.kept) });
  const stuck = seen.live && old ? unmoved(old, seen.live, seen.doubted, again) : [];
  const first = seen.doubted.filter((field) => !again.includes(field));
  if (!seen.live) return;
  if (stuck.length > 0 || first.length === 0 || !canRepeat(work, first))
    return await flawed(session, line, seen.live, stuck.length > 0 ? stuck : first);
  mustGoOn(line);
  await underLease(session, line);
  const { bound } = line;
  await bound.update?.(updatingIo(session, line), seen.live, desiredBeside(session, line, seen.live), first);
  const last = await readSettled(session, line, first, first);
  line = keep(session, { ...line, keeps: withKept(line.keeps, last.kept) });
  if (last.live) await flawed(session, line, last.live, unmoved(seen.live, last.live, last.doubted, first));
}

/** The same for an object that was not ready when its create was answered. It goes by what the object shows now. */
export async function learnWhenReady(session: Session, work: WrittenObject): Promise<Written> {
  const fields = Object.keys(work.bound.fields);
  const { kept } = await judgeKeeps(session, work, { before: null, after: work.live, isAnswer: false, fields });
  return keep(session, { ...work, keeps: withKept(work.keeps, kept) });
}

/** Gives the fields that stand as they stood before the write. */
const unmoved = (before: Live, after: Live, fields: readonly string[], written: readonly string[]): readonly string[] =>
  fields.filter((field) => written.includes(field) && shortHash(plainOf(before.values[field])) === shortHash(plainOf(after.values[field])));

const isSeenIn = (lives: readonly Live[], field: string): boolean => lives.every(({ values }) => !isUnseen(values[field]));

/** Whether the old value may be the form in which the provider keeps ours, although its answers show ours as sent. */
const isSuspect = ({ bound }: WrittenObject, field: string, live: LiveValue): boolean =>
  !isEmpty(live) && isOtherForm(bound.fields[field] as Json, plainOf(live), { isLoose: true });

/** Whether an earlier run had written this value of the plan, and something else stood there. */
const isPutBack = ({ bound, record, changed }: WrittenObject, field: string): boolean =>
  changed.includes(field) && record?.fields[field] !== undefined && record.fields[field] === shortHash(bound.fields[field]);

const canRepeat = ({ bound }: WrittenObject, fields: readonly string[]): boolean =>
  bound.update !== undefined && !fields.some((field) => bound.immutable?.includes(field));

/** Makes the line fail after its object is recorded, and records the fields that no later run sends again. */
async function flawed(session: Session, line: WrittenObject, live: Live, fields: readonly string[]): Promise<void> {
  if (fields.length === 0) return;
  const unkept: { [field: string]: string } = {};
  const printer = await printerOf(session, line);
  for (const field of fields) unkept[field] = await standsAs(printer, line.bound.fields[field], live.values[field]);
  const keeps = { ...withKept(line.keeps), unkept };
  standing(session, { ...line, keeps, flaw: line.flaw ?? notKept(line, live, fields) }, { live: line.live, made: line.made });
}

/** A short hash would tell too much of the text in the place of a secret, so that text gets a print. */
async function standsAs(printer: Printer, want: Value | undefined, live: LiveValue): Promise<string> {
  if (want === undefined || !hasSealed(want) || isUnseen(live)) return shortHash(plainOf(live));
  return await printer.print(shownText(live), referenceOf(want));
}

const withKept = (keeps: Keeps | null, more: Keeps['kept'] = {}): Keeps => ({
  fields: keeps?.fields ?? [],
  kept: { ...keeps?.kept, ...more },
  unkept: keeps?.unkept ?? {},
  stood: keeps?.stood ?? {},
});

/** Reads the object until its provider shows the write, or has had time to; `live` is `null` when the provider no longer shows the object. */
async function readSettled(session: Session, work: WrittenObject, fields: readonly string[], sure: readonly string[]): Promise<Seen> {
  const isEnough = ({ live, doubted }: Seen): boolean => live !== null && doubted.length === 0;
  const seconds = settleOf(work.bound) + patience;
  return await lookUntil({ clock: session.clock, seconds, signal: session.ending, isEnough }, () => readOnce(session, work, fields, sure));
}

async function readOnce(session: Session, work: WrittenObject, fields: readonly string[], sure: readonly string[]): Promise<Seen> {
  const { bound, live } = work;
  const look = { signal: session.ending, share: false, ids: [live.id] };
  const found = bound.read
    ? await bound.read(ioOf(work, session.ending, look), live.id)
    : sameAs(live.id, await findSettled(session, work, look));
  if (!found) return { live: null, kept: {}, doubted: [] };
  const after = await withValues(found, null);
  return { live: after, ...(await judgeKeeps(session, work, { before: null, after, isAnswer: false, fields, sure })) };
}

interface Seen extends Told {
  readonly live: Live | null;
}

interface Told {
  readonly kept: Keeps['kept'];
  readonly doubted: readonly string[];
}

/** Tells which written fields stand in another form that is the provider's, and which stand in a form that nothing explains. */
async function judgeKeeps(session: Session, work: WrittenObject, { before, after, isAnswer, fields, sure = [] }: Sides): Promise<Told> {
  const { bound, record, notes, id, http } = work;
  const kept: { [field: string]: string } = {};
  const doubted: string[] = [];
  const printer = await printerOf(session, work);
  for (const [field, want] of comparable(bound.fields, bound.writeOnly)) {
    const live = after.values[field];
    if (!fields.includes(field) || hasPending(want) || isUnseen(live) || isAsSent(want, live)) continue;
    const isNew = before === null || shortHash(plainOf(before.values[field])) !== shortHash(plainOf(live));
    if (hasSealed(want)) {
      const print = await shownSecret({ field, want, live, record, printer, isAnswer, isNew, isSure: sure.includes(field) });
      if (print === null) doubted.push(field);
      else kept[field] = print;
      continue;
    }
    const isRemembered = record?.fields[field] === shortHash(want) && record.kept?.[field] === shortHash(plainOf(live));
    const isForm = isOtherForm(want as Json, plainOf(live), { isLoose: true });
    const isDropped = isEmpty(live) || !isWhole(want as Json, plainOf(live));
    if (!isForm && !isRemembered && (isDropped || !isAnswer || !isNew)) {
      doubted.push(field);
      continue;
    }
    kept[field] = shortHash(plainOf(live));
    ioOf({ id, http, notes }, session.ending).note(`${field}: kept by the provider as ${shown(live)}.`);
  }
  return { kept, doubted };
}

/** Secrets that stand as sent in the answer and stood otherwise before, although an earlier run had sent the same ones. */
async function secretsPutBack(
  session: Session,
  { bound, record, changed, block, prepared }: WrittenObject,
  fields: readonly string[],
  kept: Keeps['kept'],
): Promise<string[]> {
  const found: string[] = [];
  const printer = await printerOf(session, { block, prepared });
  for (const [field, want] of comparable(bound.fields, bound.writeOnly)) {
    const isPutAgain = fields.includes(field) && changed.includes(field) && kept[field] === undefined;
    if (isPutAgain && hasSealed(want) && !hasPending(want) && (await isSentBefore({ record, field, printer }, want))) found.push(field);
  }
  return found;
}

const isAsSent = (want: Value, live: Exclude<LiveValue, undefined> | undefined): boolean =>
  hasSealed(want) && live !== undefined && !isUnseen(live) ? textOf(live) === secretText(want) : isLive(want, live);
