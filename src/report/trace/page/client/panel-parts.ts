import { oneLine, safeText, showTime } from '../../../text.ts';
import { stateWords } from '../../../verdicts.ts';
import type { Chosen } from '../graph-model.ts';
import type { Actor, Request, RunError } from '../model.ts';
import { stateAt } from '../moment.ts';
import { clockTime } from '../times.ts';
import { el } from './dom.ts';
import { stateSign } from './signs.ts';
import type { Store } from './store.ts';
import { shortName } from './timeline-rows.ts';

/** A part of the panel. It is made once for a choice, and updated for each moment. */
export interface Part {
  readonly element: HTMLElement;
  update(at: number): void;
}

/** A part with a heading. */
export const section = (title: string, ...children: readonly (Node | null | false)[]): HTMLElement =>
  el('section', {}, el('h3', {}, title), ...children);

/** A button that goes to a moment. */
export const momentButton = (store: Store, at: number): HTMLElement =>
  el(
    'button',
    { type: 'button', class: 'moment', 'aria-label': `Go to ${clockTime(at)}`, onclick: () => store.set({ at, isPlaying: false }) },
    clockTime(at),
  );

export function chooseButton(store: Store, chosen: Exclude<Chosen, null>): HTMLElement {
  const { lines, parents } = store.trace;
  const { name = '' } = (chosen.kind === 'line' ? lines : parents)[chosen.index] ?? {};
  return el('button', { type: 'button', class: 'chip', onclick: () => store.set({ chosen }) }, shortName(name));
}

/** Several such buttons, and one that shows the rest. */
export function chooseButtons(store: Store, kind: 'line' | 'parent', indexes: readonly number[]): HTMLElement {
  const most = 40;
  const box = el('div', { class: 'chips' }, ...indexes.slice(0, most).map((index) => chooseButton(store, { kind, index })));
  if (indexes.length > most) {
    const more = el('button', { type: 'button', class: 'quiet' }, `${indexes.length - most} more`);
    more.addEventListener('click', () => more.replaceWith(...indexes.slice(most).map((index) => chooseButton(store, { kind, index }))));
    box.append(more);
  }
  return box;
}

/** Shows text of a provider or of the plan as it is, and makes its invisible characters visible. */
export const foreign = (text: string): HTMLElement => el('span', { class: 'foreign', dir: 'auto' }, safeText(text));

export function table(heads: readonly string[], rows: readonly (readonly (Node | string)[])[], label: string): HTMLTableElement {
  return el(
    'table',
    { 'aria-label': label },
    el('thead', {}, el('tr', {}, ...heads.map((head) => el('th', { scope: 'col' }, head)))),
    el('tbody', {}, ...rows.map((cells) => el('tr', {}, ...cells.map((cell) => el('td', {}, cell))))),
  );
}

/** Rows of a later moment are faint. `times` holds the time of each row, in order. */
export function timed(of: HTMLTableElement, times: readonly number[]): Part {
  const rows = [...(of.tBodies[0]?.rows ?? [])];
  return {
    element: el('div', { class: 'wide', tabindex: 0, role: 'group', 'aria-label': of.getAttribute('aria-label') ?? '' }, of),
    update: (at) => {
      for (const [i, row] of rows.entries()) row.classList.toggle('later', (times[i] ?? 0) > at);
    },
  };
}

export function requestsPart(store: Store, requests: readonly Request[]): Part {
  const most = 200;
  const shown = requests.slice(0, most);
  const rows = shown.map((request) => [
    momentButton(store, request.to),
    el('span', { class: request.isWrite ? 'method write' : 'method' }, request.method),
    el('span', { class: 'url', dir: 'ltr' }, oneLine(request.url)),
    el('span', { class: request.isBad ? 'bad' : '' }, request.status === null ? 'no answer' : String(request.status)),
    showTime(request.to - request.from),
    request.attempt > 1 ? `try ${request.attempt}` : '',
  ]);
  const part = timed(
    table(['Answered', 'Method', 'Address', 'Status', 'Took', ''], rows, 'Requests'),
    shown.map(({ to }) => to),
  );
  const note =
    requests.length > most ? el('p', { class: 'muted' }, `The first ${most} of ${requests.length}. events.jsonl has all of them.`) : null;
  return { element: section(`Requests (${requests.length})`, part.element, note), update: part.update };
}

export function stepsPart(store: Store, actor: Actor): Part {
  const rows = actor.steps.map(({ at, from, to, event }) => [
    momentButton(store, at),
    el('span', { class: 'step' }, `${stateWords(from)} → `, stateSign(to), stateWords(to)),
    el('code', {}, eventWord(event)),
  ]);
  const part = timed(
    table(['At', 'From → to', 'By'], rows, 'States'),
    actor.steps.map(({ at }) => at),
  );
  return { element: section(`States (${actor.steps.length})`, part.element), update: part.update };
}

/** `observe.done` and `xstate.done.actor.read` → `done: observe` and `done: read`. */
const eventWord = (event: string): string =>
  event
    .replace(/^xstate\.(done|error)\.actor\./, '$1: ')
    .replace(/^xstate\./, '')
    .replace(/^(\w+)\.(done|error)$/, '$2: $1');

/** The sign and word of the state at the chosen moment. */
export function statePart(actor: Actor): Part {
  const element = el('span', { class: 'state-now' });
  let shown: string | null = null;
  return {
    element,
    update: (at) => {
      const state = stateAt(actor, at);
      if (state === shown) return;
      shown = state;
      element.replaceChildren(stateSign(state), stateWords(state));
    },
  };
}

/** One error: its code, its summary, its detail and its fix. */
export const failureBox = ({ code, summary, detail, fix, place }: RunError, ...beside: readonly HTMLElement[]): HTMLElement =>
  el(
    'div',
    { class: 'failure' },
    el('p', {}, el('strong', { class: 'code' }, code), ` ${summary} `, ...beside),
    el('p', { class: 'detail' }, foreign(detail)),
    el('p', {}, el('strong', {}, 'Fix: '), foreign(fix)),
    place !== undefined && el('p', { class: 'muted' }, el('code', {}, place)),
  );
