import { counted, showTime } from '../../../text.ts';
import type { PageAbout } from '../data.ts';
import { ownErrors, type RunError, type RunTrace } from '../model.ts';
import { stateAt } from '../moment.ts';
import { clockTime } from '../times.ts';
import { toneOf } from '../tones.ts';
import { el } from './dom.ts';
import { toneSign } from './signs.ts';

/** The title of the run and its ending, in one line each. */
export function header(about: PageAbout, trace: RunTrace, ...tools: readonly HTMLElement[]): HTMLElement {
  const { tone, word, more } = about.receipt ? endingOfReceipt(about.receipt, trace) : endingOf(trace, ownErrors(trace, about.errors));
  return el(
    'header',
    {},
    el(
      'div',
      { class: 'what' },
      el('h1', {}, about.title),
      el('p', { class: 'muted' }, [...startOf(trace), `pilotfish ${about.version}`].join(' · ')),
    ),
    el('p', { class: `ending is-${tone}`, role: 'status' }, toneSign(tone), el('strong', {}, word), el('span', {}, more)),
    el('div', { class: 'tools' }, ...tools),
    about.receipt !== undefined &&
      el('p', { class: 'ending is-note', role: 'note' }, el('strong', {}, 'From the receipt'), el('span', {}, ofReceipt(about.receipt))),
  );
}

/** Says what a page of a receipt lacks. Receipts are small so that many can be kept, and the missing facts were never in one. */
const ofReceipt = ({ run, branch, ledgerCommit, approvedBy }: NonNullable<PageAbout['receipt']>): string =>
  [
    `This page shows what the receipt of run ${run} holds: the verdict, the end, the time and the number of requests of each line. A receipt does not hold the steps in between, so every line stands at the end of the run.`,
    `It is the commit ${ledgerCommit.slice(0, 12)} of ${branch}.`,
    ...(approvedBy === null ? [] : [`${approvedBy} approved it.`]),
  ].join(' ');

/** A run that was refused at once has no events, so it has no time either. */
const startOf = ({ startedAt }: RunTrace): readonly string[] =>
  startedAt === 0 ? [] : [`${new Date(startedAt).toISOString().replace('T', ' ').slice(0, 19)} UTC`];

interface Ended {
  readonly tone: 'good' | 'bad' | 'open' | 'idle';
  readonly word: string;
  readonly more: string;
}

function endingOfReceipt({ status }: NonNullable<PageAbout['receipt']>, trace: RunTrace): Ended {
  const tone = { complete: 'good', failed: 'bad', interrupted: 'idle' } as const;
  const good = trace.lines.filter((line) => toneOf(stateAt(line, trace.ms)) === 'good').length;
  return {
    tone: isStatus(status) ? tone[status] : 'open',
    word: status,
    more: `${good} of ${counted(trace.lines.length, 'line')} done in ${showTime(trace.ms)}.`,
  };
}

const isStatus = (status: string): status is 'complete' | 'failed' | 'interrupted' =>
  ['complete', 'failed', 'interrupted'].includes(status);

function endingOf(trace: RunTrace, errors: readonly RunError[]): Ended {
  const ends = trace.lines.map((line) => toneOf(stateAt(line, trace.ms)));
  const count = (tone: string): number => ends.filter((one) => one === tone).length;
  const took = showTime(trace.ms);
  const [bad, open] = [count('bad'), count('open')];
  const done = `${count('good')} of ${counted(ends.length, 'line')} done in ${took}`;
  switch (trace.ending) {
    case 'not begun':
      return { tone: errors.length > 0 ? 'bad' : 'idle', word: 'Not begun', more: 'The run ended before its lines began.' };
    case 'cut off':
      return {
        tone: 'bad',
        word: 'Cut off',
        more: `The events end at ${clockTime(trace.ms)}, before the end of the run. Lines that were at work then have a torn edge. ${done}.`,
      };
    case 'interrupted':
      return { tone: 'open', word: 'Interrupted', more: `The run was told to stop, and stopped at its next durable point. ${done}.` };
    case 'finished':
      if (bad > 0)
        return {
          tone: 'bad',
          word: `${counted(bad, 'line')} failed`,
          more: `${open > 0 ? `${open} after ${bad === 1 ? 'it' : 'them'} skipped. ` : ''}${done}.`,
        };
      if (errors[0]) return { tone: 'bad', word: errors[0].summary, more: `${done}.` };
      if (open > 0) return { tone: 'open', word: 'Not all done', more: `${counted(open, 'line')} left for a later run. ${done}.` };
      return { tone: 'good', word: 'Done', more: `${done}.` };
  }
}
