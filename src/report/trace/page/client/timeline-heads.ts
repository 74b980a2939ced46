import { stateWords } from '../../../verdicts.ts';
import type { RunTrace } from '../model.ts';
import { isRestored, stateAt, verdictAt } from '../moment.ts';
import { el, setOnce } from './dom.ts';
import { glyphOf } from './signs.ts';
import type { View } from './store.ts';
import { rowHeight } from './timeline-draw.ts';
import type { Row } from './timeline-rows.ts';

/** The rows of the list, and the range of them that is in sight. */
export interface InSight {
  readonly order: readonly Row[];
  readonly first: number;
  /** The index of the first row below. */
  readonly last: number;
}

interface Head {
  readonly element: HTMLElement;
  readonly sign: HTMLElement;
  readonly verdict: HTMLElement;
  readonly state: HTMLElement;
}

/** Makes heads only for the rows in sight, and keeps the same elements while the same rows are in sight. */
export class Heads {
  readonly element = el('div', { class: 'heads', role: 'presentation' });
  readonly #trace: RunTrace;
  readonly #known = new Map<string, Head>();

  constructor(trace: RunTrace) {
    this.#trace = trace;
  }

  place({ order, first, last }: InSight, width: number, now: View): void {
    const seen = new Set<string>();
    for (let i = first; i < last; i += 1) {
      const row = order[i];
      if (!row) continue;
      seen.add(row.key);
      const head = this.#known.get(row.key) ?? newHead(row);
      this.#known.set(row.key, head);
      head.element.style.transform = `translateY(${i * rowHeight}px)`;
      if (head.element.style.width !== `${width}px`) head.element.style.width = `${width}px`;
      setOnce(head.element, 'aria-setsize', String(order.length));
      setOnce(head.element, 'aria-posinset', String(i + 1));
      this.#show(head, row, now);
      if (head.element.parentNode === null) this.element.append(head.element);
    }
    for (const [key, { element: old }] of this.#known) {
      if (seen.has(key)) continue;
      old.remove();
      this.#known.delete(key);
    }
  }

  /** The id of the row's head; `null` if it is out of sight. */
  idOf(row: Row): string | null {
    return this.#known.has(row.key) ? idOf(row) : null;
  }

  #show({ element: head, sign, state: place, verdict: unseen }: Head, row: Row, now: View): void {
    const line = row.line === null ? undefined : this.#trace.lines[row.line];
    const parent = row.parent === null ? undefined : this.#trace.parents[row.parent];
    const actor = line ?? parent ?? (row.key === 'run' ? this.#trace.coordinators[0] : undefined);
    const judged = line ? verdictAt(line, now.at) : null;
    const glyph = line ? glyphOf(judged?.verdict ?? null, isRestored(line)) : parent ? '∞' : '';
    const word = judged?.verdict ?? '';
    const state = actor ? stateWords(stateAt(actor, now.at)) : '';
    if (sign.textContent !== glyph) sign.textContent = glyph;
    if (place.textContent !== state) place.textContent = state;
    if (unseen.textContent !== word) unseen.textContent = word;
    setOnce(head, 'aria-selected', String(isChosen(row, now)));
  }
}

function newHead(row: Row): Head {
  const sign = el('span', { class: 'glyph', 'aria-hidden': 'true' });
  const state = el('span', { class: 'state' });
  // Sighted people see the sign; screen readers read the word.
  const verdict = el('span', { class: 'unseen' });
  const name = el('span', { class: 'name', title: row.name }, row.name);
  return {
    element: el('div', { role: 'option', id: idOf(row), class: row.line === null ? 'head beside' : 'head' }, sign, name, verdict, state),
    sign,
    verdict,
    state,
  };
}

const idOf = (row: Row): string => `row-${row.key.replace(' ', '-')}`;

export function isChosen(row: Row, { chosen }: View): boolean {
  if (chosen === null) return row.key === 'run';
  return chosen.kind === 'line' ? row.line === chosen.index : row.parent === chosen.index;
}
