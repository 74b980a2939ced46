import type { ApplyLineDoc, Drift, FieldChange, PlanDoc, PlanLineDoc, Side } from '../engine/document.ts';
import { counted, oneLine, showSide } from './text.ts';
import { becauseText } from './waiting.ts';

/** Names the kind of a line, in the same words in every report. */
export const kindOf = (line: { readonly adapter: string; readonly op: string; readonly recipe?: string }): string =>
  line.recipe ?? `${line.adapter}.${line.op}`;

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

/** The notes of a planned line. Unchanged lines have no reason here: "as planned" under each of them would bury the others. */
export const planNotes = (line: PlanLineDoc): string[] => [
  ...(line.why && (line.verdict !== 'none' || line.driftLeft) ? [line.why] : []),
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
  ...becauseText(line),
  ...(line.notes ?? []),
];

const saysMore = (line: ApplyLineDoc): boolean =>
  line.driftLeft === true || line.state !== 'settled' || !['none', 'create', 'send', 'delete'].includes(line.verdict);

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

export const isIdle = ({ lines }: PlanDoc): boolean => lines.every(({ verdict }) => verdict === 'none' || verdict === 'keep');
