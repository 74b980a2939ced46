import type { ApplyLineDoc, Drift, FieldChange, PlanDoc, PlanLineDoc, Side } from '../engine/document.ts';
import { canBeShown, counted, oneLine, showSide } from './text.ts';
import { becauseText } from './waiting.ts';
import { cutEnd } from './width.ts';

/** Names the kind of a line, in the same words in every report. */
export const kindOf = (line: { readonly adapter: string; readonly op: string; readonly recipe?: string }): string =>
  line.recipe ?? `${line.adapter}.${line.op}`;

/** Names the object of a line on one line. A provider or a plan may have a very long name. */
export const subjectText = ({ subject = '' }: { readonly subject?: string }): string => cutEnd(oneLine(subject), longestSubject);

const longestSubject = 160;

export const driftWords: { readonly [drift in Drift]: string } = { none: '', missing: 'missing', changed: 'changed outside' };

/** Shows both sides of a field change. A side that must stay hidden is a word. */
export function changeText(change: FieldChange): string {
  if (change.left) return leftText(change);
  const before = showSide(change.before);
  const after = showSide(change.after);
  return before === after ? `${after}, changed` : `${before} -> ${after}`;
}

/** Tells the value that others gave a field, where it stays. */
export const leftText = ({ before, after }: FieldChange, show: (side: Side) => string = showSide): string =>
  `${show(before)}, left so; the plan has ${show(after)}`;

/** Verdicts on a record alone. The changes of the record say more than the reason. */
const ofRecord: readonly string[] = ['rename', 'record'];

/** The notes of a planned line. Unchanged lines have no reason here: "as planned" under each of them would bury the others. */
export const planNotes = (line: PlanLineDoc): string[] => [
  ...(line.why && (line.driftLeft || !['none', ...ofRecord].includes(line.verdict)) ? [line.why] : []),
  ...recordNotes(line),
  ...(line.waitingOn && line.waitingOn.length > 0 ? [`waits for ${line.waitingOn.join(', ')}`] : []),
  ...becauseText(line),
];

export function unmanagedText(names: readonly string[] = []): string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, 5).map(oneLine).join(', ');
  const left = names.length === 1 ? 'it is' : 'they are';
  return [`unmanaged: ${counted(names.length, 'entry', 'entries')} left as ${left}: ${shown}${names.length > 5 ? ', …' : ''}`];
}

/** The notes of an applied line. A settled line needs no reason when its verdict already gives it. */
export const applyNotes = (line: ApplyLineDoc): string[] => [
  ...(line.why && saysMore(line) ? [line.why] : []),
  ...recordNotes(line),
  ...becauseText(line),
  ...(line.notes ?? []),
];

/** Tells what the record of a line takes over from the plan. */
function recordNotes({ recordChanges = [] }: Pick<PlanLineDoc, 'recordChanges'>): string[] {
  return recordChanges.map((change) => {
    const { field, before, after } = change;
    if (field === 'id') return `renamed: its id was ${wordOf(before)}`;
    if (field === 'delete') return 'delete: a destroy sends another request';
    const [was, is] = [wordOf(before), wordOf(after)];
    const what = { destroy: destroyWords[is], after: 'a destroy keeps to this order' }[field];
    return `${field}: ${was} -> ${is}${what === undefined ? '' : `; ${what}`}`;
  });
}

const destroyWords: { readonly [policy: string]: string } = {
  delete: 'a destroy deletes it',
  keep: 'a destroy lets it stay',
  never: 'a destroy lets it stay, because the provider cannot delete it',
};

const none = 'none';

/** A list or a map as a plan writes it is longer than a word, and a text needs no quotes. */
function wordOf(side: Side): string {
  if (side.state === 'absent') return none;
  const value = canBeShown(side) ? side.value : undefined;
  if (typeof value === 'string') return oneLine(value);
  return Array.isArray(value) ? value.map(String).map(oneLine).join(', ') || none : showSide(side);
}

const saysMore = (line: ApplyLineDoc): boolean =>
  line.driftLeft === true ||
  line.state !== 'settled' ||
  !['none', 'create', 'send', 'delete', 'redeploy', ...ofRecord].includes(line.verdict);

const badStates = new Set(['failed', 'refused']);
const openStates = new Set(['skipped', 'interrupted', 'waiting']);

/** Sorts the state of an applied line: done, not done yet, or failed. */
export const stateTone = (state: string): 'good' | 'open' | 'bad' =>
  badStates.has(state) ? 'bad' : openStates.has(state) ? 'open' : 'good';

/** The next step after a plan as a sentence; `null` if the plan can be applied. */
export function planAsks(document: PlanDoc, isDestroy: boolean): string | null {
  if (!document.ok) return 'Next: correct what is marked with "!", then plan again.';
  if (!isIdle(document) || isDestroy) return null;
  const isLeft = document.lines.some(({ driftLeft }) => driftLeft);
  return isLeft ? 'Nothing to do: what others changed is left so.' : 'Nothing to do: the services hold what the plan says.';
}

export const isIdle = ({ lines, orphans }: PlanDoc): boolean =>
  lines.every(({ verdict }) => verdict === 'none' || verdict === 'keep') &&
  !orphans.some(({ becomes }) => becomes === 'removed' || becomes === 'forgotten');
