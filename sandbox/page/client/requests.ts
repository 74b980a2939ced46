import type { RequestShown } from '../../serve/told.ts';
import { byId, el } from './dom.ts';

const rows = byId('sent', HTMLTableSectionElement);
const none = byId('none', HTMLParagraphElement);
const writes = byId('writes', HTMLInputElement);
const most = 300;

let last = 0;

/** One more request, on top. A stream that begins anew tells requests that are there already. */
export function addRequest(request: RequestShown): void {
  if (request.number <= last) return;
  last = request.number;
  none.hidden = true;
  rows.prepend(rowOf(request));
  while (rows.rows.length > most) rows.deleteRow(-1);
}

/** Another run of the sandbox counts from one. */
export function forgetRequests(): void {
  last = 0;
  rows.replaceChildren();
  none.hidden = false;
}

function rowOf({ at, provider, method, path, status, write, outcome }: RequestShown): HTMLTableRowElement {
  const isBad = status === null || status >= 400 || outcome !== 'answered';
  const told = outcome === 'answered' ? String(status) : `${status ?? 'none'}, ${outcome}`;
  return el(
    'tr',
    { class: write ? 'write' : 'read' },
    el('td', { class: 'muted time' }, new Date(at).toLocaleTimeString([], { hour12: false })),
    el('td', {}, provider),
    el('td', { class: 'path' }, el('b', {}, method), ' ', el('span', {}, path)),
    el('td', { class: isBad ? 'bad' : 'good' }, told),
  );
}

writes.addEventListener('change', () => rows.classList.toggle('writes', writes.checked));
