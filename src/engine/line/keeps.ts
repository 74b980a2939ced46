import { fingerprint } from '../../core/fingerprint.ts';
import type { Json } from '../../core/json.ts';
import type { ObjectBound } from '../../ops/bound.ts';
import { isOtherForm, isWhole } from '../../remote/forms.ts';
import { type Live, type LiveValue, withValues } from '../../remote/live-object.ts';
import { isSameId } from '../../remote/spelling.ts';
import { hasPending, hasSealed, type Value } from '../../remote/value.ts';
import { keep, mustGoOn, type Session } from '../session.ts';
import { desiredOf } from './binding.ts';
import { comparable, isLive, isUnseen, plainOf, saltOf, secretText, shortHash, textOf } from './compare.ts';
import { underLease } from './durable.ts';
import { findSettled, mostLooks, settleOf } from './found.ts';
import { isEmpty, notKept, shown } from './not-kept.ts';
import { ioOf, type Keeps, type Written } from './phases.ts';
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
}

/**
 * Learns how the provider keeps what was just written. A field is read again that the answer does not show as planned; and one that an
 * earlier run had written already, where another form of it stood there, or what it was put back from before. One that stands otherwise is
 * written once more; one that stands as before is the line's flaw, and no later run sends it again. `replaced`: the object that a new one
 * was made in place of.
 */
export async function learnKeeps(
  session: Session,
  work: WrittenObject,
  { before, fields, replaced = null }: Pick<Sides, 'before' | 'fields'> & { readonly replaced?: Live | null },
): Promise<void> {
  const told = await judgeKeeps(session, work, { before, after: work.live, isAnswer: true, fields });
  // A field that cannot change in place is put back by another object.
  const old = before ?? replaced;
  const putBack = fields.filter(
    (field) => old && isPutBack(work, field) && told.kept[field] === undefined && isSeenIn([old, work.live], field),
  );
  const stood = Object.fromEntries(putBack.map((field) => [field, shortHash(plainOf(old?.values[field]))]));
  const again = putBack.filter(
    (field) =>
      work.record?.stood?.[field] === stood[field] ||
      isSuspect(work, field, old?.values[field]) ||
      isLeftOut(work, field, old?.values[field]),
  );
  let line = keep(session, { ...work, keeps: { fields, kept: told.kept, unkept: {}, stood } });
  const doubted = [...new Set([...told.doubted, ...again])];
  // An object that is made at once and ready later may not show all of its values yet.
  if (doubted.length === 0 || (work.bound.ready && before === null)) return;
  const seen = await readSettled(session, line, doubted);
  line = keep(session, { ...line, keeps: withKept(line.keeps, seen.kept) });
  const stuck = seen.live && old ? unmoved(old, seen.live, seen.doubted, again) : [];
  const first = seen.doubted.filter((field) => !again.includes(field));
  if (!seen.live) return;
  if (stuck.length > 0 || first.length === 0 || !canRepeat(work, first))
    return flawed(session, line, seen.live, stuck.length > 0 ? stuck : first);
  mustGoOn(line);
  await underLease(session, line);
  const { bound } = line;
  await bound.update?.(ioOf(line, session.ending), seen.live, desiredOf(bound), first);
  const last = await readSettled(session, line, first);
  line = keep(session, { ...line, keeps: withKept(line.keeps, last.kept) });
  if (last.live) flawed(session, line, last.live, unmoved(seen.live, last.live, last.doubted, first));
}

/** The same for an object that was not ready when its create was answered, by what it shows now. */
export async function learnWhenReady(session: Session, work: WrittenObject): Promise<Written> {
  const fields = Object.keys(work.bound.fields);
  const { kept } = await judgeKeeps(session, work, { before: null, after: work.live, isAnswer: false, fields });
  return keep(session, { ...work, keeps: withKept(work.keeps, kept) });
}

/** Those of the fields that stand as they stood before the write. */
const unmoved = (before: Live, after: Live, fields: readonly string[], written: readonly string[]): readonly string[] =>
  fields.filter((field) => written.includes(field) && shortHash(plainOf(before.values[field])) === shortHash(plainOf(after.values[field])));

const isSeenIn = (lives: readonly Live[], field: string): boolean => lives.every(({ values }) => !isUnseen(values[field]));

/** What stood there may be how the provider keeps the value, although its answers show that as it was sent. */
const isSuspect = ({ bound }: WrittenObject, field: string, live: LiveValue): boolean =>
  !isEmpty(live) && isOtherForm(asText(bound.fields[field] as Value), plainOf(live), { isLoose: true });

/** An earlier run had written this value of the plan, and something else stood there. */
const isPutBack = ({ bound, record, changed }: WrittenObject, field: string): boolean =>
  changed.includes(field) &&
  (hasSealed(bound.fields[field])
    ? record?.fingerprints[field] !== undefined
    : record?.fields[field] !== undefined && record.fields[field] === shortHash(bound.fields[field]));

/** Nobody can tell by an answer whether a provider hides a secret or dropped it: one that reads leave out, too, is told. */
const isLeftOut = ({ bound }: WrittenObject, field: string, live: LiveValue): boolean =>
  hasSealed(bound.fields[field]) && live === undefined;

const canRepeat = ({ bound }: WrittenObject, fields: readonly string[]): boolean =>
  bound.update !== undefined && !fields.some((field) => bound.immutable?.includes(field));

/** The line fails once what it made is recorded, with the fields that no later run sends again. */
function flawed(session: Session, line: WrittenObject, live: Live, fields: readonly string[]): void {
  if (fields.length === 0) return;
  // A short hash would tell too much of a secret, and nothing where none stands.
  const plain = fields.filter((field) => !hasSealed(line.bound.fields[field]) || isEmpty(live.values[field]));
  const unkept = Object.fromEntries(plain.map((field) => [field, shortHash(plainOf(live.values[field]))]));
  const keeps = { ...withKept(line.keeps), unkept };
  standing(session, { ...line, keeps, flaw: line.flaw ?? notKept(line, live, fields) }, { live: line.live, made: line.made });
}

const withKept = (keeps: Keeps | null, more: Keeps['kept'] = {}): Keeps => ({
  fields: keeps?.fields ?? [],
  kept: { ...keeps?.kept, ...more },
  unkept: keeps?.unkept ?? {},
  stood: keeps?.stood ?? {},
});

/** Reads the object until its provider shows the write, or has had time to; `live` is `null` where it shows the object no more. */
async function readSettled(session: Session, work: WrittenObject, fields: readonly string[]): Promise<Seen> {
  let seen = await readOnce(session, work, fields);
  for (let looks = 1; looks < mostLooks && seen.live && seen.doubted.length > 0; looks += 1) {
    await session.clock.sleep(looks * 1_000, session.ending);
    seen = await readOnce(session, work, fields);
  }
  return seen;
}

async function readOnce(session: Session, work: WrittenObject, fields: readonly string[]): Promise<Seen> {
  const { bound, live } = work;
  await session.clock.sleep(settleOf(bound) * 1000, session.ending);
  const look = { signal: session.ending, share: false, ids: [live.id] };
  const found = bound.read
    ? await bound.read(ioOf(work, session.ending, look), live.id)
    : sameAs(live.id, await findSettled(session, work, look));
  if (!found) return { live: null, kept: {}, doubted: [] };
  const after = await withValues(found, null);
  return { live: after, ...(await judgeKeeps(session, work, { before: null, after, isAnswer: false, fields })) };
}

/** The object of this id; the only one whose id differs by case, where its answers show that otherwise than its reads. */
function sameAs(id: string, found: readonly Live[]): Live | null {
  const [one, ...more] = found.filter((live) => isSameId(live.id, id));
  return found.find((live) => live.id === id) ?? (one && more.length === 0 ? { ...one, id } : null);
}

interface Seen extends Told {
  readonly live: Live | null;
}

interface Told {
  readonly kept: Keeps['kept'];
  readonly doubted: readonly string[];
}

/** Which of the written fields stand in another form that is the provider's, and which stand in one that nothing explains. */
async function judgeKeeps(
  session: Session,
  { bound, record, notes, id, http }: WrittenObject,
  { before, after, isAnswer, fields }: Sides,
): Promise<Told> {
  const kept: { [field: string]: string } = {};
  const doubted: string[] = [];
  for (const [field, want] of comparable(bound.fields, bound.writeOnly)) {
    const live = after.values[field];
    if (!fields.includes(field) || hasPending(want) || isUnseen(live) || isAsSent(want, live)) continue;
    // Answers to writes leave secrets out.
    if (hasSealed(want) && live === undefined && isAnswer) continue;
    const isRemembered = record?.fields[field] === shortHash(want) && record.kept?.[field] === shortHash(plainOf(live));
    const isNew = isAnswer && (before === null || shortHash(plainOf(before.values[field])) !== shortHash(plainOf(live)));
    const isForm = isOtherForm(asText(want), plainOf(live), { isLoose: true });
    const isDropped = isEmpty(live) || !isWhole(asText(want), plainOf(live));
    if (!isForm && !isRemembered && (isDropped || !isNew)) {
      doubted.push(field);
      continue;
    }
    kept[field] = hasSealed(want)
      ? await fingerprint(live === undefined ? '' : textOf(live), saltOf(want, session.repository))
      : shortHash(plainOf(live));
    if (!hasSealed(want)) ioOf({ id, http, notes }, session.ending).note(`${field}: kept by the provider as ${shown(live)}.`);
  }
  return { kept, doubted };
}

const isAsSent = (want: Value, live: Exclude<LiveValue, undefined> | undefined): boolean =>
  hasSealed(want) && live !== undefined && !isUnseen(live) ? textOf(live) === secretText(want) : isLive(want, live);

const asText = (want: Value): Json => (hasSealed(want) ? secretText(want) : (want as Json));
