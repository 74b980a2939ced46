import { stateWords } from '../../../verdicts.ts';
import { isRestored, stateAt, verdictAt } from '../moment.ts';
import { clockTime, ticks } from '../times.ts';
import { el, fitCanvas, setOnce } from './dom.ts';
import { palette } from './palette.ts';
import { glyphOf } from './signs.ts';
import type { Store, View } from './store.ts';
import { drawRow, type Row, rowHeight, rowsOf, type Scale } from './timeline-draw.ts';
import { type Tip, tipAt } from './tip.ts';

export interface Timeline {
  readonly element: HTMLElement;
  /** Chooses the row above or below. */
  move(by: number): void;
  zoom(by: number): void;
  showAll(): void;
}

/** One row a line, of which only those in sight exist: bars on a canvas, heads as the options of a list. */
export function timeline(store: Store, tip: Tip): Timeline {
  const { trace } = store;
  const rows = rowsOf(trace);
  let order: readonly Row[] = [];
  let view = { from: 0, to: Math.max(1, trace.ms) };
  const axis = el('canvas', { class: 'axis', 'aria-hidden': 'true' });
  const bars = el('canvas', { class: 'bars', 'aria-hidden': 'true' });
  const heads = el('div', { class: 'heads', role: 'presentation' });
  const space = el('div', { class: 'space', role: 'presentation' }, bars, heads);
  const list = el('div', { class: 'rows', role: 'listbox', tabindex: 0, 'aria-label': 'Lines of the run' }, space);
  const none = el('p', { class: 'nothing', hidden: true }, 'No line matches.');
  const button = (text: string, name: string, act: () => void): HTMLButtonElement =>
    el('button', { type: 'button', class: 'quiet', 'aria-label': name, onclick: act }, text);
  const element = el(
    'section',
    { class: 'timeline', 'aria-labelledby': 'timeline-title' },
    el(
      'div',
      { class: 'bar' },
      el('h2', { id: 'timeline-title' }, 'Timeline'),
      button('−', 'Show more time', () => zoom(1 / 1.6)),
      button('+', 'Show less time', () => zoom(1.6)),
      button('All', 'All of the run', () => showAll()),
    ),
    axis,
    list,
    none,
  );

  const headWidth = (): number => (list.clientWidth < 520 ? 118 : 210);
  const scale = (): Scale => {
    const left = headWidth();
    const width = Math.max(10, list.clientWidth - left - 70);
    return { x: (at) => left + 8 + ((at - view.from) / (view.to - view.from)) * width, width: list.clientWidth };
  };
  const timeAt = (x: number): number => {
    const { x: place } = scale();
    const unit = place(view.to) - place(view.from);
    return view.from + ((x - place(view.from)) / unit) * (view.to - view.from);
  };

  const draw = (now: View): void => {
    const colours = palette();
    const [width, height] = [list.clientWidth, list.clientHeight];
    const first = Math.max(0, Math.floor(list.scrollTop / rowHeight));
    const last = Math.min(order.length, Math.ceil((list.scrollTop + height) / rowHeight) + 1);
    const context = fitCanvas(bars, width, height);
    const place = scale();
    const left = headWidth();
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'middle';
    const chosen = order.findIndex((row) => isChosen(row, now));
    context.fillStyle = colours.fill.idle;
    if (chosen >= first && chosen < last) context.fillRect(0, chosen * rowHeight - list.scrollTop, width, rowHeight);
    context.save();
    context.beginPath();
    context.rect(left, 0, width - left, height);
    context.clip();
    context.strokeStyle = colours.colour.faint;
    context.lineWidth = 1;
    context.beginPath();
    for (const { at } of ticks(view.from, view.to, width / 90)) {
      context.moveTo(Math.round(place.x(at)) + 0.5, 0);
      context.lineTo(Math.round(place.x(at)) + 0.5, height);
    }
    context.stroke();
    for (let i = first; i < last; i += 1) {
      const row = order[i];
      if (row) drawRow(context, row, i * rowHeight - list.scrollTop, place, now.at, colours);
    }
    context.fillStyle = colours.colour.accent;
    context.fillRect(place.x(now.at) - 0.75, 0, 1.5, height);
    context.restore();
    drawAxis(now);
    placeHeads(now, first, last);
  };

  const drawAxis = (now: View): void => {
    const colours = palette();
    const place = scale();
    const context = fitCanvas(axis, list.clientWidth, 24);
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'middle';
    context.textAlign = 'center';
    const here = place.x(now.at);
    const text = clockTime(now.at);
    const wide = context.measureText(text).width + 14;
    context.fillStyle = colours.colour.muted;
    for (const tick of ticks(view.from, view.to, list.clientWidth / 90)) {
      const x = place.x(tick.at);
      if (x > headWidth() && Math.abs(x - here) > wide / 2 + 18) context.fillText(tick.text, x, 12);
    }
    if (here < headWidth() || here > list.clientWidth) return;
    const middle = Math.min(here, list.clientWidth - wide / 2 - 2);
    context.fillStyle = colours.colour.accent;
    context.beginPath();
    context.roundRect(middle - wide / 2, 3, wide, 18, 4);
    context.fill();
    context.fillStyle = colours.colour.onfill;
    context.fillText(text, middle, 12.5);
  };

  /** Heads exist for the rows in sight only; they are the same elements as long as the same rows are in sight. */
  const known = new Map<string, Head>();
  const placeHeads = (now: View, first: number, last: number): void => {
    const seen = new Set<string>();
    for (let i = first; i < last; i += 1) {
      const row = order[i];
      if (!row) continue;
      seen.add(row.key);
      const head = known.get(row.key) ?? newHead(row);
      known.set(row.key, head);
      head.element.style.transform = `translateY(${i * rowHeight}px)`;
      if (head.element.style.width !== `${headWidth()}px`) head.element.style.width = `${headWidth()}px`;
      setOnce(head.element, 'aria-setsize', String(order.length));
      setOnce(head.element, 'aria-posinset', String(i + 1));
      showHead(head, row, now);
      if (head.element.parentNode === null) heads.append(head.element);
    }
    for (const [key, { element: old }] of known) {
      if (seen.has(key)) continue;
      old.remove();
      known.delete(key);
    }
    const active = order.find((row) => isChosen(row, now));
    const id = active && known.has(active.key) ? idOf(active) : '';
    if (id === '') list.removeAttribute('aria-activedescendant');
    else list.setAttribute('aria-activedescendant', id);
  };

  const showHead = ({ element: head, sign, state: place, verdict: unseen }: Head, row: Row, now: View): void => {
    const line = row.line === null ? undefined : trace.lines[row.line];
    const parent = row.parent === null ? undefined : trace.parents[row.parent];
    const actor = line ?? parent ?? (row.key === 'run' ? trace.coordinators[0] : undefined);
    const judged = line ? verdictAt(line, now.at) : null;
    const glyph = line ? glyphOf(judged?.verdict ?? null, isRestored(line)) : parent ? '∞' : '';
    const word = judged?.verdict ?? '';
    const state = actor ? stateWords(stateAt(actor, now.at)) : '';
    if (sign.textContent !== glyph) sign.textContent = glyph;
    if (place.textContent !== state) place.textContent = state;
    if (unseen.textContent !== word) unseen.textContent = word;
    setOnce(head, 'aria-selected', String(isChosen(row, now)));
  };

  const choose = (row: Row | undefined): void => {
    if (!row) return;
    if (row.line !== null) store.set({ chosen: { kind: 'line', index: row.line } });
    else if (row.parent !== null) store.set({ chosen: { kind: 'parent', index: row.parent } });
    else store.set({ chosen: null });
  };
  const newHead = (row: Row): Head => {
    const sign = el('span', { class: 'glyph', 'aria-hidden': 'true' });
    const state = el('span', { class: 'state' });
    // Its sign is seen; its word is heard.
    const verdict = el('span', { class: 'unseen' });
    const name = el('span', { class: 'name', title: row.name }, row.name);
    return {
      element: el('div', { role: 'option', id: idOf(row), class: row.line === null ? 'head beside' : 'head' }, sign, name, verdict, state),
      sign,
      verdict,
      state,
    };
  };
  const rowAt = (clientY: number): Row | undefined =>
    order[Math.floor((clientY - list.getBoundingClientRect().top + list.scrollTop) / rowHeight)];

  const zoom = (by: number): void => {
    const { at } = store.view;
    const middle = at >= view.from && at <= view.to ? at : (view.from + view.to) / 2;
    show(middle - (middle - view.from) / by, middle + (view.to - middle) / by);
  };
  const show = (from: number, to: number): void => {
    const wide = Math.min(Math.max(1, trace.ms), Math.max(5, to - from));
    const start = Math.min(Math.max(0, from), Math.max(0, trace.ms - wide));
    view = { from: start, to: start + wide };
    draw(store.view);
  };
  const showAll = (): void => show(0, trace.ms);
  const move = (by: number): void => {
    const rows = order.filter(({ key }) => key !== 'ledger');
    const now = rows.findIndex((row) => isChosen(row, store.view));
    const next = rows[now < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, now + by))];
    choose(next);
    if (next) reveal(order.indexOf(next));
  };
  const reveal = (i: number): void => {
    const top = i * rowHeight;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + rowHeight - list.clientHeight;
  };

  list.addEventListener('scroll', () => draw(store.view), { passive: true });
  list.addEventListener('click', (event) => choose(rowAt(event.clientY)));
  list.addEventListener('mousemove', (event) => {
    const x = event.clientX - list.getBoundingClientRect().left;
    const row = rowAt(event.clientY);
    tip.show(row && x > headWidth() ? tipAt(row, timeAt(x), (view.to - view.from) / Math.max(1, list.clientWidth)) : null, event);
  });
  list.addEventListener('mouseleave', () => tip.show(null));
  list.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY) && !event.shiftKey) return;
      event.preventDefault();
      if (event.ctrlKey) return zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2);
      const by = ((event.deltaX || event.deltaY) * (view.to - view.from)) / list.clientWidth;
      show(view.from + by, view.to + by);
    },
    { passive: false },
  );
  const seek = (event: PointerEvent): void => {
    const x = event.clientX - axis.getBoundingClientRect().left;
    store.set({ at: timeAt(x), isPlaying: false });
  };
  axis.addEventListener('pointerdown', (event) => {
    axis.setPointerCapture(event.pointerId);
    seek(event);
  });
  axis.addEventListener('pointermove', (event) => {
    if (event.buttons > 0) seek(event);
  });
  new ResizeObserver(() => draw(store.view)).observe(list);

  store.listen((now, changed) => {
    if (changed.has('shown')) {
      const chosen = new Set(now.shown);
      order = [...rows.top, ...rows.lines.filter(({ line }) => line !== null && chosen.has(line))];
      space.style.height = `${order.length * rowHeight}px`;
      none.hidden = now.shown.length > 0 || trace.lines.length === 0;
    }
    if (changed.has('chosen') && now.chosen !== null) {
      const i = order.findIndex((row) => isChosen(row, now));
      if (i >= 0) reveal(i);
    }
    // Playing goes on in sight.
    if (changed.has('at') && now.isPlaying && (now.at > view.to || now.at < view.from)) {
      view = { from: now.at, to: now.at + (view.to - view.from) };
    }
    draw(now);
  });
  return { element, move, zoom, showAll };
}

interface Head {
  readonly element: HTMLElement;
  readonly sign: HTMLElement;
  readonly verdict: HTMLElement;
  readonly state: HTMLElement;
}

const idOf = (row: Row): string => `row-${row.key.replace(' ', '-')}`;

function isChosen(row: Row, { chosen }: View): boolean {
  if (chosen === null) return row.key === 'run';
  return chosen.kind === 'line' ? row.line === chosen.index : row.parent === chosen.index;
}
