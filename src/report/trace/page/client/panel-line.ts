import { driftWords } from '../../../line-words.ts';
import { showSide } from '../../../text.ts';
import { verdictSigns } from '../../../verdicts.ts';
import type { Chart } from '../charts.ts';
import type { LineTrace, Said } from '../model.ts';
import { countUntil, isRestored, verdictAt } from '../moment.ts';
import { el } from './dom.ts';
import { chartNamed, chartsPart, coordinatorOf } from './panel-charts.ts';
import { chooseButtons, failureBox, foreign, momentButton, type Part, requestsPart, section, statePart, stepsPart } from './panel-parts.ts';
import { verdictSign } from './signs.ts';
import type { Store } from './store.ts';

/** Shows one line: its verdict and reason, its errors, its way through the machine, and its requests. */
export function linePanel(store: Store, line: LineTrace, charts: readonly Chart[]): Part {
  const { trace } = store;
  const parent = line.parent === null ? undefined : trace.parents[line.parent];
  const state = statePart(line);
  const verdict = verdictPart(line);
  const failures = failuresPart(store, line);
  const pictured = chartsPart([
    ...chartNamed(charts, 'line').map((chart) => ({ title: 'Line', chart, actor: line })),
    ...(line.readiness ? chartNamed(charts, 'readiness').map((chart) => ({ title: 'Readiness', chart, actor: line.readiness })) : []),
    ...(parent ? chartNamed(charts, 'parent').map((chart) => ({ title: 'Shared object', chart, actor: parent })) : []),
    ...chartNamed(charts, 'coordinator').map((chart) => ({ title: 'Coordinator', chart, actor: coordinatorOf(trace, line.name) })),
  ]);
  const tables = [...(line.requests.length > 0 ? [requestsPart(store, line.requests)] : []), stepsPart(store, line)];
  const parts: readonly Part[] = [state, verdict, failures, pictured, ...tables];
  return {
    element: el(
      'div',
      {},
      el('div', { class: 'title' }, el('h2', {}, foreign(line.name)), closeButton(store)),
      el('p', { class: 'kind' }, el('code', {}, line.kind || 'not in the plan'), state.element),
      line.subject !== '' && el('p', { class: 'muted' }, foreign(line.subject)),
      verdict.element,
      failures.element,
      linksPart(store, line),
      pictured.element,
      saidPart(store, 'Notes', line.notes),
      saidPart(store, 'Waited for', line.waits),
      ...tables.map(({ element }) => element),
    ),
    update: (at) => {
      for (const part of parts) part.update(at);
    },
  };
}

export const closeButton = (store: Store): HTMLElement =>
  el('button', { type: 'button', class: 'quiet', 'aria-label': 'Back to the whole run', onclick: () => store.set({ chosen: null }) }, '×');

/** Shows the verdict, its reason and the field changes at the chosen moment. */
function verdictPart(line: LineTrace): Part {
  const element = el('div', {});
  let shown = -1;
  return {
    element,
    update: (at) => {
      const count = countUntil(line.verdicts, at);
      if (count === shown) return;
      shown = count;
      const judged = verdictAt(line, at);
      if (judged === null) {
        const text = isRestored(line)
          ? 'An earlier run settled this line. This run went on from there and did not look at the line again.'
          : 'Not judged yet at this moment.';
        element.replaceChildren(el('p', { class: 'verdict' }, verdictSign(null, isRestored(line)), text));
        return;
      }
      const { verdict, why, drift, changes } = judged;
      element.replaceChildren(
        el(
          'p',
          { class: `verdict is-${verdictSigns[verdict].tone}` },
          verdictSign(verdict),
          el('strong', {}, verdictSigns[verdict].word),
          why !== '' && foreign(why),
          drift !== 'none' && el('span', { class: 'drift' }, `drift: ${driftWords[drift]}`),
        ),
        ...(changes.length > 0 ? [changesTable(judged)] : []),
      );
    },
  };
}

function changesTable({ changes }: Pick<LineTrace['verdicts'][number], 'changes'>): HTMLElement {
  const rows = changes.map(({ field, before, after, left }) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, foreign(field)),
      el('td', { class: before.state }, foreign(showSide(before))),
      el('td', { class: after.state }, left === true && 'stays; the plan has ', foreign(showSide(after))),
    ),
  );
  const heads = ['Field', 'Was', 'Becomes'].map((head) => el('th', { scope: 'col' }, head));
  const all = el(
    'table',
    { class: 'changes', 'aria-label': 'Field changes' },
    el('thead', {}, el('tr', {}, ...heads)),
    el('tbody', {}, ...rows),
  );
  return section(
    `Field changes (${changes.length})`,
    el('div', { class: 'wide', tabindex: 0, role: 'group', 'aria-label': 'Field changes' }, all),
  );
}

function failuresPart(store: Store, line: LineTrace): Part {
  const boxes = line.failures.map(({ at, error }) => ({
    at,
    box: failureBox(error, momentButton(store, at)),
  }));
  return {
    element: el('div', {}, ...boxes.map(({ box }) => box)),
    update: (at) => {
      for (const one of boxes) one.box.classList.toggle('later', one.at > at);
    },
  };
}

function linksPart(store: Store, line: LineTrace): HTMLElement {
  const row = (title: string, kind: 'line' | 'parent', indexes: readonly number[]): Node[] =>
    indexes.length === 0 ? [] : [el('dt', {}, title), el('dd', {}, chooseButtons(store, kind, indexes))];
  return el(
    'dl',
    { class: 'links' },
    ...row('was kept from its turn by', 'line', line.because),
    ...row('comes after', 'line', line.after),
    ...row('comes before', 'line', line.before),
    ...row('is an entry of', 'parent', line.parent === null ? [] : [line.parent]),
  );
}

function saidPart(store: Store, title: string, said: readonly Said[]): HTMLElement | null {
  if (said.length === 0) return null;
  return section(
    title,
    el('ul', { class: 'said' }, ...said.slice(0, 100).map(({ at, text }) => el('li', {}, momentButton(store, at), ' ', foreign(text)))),
  );
}
