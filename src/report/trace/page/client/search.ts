import { counted } from '../../../text.ts';
import { stateWords } from '../../../verdicts.ts';
import { choices, type Filter, noFilter } from '../filter.ts';
import { el } from './dom.ts';
import type { Store } from './store.ts';

const fields = { state: 'Any state', verdict: 'Any verdict', kind: 'Any operation', code: 'Any error' } as const;

export interface Search {
  readonly element: HTMLElement;
  focus(): void;
  clear(): void;
}

/** The search for lines: words and four fields. */
export function search(store: Store): Search {
  const input = el('input', {
    type: 'search',
    placeholder: 'Search lines, operations, states, errors',
    'aria-label': 'Search lines by id, operation, state, verdict or error code',
    'aria-keyshortcuts': '/',
    spellcheck: 'false',
    autocomplete: 'off',
  });
  const set = (change: Partial<Filter>): void => store.set({ filter: { ...store.view.filter, ...change } });
  input.addEventListener('input', () => set({ text: input.value }));
  const found = choices(store.trace);
  const selects = (Object.keys(fields) as (keyof typeof fields)[]).map((field) => {
    const name = (value: string): string => (field === 'state' ? stateWords(value) : value);
    const select = el(
      'select',
      { 'aria-label': fields[field], disabled: found[field].length === 0 },
      el('option', { value: '' }, fields[field]),
      ...found[field].map((value) => el('option', { value }, name(value))),
    );
    select.addEventListener('change', () => set({ [field]: select.value }));
    return select;
  });
  const status = el('p', { class: 'found', role: 'status' });
  const clear = (): void => {
    input.value = '';
    for (const select of selects) select.value = '';
    set(noFilter);
  };
  const reset = el('button', { type: 'button', class: 'quiet', onclick: clear }, 'Clear');
  store.listen(({ shown, filter }, changed) => {
    if (!changed.has('shown') && !changed.has('filter')) return;
    const all = store.trace.lines.length;
    const text = shown.length === all ? counted(all, 'line') : `${shown.length} of ${counted(all, 'line')}`;
    if (status.textContent !== text) status.textContent = text;
    reset.hidden = Object.values(filter).every((value) => value === '');
  });
  return {
    element: el('search', { class: 'search', 'aria-label': 'Lines' }, input, ...selects, reset, status),
    focus: () => {
      input.focus();
      input.select();
    },
    clear,
  };
}
