import { tap } from 'pilotfish-sandbox/untidy/wire';
import { expect } from 'vitest';
import { Failures } from '../../../src/core/errors.ts';
import type { ApplyDoc } from '../../../src/engine/document.ts';
import type { Bench } from '../suite/bench.ts';
import { editOutside, writesOf } from '../suite/case.ts';
import type { Edit } from '../suite/subject.ts';
import type { Meeting, SuiteKind } from './world.ts';

/** Long enough for whatever lags. */
const aMinute = 60_000;

/**
 * Apply, apply, plan, an outside change, apply, apply, destroy: one object, written when needed alone, and nothing of it left. Gives the
 * reason where the world meant nothing.
 */
export async function tellStory(bench: Bench, meeting: Meeting, kind: SuiteKind): Promise<string | null> {
  const faults = meeting.arm?.(bench) ?? (() => 0);
  const wire = meeting.wire === null ? { times: 0 } : tap(bench.simulation, meeting.wire);
  if (meeting.alike) bench.compare(meeting.alike);
  if (meeting.params) {
    await bench.change(meeting.params);
    const refusal = await refusalOf(bench);
    if (refusal !== null) return `its params are held to a form: ${refusal}`;
  }
  const first = await firstApply(bench, meeting);
  if (kind === 'wait') await waited(bench, first);
  else if (first.ok) await settled(bench, meeting, { kind, isTouched: () => wire.times > 0 });
  else await told(bench, first, meeting);
  await meeting.meanwhile?.(bench);
  await destroyed(bench, kind);
  return wire.times + faults() > 0 ? null : meeting.never;
}

/** Why the plan is refused before any request. */
async function refusalOf(bench: Bench): Promise<string | null> {
  try {
    await bench.plan();
    return null;
  } catch (thrown) {
    if (thrown instanceof Failures && bench.simulation.log.length === 0) return thrown.message.replace(/^PARAM_INVALID: line\./, '');
    throw thrown;
  }
}

/** An apply a minute later, and how many writes it sent. */
async function written(bench: Bench): Promise<{ readonly doc: ApplyDoc; readonly writes: number }> {
  await bench.pass(aMinute);
  let doc: ApplyDoc | undefined;
  const seen = await bench.during(async () => {
    doc = await bench.apply();
  });
  if (!doc) throw new Error('the apply gave nothing');
  return { doc, writes: writesOf(seen).length };
}

const errorOf = ({ lines, error }: ApplyDoc): string => JSON.stringify(lines[0]?.error ?? error);

/** Ends well, or with the name of what the provider does not keep; a lag may make it say that it does not see what it made. */
async function firstApply(bench: Bench, { told: field, mayTell, mayMiss }: Meeting): Promise<ApplyDoc> {
  const first = await written(bench);
  const mayFail = field !== undefined || mayTell !== undefined;
  if (first.doc.ok || mayFail) return first.doc;
  if (mayMiss) {
    const next = await goneOn(bench, first.doc);
    return next;
  }
  expect(first.doc, `the first apply: ${errorOf(first.doc)}`).toMatchObject({
    ok: true,
    status: 'complete',
    lines: [{ state: 'settled' }],
  });
  return first.doc;
}

/** The next apply goes on with what a run could not see yet. A chosen id may be written once more. */
async function goneOn(bench: Bench, doc: ApplyDoc): Promise<ApplyDoc> {
  expect(['PROVIDER_RESPONSE', 'PROVIDER_NOT_FOUND'], errorOf(doc)).toContain(doc.lines[0]?.error?.code);
  const next = await written(bench);
  expect(next.doc, `the apply that goes on: ${errorOf(next.doc)}`).toMatchObject({ ok: true });
  expect(next.writes, 'writes of the apply that goes on with what was made').toBeLessThanOrEqual(1);
  bench.one();
  return next.doc;
}

/** Applies that must end well: the last of them writes nothing. */
async function quiet(bench: Bench, what: string, again = 0): Promise<void> {
  for (const most of again > 0 ? [again, 0] : [0]) {
    const { doc, writes } = await written(bench);
    expect(doc, `${what}: ${errorOf(doc)}`).toMatchObject({ ok: true });
    expect(writes, `writes of ${what}`).toBeLessThanOrEqual(most);
  }
}

async function settled(bench: Bench, meeting: Meeting, o: { readonly kind: SuiteKind; readonly isTouched: () => boolean }): Promise<void> {
  const { subject } = bench;
  const { again = 0, mayTell, told: field } = meeting;
  bench.one();
  meeting.afterwards?.(bench);
  const second = await written(bench);
  if (!second.doc.ok && (mayTell ?? field) !== undefined) return told(bench, second.doc, meeting);
  expect(second.doc, `the second apply: ${errorOf(second.doc)}`).toMatchObject({ ok: true });
  expect(second.writes, 'writes of the second apply').toBeLessThanOrEqual(again);
  if (field !== undefined && o.isTouched()) throw new Error(`${field} is not kept, and nobody says so`);
  if (again > 0) await quiet(bench, 'the third apply');
  expect(await bench.planned(), 'the plan').toMatchObject({ verdict: 'none', drift: 'none' });
  if (o.kind === undefined && meeting.edit !== false) await mended(bench, meeting);
  if (o.kind !== 'wait') expect(subject.mine(), 'what stands of ours').toHaveLength(1);
}

/** Somebody changes the object, and it is put back in place. */
async function mended(bench: Bench, { unseen = [], again, mayMiss }: Meeting): Promise<void> {
  const [edit] = Object.entries(bench.subject.edits ?? {}).filter(([field]) => !unseen.includes(field));
  if (!edit) return;
  const before = await idOf(bench);
  editOutside(bench, edit[1] as Edit);
  bench.enter('mending');
  const seen = await written(bench);
  bench.enter('');
  const doc = seen.doc.ok || !mayMiss ? seen.doc : await goneOn(bench, seen.doc);
  expect(doc, `the apply after an outside change: ${errorOf(doc)}`).toMatchObject({ ok: true });
  await quiet(bench, 'the apply after an outside change was put back', again);
  expect(await idOf(bench), 'the object').toBe(before);
}

const idOf = async (bench: Bench): Promise<string | undefined> => [...(await bench.ledger()).records.values()][0]?.objectId;

/** The line fails with the name of what is not kept, and no later apply writes it again. */
async function told(bench: Bench, first: ApplyDoc, { told: field, mayTell = [] }: Meeting): Promise<void> {
  const fields = field === undefined ? mayTell : [field];
  const isNamed = ({ lines: [line] }: ApplyDoc): boolean => fields.some((field) => line?.error?.detail.includes(field));
  expect(first.lines[0]?.error?.code, errorOf(first)).toBe('PROVIDER_RESPONSE');
  expect(isNamed(first), `${first.lines[0]?.error?.detail} names one of ${fields.join(', ')}`).toBe(true);
  for (const what of ['the second apply', 'the third apply']) {
    const { doc, writes } = await written(bench);
    expect(doc.lines[0]?.error?.code, what).toBe('PROVIDER_RESPONSE');
    expect(writes, `writes of ${what}`).toBe(0);
    if (!isWhole(first)) bench.one();
  }
}

/** The entry itself is what is not kept. */
const isWhole = ({ lines: [line] }: ApplyDoc): boolean => line?.error?.detail.includes('does not stand in the list') === true;

async function waited(bench: Bench, first: ApplyDoc): Promise<void> {
  expect(first, `the first apply: ${errorOf(first)}`).toMatchObject({ ok: true, status: 'complete' });
  const { doc, writes } = await written(bench);
  expect([doc.ok, writes], 'the second apply').toEqual([true, 0]);
}

async function destroyed(bench: Bench, kind: SuiteKind): Promise<void> {
  const { subject } = bench;
  await bench.pass(aMinute);
  const before = subject.mine().length;
  bench.enter('destroying');
  const doc = await bench.destroy();
  expect(doc, `the destroy: ${errorOf(doc)}`).toMatchObject({ ok: true, status: 'complete' });
  await bench.pass(aMinute);
  // What was accepted is done with the next request.
  await bench.planned();
  expect(subject.mine(), 'what destroy leaves').toHaveLength(kind !== undefined || subject.stays ? before : 0);
}
