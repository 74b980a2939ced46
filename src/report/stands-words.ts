import type { HeldDoc, LeftoversDoc, PullsDoc, ScopeRow } from '../engine/stands-document.ts';
import { counted, oneLine } from './text.ts';
import { cutEnd } from './width.ts';

/** The time between two moments in one unit: `12 min`, `5 h`, `41 d`. Empty where one of them is no time. */
export function ageText(from: string | null, to: string): string {
  const ms = Date.parse(to) - Date.parse(from ?? '');
  if (Number.isNaN(ms)) return '';
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

/** `#12 open`, `#3 #4 closed`, `none`. */
export const pullsText = ({ numbers, state }: PullsDoc): string =>
  numbers.length === 0 ? (state === 'unknown' ? '' : 'none') : `${numbersText(numbers)}${state === 'not asked' ? '' : ` ${state}`}`;

const mostNumbers = 3;
const numbersText = (numbers: readonly number[]): string =>
  numbers.length > mostNumbers ? `#${numbers.at(-1)} and ${numbers.length - 1} more` : numbers.map((number) => `#${number}`).join(' ');

/** `complete, 2 h ago`. */
export const lastRunText = (last: ScopeRow['lastRun'], at: string): string =>
  last === null ? 'none has ended' : `${outcomeText(last.outcome)}, ${ageText(last.at, at) || 'an unknown time'} ago`;

/** A destroy that took all is the usual one. */
const outcomeText = (outcome: string): string => (outcome === 'destroyed: complete' ? 'destroyed' : cutEnd(oneLine(outcome), 20));

/** `2026-11-27 10:30 UTC`; a text that is no time as it stands. */
export const momentText = (at: string): string =>
  Number.isNaN(Date.parse(at)) ? oneLine(at) : `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export const leaseText = ({ holder, run, since, until }: HeldDoc): string =>
  `Held by run ${oneLine(run)} of ${oneLine(holder)} since ${momentText(since)}, at most until ${momentText(until)} without a sign of life`;

/** What a run left for a later one, in parts of a sentence. */
export function leftoverTexts({ unfinished, superseded, leaving, left }: LeftoversDoc): readonly string[] {
  return [
    ...(unfinished > 0 ? [`${counted(unfinished, 'unfinished create')}`] : []),
    ...(superseded > 0 ? [`${counted(superseded, 'replaced object')} not removed yet`] : []),
    ...(leaving > 0 ? [`${counted(leaving, 'delete')} not seen done`] : []),
    ...(left > 0 ? [`${counted(left, 'object')} left on purpose`] : []),
  ];
}

/** `pr-12 of shop`; the branch where the ledger does not tell its scope. */
export const scopeText = ({ scope, plan, branch }: Pick<ScopeRow, 'scope' | 'plan' | 'branch'>): string =>
  oneLine(scope === null ? branch : plan === null ? scope : `${scope} of ${plan}`);
