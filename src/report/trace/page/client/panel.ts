import type { PageData } from '../data.ts';
import { el } from './dom.ts';
import { linePanel } from './panel-line.ts';
import { overviewPanel } from './panel-overview.ts';
import { parentPanel } from './panel-parent.ts';
import type { Part } from './panel-parts.ts';
import type { Store } from './store.ts';

/** Shows the details of the chosen line or object, or of the run if nothing is chosen. */
export function panel(store: Store, { charts, about }: PageData): HTMLElement {
  const element = el('section', { class: 'panel', 'aria-label': 'Details', tabindex: 0 });
  let part: Part = { element, update: () => undefined };
  store.listen(({ chosen, at }, changed) => {
    if (changed.has('chosen')) {
      const line = chosen?.kind === 'line' ? store.trace.lines[chosen.index] : undefined;
      const parent = chosen?.kind === 'parent' ? store.trace.parents[chosen.index] : undefined;
      part = line ? linePanel(store, line, charts) : parent ? parentPanel(store, parent, charts) : overviewPanel(store, charts, about);
      element.replaceChildren(part.element);
      element.scrollTop = 0;
      // On a phone the panel is below the fold, so a person would not notice the change.
      if (chosen !== null && matchMedia('(max-width: 62rem) and (pointer: coarse)').matches) element.scrollIntoView();
    }
    if (changed.has('at') || changed.has('chosen')) part.update(at);
  });
  return element;
}
