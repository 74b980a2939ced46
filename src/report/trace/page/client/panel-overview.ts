import type { Verdict } from '../../../../engine/document.ts';
import { counted, showTime } from '../../../text.ts';
import { stateWords, verdictSigns } from '../../../verdicts.ts';
import type { Chart } from '../charts.ts';
import type { PageAbout } from '../data.ts';
import { verdictWord } from '../filter.ts';
import { type LineTrace, ownErrors, type RunTrace } from '../model.ts';
import { slowestOf, stateAt } from '../moment.ts';
import { type Tone, toneWords } from '../tones.ts';
import { el } from './dom.ts';
import { chartsPart, coordinatorOf } from './panel-charts.ts';
import { chooseButton, failureBox, foreign, momentButton, type Part, requestsPart, section } from './panel-parts.ts';
import { stateSign, toneSign, verdictSign } from './signs.ts';
import type { Store } from './store.ts';

/** Shows the whole run: its progress, its errors, its slowest lines, and the meaning of the signs. */
export function overviewPanel(store: Store, charts: readonly Chart[], { errors, receipt }: PageAbout): Part {
  const { trace } = store;
  const counts = countsPart(store);
  const pictured = chartsPart(
    charts
      .map((chart) => ({
        title: titles[chart.name] ?? chart.title,
        chart,
        actor: chart.name === 'coordinator' ? coordinatorOf(trace, '') : null,
      }))
      .reverse(),
  );
  const own = trace.requests.length > 0 ? [requestsPart(store, trace.requests)] : [];
  const parts = [counts, pictured, ...own];
  return {
    element: el(
      'div',
      {},
      el('div', { class: 'title' }, el('h2', {}, 'The whole run')),
      el('p', { class: 'muted' }, receipt ? receiptText(trace, receipt) : factsText(trace)),
      ...ownErrors(trace, errors).map((error) => failureBox(error)),
      trace.lines.length > 0 && counts.element,
      failedPart(store),
      waitsPart(store),
      slowestPart(store),
      pictured.element,
      ...own.map(({ element }) => element),
      legend(),
    ),
    update: (at) => {
      for (const part of parts) part.update(at);
    },
  };
}

const titles: { readonly [machine: string]: string } = {
  line: 'Line',
  parent: 'Shared object',
  readiness: 'Readiness',
  coordinator: 'Coordinator',
};

function factsText(trace: RunTrace): string {
  const requests = [...trace.requests, ...trace.lines.flatMap((line) => line.requests)];
  const writes = requests.filter(({ isWrite }) => isWrite).length;
  const pushes = trace.ledger.filter(({ text }) => text === 'push').length;
  return [
    showTime(trace.ms),
    `${counted(requests.length, 'request')}, ${writes} that may write`,
    counted(pushes, 'ledger push', 'ledger pushes'),
    ...(trace.parents.length > 0 ? [counted(trace.parents.length, 'shared object')] : []),
  ].join(' · ');
}

const receiptText = ({ ms }: RunTrace, { stats }: NonNullable<PageAbout['receipt']>): string =>
  `${showTime(ms)} · ${counted(stats.requests, 'request')}, ${stats.writes} that wrote`;

/** Counts the lines of each state and each verdict. Each count is a button that filters. */
function countsPart(store: Store): Part {
  const { trace } = store;
  const states = el('div', { class: 'counts' });
  const verdicts = el('div', { class: 'counts' });
  let shown = '';
  const button = (sign: SVGElement, word: string, count: number, act: () => void): HTMLElement =>
    el('button', { type: 'button', class: 'count', onclick: act }, sign, el('b', {}, String(count)), ` ${word}`);
  return {
    element: el('div', {}, section('States now', states), section('Verdicts', verdicts)),
    update: (at) => {
      const byState = tally(trace.lines, (line) => stateAt(line, at));
      const byVerdict = tally(trace.lines, (line) => verdictWord(line, at) || 'not judged');
      const signature = JSON.stringify([[...byState], [...byVerdict]]);
      if (signature === shown) return;
      shown = signature;
      const { filter } = store.view;
      states.replaceChildren(
        ...[...byState].map(([state, count]) =>
          button(stateSign(state), stateWords(state), count, () => store.set({ filter: { ...filter, state } })),
        ),
      );
      verdicts.replaceChildren(
        ...[...byVerdict].map(([word, count]) =>
          button(signOf(word), word, count, () => store.set({ filter: { ...filter, verdict: word === 'not judged' ? '' : word } })),
        ),
      );
    },
  };
}

const signOf = (word: string): SVGElement => verdictSign(isVerdict(word) ? word : null, word === 'restored');
const isVerdict = (word: string): word is Verdict => Object.hasOwn(verdictSigns, word);

function tally(lines: readonly LineTrace[], of: (line: LineTrace) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(of(line), (counts.get(of(line)) ?? 0) + 1);
  return new Map([...counts].sort(([, a], [, b]) => b - a));
}

/** Shows errors by their code. */
function failedPart(store: Store): HTMLElement | null {
  const failed = store.trace.lines.flatMap((line) => line.failures.slice(-1).map(({ error }) => ({ line, error })));
  if (failed.length === 0) return null;
  const byCode = [...Map.groupBy(failed, ({ error }) => error.code)];
  const most = 6;
  const rows = byCode.map(([code, all]) => {
    const more = el(
      'button',
      { type: 'button', class: 'quiet small', onclick: () => store.set({ filter: { ...store.view.filter, code } }) },
      `all ${all.length}`,
    );
    return el(
      'li',
      {},
      el('strong', { class: 'code' }, code),
      ` ${all[0]?.error.summary ?? ''}: ${counted(all.length, 'line')}`,
      el(
        'div',
        { class: 'chips' },
        ...all.slice(0, most).map(({ line }) => chooseButton(store, { kind: 'line', index: line.index })),
        all.length > most && more,
      ),
    );
  });
  return section(`Errors (${failed.length})`, el('ul', { class: 'said' }, ...rows));
}

function waitsPart(store: Store): HTMLElement | null {
  const { waits } = store.trace;
  if (waits.length === 0) return null;
  return section(
    'The run waited',
    el('ul', { class: 'said' }, ...waits.slice(0, 50).map(({ at, text }) => el('li', {}, momentButton(store, at), ' ', foreign(text)))),
  );
}

function slowestPart(store: Store): HTMLElement | null {
  const slowest = slowestOf(store.trace.lines, store.trace.ms);
  if (slowest.length < 2) return null;
  const rows = slowest
    .slice(0, 5)
    .map(({ line, work, wait }) =>
      el(
        'li',
        {},
        chooseButton(store, { kind: 'line', index: line.index }),
        ` ${showTime(work + wait)}, ${wait > 0 ? `${showTime(wait)} of it waiting, ` : ''}${counted(line.requests.length, 'request')}`,
      ),
    );
  return section('Took longest', el('ul', { class: 'said' }, ...rows));
}

function legend(): HTMLElement {
  const tones = (Object.keys(toneWords) as Tone[]).map((tone) => el('li', {}, toneSign(tone), toneWords[tone]));
  const verdicts = (Object.keys(verdictSigns) as Verdict[]).map((verdict) =>
    el('li', {}, verdictSign(verdict), verdictSigns[verdict].word),
  );
  return section(
    'Signs',
    el('p', { class: 'muted small' }, 'States, by texture and mark:'),
    el('ul', { class: 'legend' }, ...tones),
    el('p', { class: 'muted small' }, 'Verdicts, by outline and sign:'),
    el('ul', { class: 'legend' }, ...verdicts),
    el(
      'p',
      { class: 'muted small' },
      'Requests stand below a bar: a hollow one reads, a full one may write, a crossed one was refused or had no answer, a notched one is a retry. A triangle above a bar is a wait. Dashed arrows lead to an object that lines share.',
    ),
  );
}
