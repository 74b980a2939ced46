import type { Armed, LogEntry, Match } from 'pilotfish-sandbox/kit/types';
import { expect } from 'vitest';
import { isMap } from '../../../src/core/json.ts';
import type { Bench } from './bench.ts';
import type { Edit, Subject } from './subject.ts';

/** One promise of the specification: its sentence, whom it does not concern, and how it is tried. */
export interface Case {
  readonly says: string;
  /** Why a subject has nothing to try here, `null` when it has. */
  readonly unless?: (subject: Subject) => string | null;
  /** `skip` ends it with the reason, which is only found on the way. */
  readonly run: (bench: Bench, skip: (reason: string) => never) => Promise<void>;
}

export const writesOf = (seen: readonly LogEntry[]): readonly LogEntry[] => seen.filter(({ write }) => write);

export function standsAsPlanned(bench: Bench): void {
  const { stands } = bench.subject;
  const thing = bench.one();
  if (stands !== undefined) expect([thing]).toMatchObject([stands]);
}

/** Somebody changes the object at the provider. */
export function editOutside(bench: Bench, edit: Edit): void {
  const thing = bench.one();
  putMembers(thing, edit);
}

/** Gives a thing these members, and its maps theirs. */
export function putMembers(thing: unknown, edit: Edit): void {
  if (!isMap(thing)) throw new Error('only an object has fields that somebody could change');
  for (const [name, value] of Object.entries(edit)) {
    const before = thing[name];
    if (value === undefined) delete thing[name];
    else if (isMap(before) && isMap(value)) putMembers(before, value);
    else thing[name] = value;
  }
}

/** The line's part of the world is as it was, and the ledger knows nothing of it. */
export async function expectUntouched(bench: Bench, world: readonly unknown[] = []): Promise<void> {
  expect(bench.subject.mine()).toEqual(world);
  const { records, intents } = await bench.ledger();
  expect([...records.keys()]).toEqual([]);
  expect([...intents.keys()]).toEqual([]);
}

export const lookOf = ({ subject }: Bench): Match => subject.requests?.look ?? { method: 'GET' };
export const createOf = ({ subject }: Bench): Match => subject.requests?.create ?? { method: 'POST' };
export const removeOf = ({ subject }: Bench): Match => subject.requests?.remove ?? { method: 'DELETE' };

/** The statuses that pass by waiting. */
const answers: readonly (readonly [number, Readonly<Record<string, string>>])[] = [
  [423, {}],
  [429, { 'retry-after': '1' }],
  [503, {}],
];

/** Tries what a busy provider answers, one answer after the other; each must meet one request. */
export const eachBusy = (what: (status: number, headers: Readonly<Record<string, string>>) => Promise<Armed>): Promise<void> =>
  answers.reduce(async (before, [status, headers]) => {
    await before;
    expect((await what(status, headers)).hits, `requests that met ${status}`).toBe(1);
  }, Promise.resolve());
