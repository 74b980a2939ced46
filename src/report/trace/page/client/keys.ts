import { el } from './dom.ts';

export interface Shortcut {
  /** The keys as the list of shortcuts shows them. */
  readonly keys: string;
  readonly what: string;
  readonly matches: (event: KeyboardEvent) => boolean;
  readonly act: () => void;
}

/** Listens to keys everywhere except in a field that takes text. */
export function listenToKeys(shortcuts: readonly Shortcut[], onEscape: () => void): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key === 'Escape') return onEscape();
    if (isTaken(event)) return;
    const shortcut = shortcuts.find(({ matches }) => matches(event));
    if (!shortcut) return;
    event.preventDefault();
    shortcut.act();
  });
}

/** Tells whether the focused element needs the key: fields use letters and arrows, and the space bar presses a button. */
function isTaken({ target, key }: KeyboardEvent): boolean {
  if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement) return true;
  if (document.querySelector('dialog[open]') !== null) return true;
  return target instanceof HTMLButtonElement && (key === ' ' || key === 'Enter');
}

/** The list of shortcuts, and the button that opens it. */
export function shortcutHelp(shortcuts: readonly Shortcut[]): {
  readonly button: HTMLButtonElement;
  readonly dialog: HTMLDialogElement;
  open(): void;
} {
  const rows = [...shortcuts, { keys: 'Esc', what: 'Clear the search, then the choice' }].map(({ keys, what }) =>
    el('tr', {}, el('td', {}, ...keys.split(' ').map((key) => el('kbd', {}, key))), el('td', {}, what)),
  );
  const close = el('button', { type: 'button', onclick: () => dialog.close() }, 'Close');
  const heads = ['Key', 'What it does'].map((head) => el('th', { scope: 'col' }, head));
  const dialog = el(
    'dialog',
    { 'aria-labelledby': 'keys-title' },
    el('h2', { id: 'keys-title' }, 'Keyboard'),
    el('table', {}, el('thead', {}, el('tr', {}, ...heads)), el('tbody', {}, ...rows)),
    el('p', { class: 'muted small' }, 'In the graph, arrow keys follow the arrows. Hold Ctrl and turn the wheel to zoom.'),
    close,
  );
  const open = (): void => dialog.showModal();
  return { button: el('button', { type: 'button', class: 'quiet', onclick: open }, 'Keys'), dialog, open };
}
