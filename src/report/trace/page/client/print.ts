import { stateWords } from '../../../verdicts.ts';
import { verdictWord } from '../filter.ts';
import { stateAt } from '../moment.ts';
import { el } from './dom.ts';
import type { Store } from './store.ts';

/** Paper cannot scroll, so it gets all rows as one table. The table exists only while the browser prints. */
export function printTable(store: Store): HTMLElement {
  const holder = el('div', { class: 'paper' });
  addEventListener('beforeprint', () => {
    const { at } = store.view;
    const rows = store.trace.lines.map((line) =>
      el(
        'tr',
        {},
        ...[
          line.name,
          line.kind,
          line.subject,
          verdictWord(line, at),
          stateWords(stateAt(line, at)),
          line.failures.at(-1)?.error.code ?? '',
        ].map((text) => el('td', {}, text)),
      ),
    );
    const heads = ['Line', 'Operation', 'What', 'Verdict', 'State', 'Error'].map((head) => el('th', { scope: 'col' }, head));
    holder.replaceChildren(el('h2', {}, 'All lines'), el('table', {}, el('thead', {}, el('tr', {}, ...heads)), el('tbody', {}, ...rows)));
    store.set({ look: store.view.look + 1 });
    store.flush();
  });
  addEventListener('afterprint', () => {
    holder.replaceChildren();
    store.set({ look: store.view.look + 1 });
  });
  return holder;
}
