import { counted } from '../../../text.ts';
import type { Chart } from '../charts.ts';
import type { ParentTrace } from '../model.ts';
import { el } from './dom.ts';
import { chartNamed, chartsPart } from './panel-charts.ts';
import { closeButton } from './panel-line.ts';
import { chooseButtons, foreign, type Part, section, statePart, stepsPart } from './panel-parts.ts';
import type { Store } from './store.ts';

/** Shows an object that several lines share. The lines take its lock together, and one write serves all of them. */
export function parentPanel(store: Store, parent: ParentTrace, charts: readonly Chart[]): Part {
  const state = statePart(parent);
  const parts = [
    state,
    chartsPart(chartNamed(charts, 'parent').map((chart) => ({ title: 'Shared object', chart, actor: parent }))),
    stepsPart(store, parent),
  ];
  return {
    element: el(
      'div',
      {},
      el('div', { class: 'title' }, el('h2', {}, foreign(parent.name)), closeButton(store)),
      el('p', { class: 'kind' }, `shared by ${counted(parent.lines.length, 'line')}`, state.element),
      section('Its entries', chooseButtons(store, 'line', parent.lines)),
      ...parts.slice(1).map(({ element }) => element),
    ),
    update: (at) => {
      for (const part of parts) part.update(at);
    },
  };
}
