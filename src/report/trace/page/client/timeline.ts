import { el, titledBar } from './dom.ts';
import type { Store, View } from './store.ts';
import { rowHeight } from './timeline-draw.ts';
import { Heads, isChosen } from './timeline-heads.ts';
import { paintAxis, paintBars, type Stage, timeAt } from './timeline-paint.ts';
import { type Row, rowsOf } from './timeline-rows.ts';
import { type Tip, tipAt } from './tip.ts';

export interface Timeline {
  readonly element: HTMLElement;
  /** Chooses the row above or below. */
  move(by: number): void;
  zoom(by: number): void;
  showAll(): void;
}

/** The timeline with one row per line. Only rows in sight exist: their bars on a canvas, their heads as options of a list. */
export const timeline = (store: Store, tip: Tip): Timeline => new Rows(store, tip);

class Rows implements Timeline {
  readonly element: HTMLElement;
  readonly #store: Store;
  readonly #rows: ReturnType<typeof rowsOf>;
  readonly #heads: Heads;
  readonly #axis = el('canvas', { class: 'axis', 'aria-hidden': 'true' });
  readonly #bars = el('canvas', { class: 'bars', 'aria-hidden': 'true' });
  readonly #none = el('p', { class: 'nothing', hidden: true }, 'No line matches.');
  readonly #space: HTMLElement;
  readonly #list: HTMLElement;
  #order: readonly Row[] = [];
  #span: { readonly from: number; readonly to: number };

  constructor(store: Store, tip: Tip) {
    const { trace } = store;
    this.#store = store;
    this.#rows = rowsOf(trace);
    this.#heads = new Heads(trace);
    this.#span = { from: 0, to: Math.max(1, trace.ms) };
    this.#space = el('div', { class: 'space', role: 'presentation' }, this.#bars, this.#heads.element);
    this.#list = el('div', { class: 'rows', role: 'listbox', tabindex: 0, 'aria-label': 'Lines of the run' }, this.#space);
    const bar = titledBar('timeline-title', 'Timeline', [
      ['−', 'Show more time', () => this.zoom(1 / 1.6)],
      ['+', 'Show less time', () => this.zoom(1.6)],
      ['All', 'All of the run', () => this.showAll()],
    ]);
    this.element = el('section', { class: 'timeline', 'aria-labelledby': 'timeline-title' }, bar, this.#axis, this.#list, this.#none);
    this.#listenToList(tip);
    this.#listenToAxis();
    new ResizeObserver(() => this.#draw(store.view)).observe(this.#list);
    store.listen((now, changed) => this.#follow(now, changed));
  }

  zoom(by: number): void {
    const { at } = this.#store.view;
    const { from, to } = this.#span;
    const middle = at >= from && at <= to ? at : (from + to) / 2;
    this.#show(middle - (middle - from) / by, middle + (to - middle) / by);
  }

  showAll(): void {
    this.#show(0, this.#store.trace.ms);
  }

  move(by: number): void {
    const rows = this.#order.filter(({ key }) => key !== 'ledger');
    const now = rows.findIndex((row) => isChosen(row, this.#store.view));
    const next = rows[now < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, now + by))];
    this.#choose(next);
    if (next) this.#reveal(this.#order.indexOf(next));
  }

  #stage(): Stage {
    const { clientWidth: width, clientHeight: height, scrollTop: top } = this.#list;
    const first = Math.max(0, Math.floor(top / rowHeight));
    const last = Math.min(this.#order.length, Math.ceil((top + height) / rowHeight) + 1);
    return { ...this.#span, order: this.#order, first, last, width, height, top, headWidth: width < 520 ? 118 : 210 };
  }

  #draw(now: View): void {
    const stage = this.#stage();
    paintBars(this.#bars, stage, now);
    paintAxis(this.#axis, stage, now);
    this.#heads.place(stage, stage.headWidth, now);
    const active = this.#order.find((row) => isChosen(row, now));
    const id = active ? this.#heads.idOf(active) : null;
    if (id === null) this.#list.removeAttribute('aria-activedescendant');
    else this.#list.setAttribute('aria-activedescendant', id);
  }

  #show(from: number, to: number): void {
    const { ms } = this.#store.trace;
    const wide = Math.min(Math.max(1, ms), Math.max(5, to - from));
    const start = Math.min(Math.max(0, from), Math.max(0, ms - wide));
    this.#span = { from: start, to: start + wide };
    this.#draw(this.#store.view);
  }

  #reveal(i: number): void {
    const top = i * rowHeight;
    const list = this.#list;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + rowHeight - list.clientHeight;
  }

  #choose(row: Row | undefined): void {
    if (!row) return;
    if (row.line !== null) this.#store.set({ chosen: { kind: 'line', index: row.line } });
    else if (row.parent !== null) this.#store.set({ chosen: { kind: 'parent', index: row.parent } });
    else this.#store.set({ chosen: null });
  }

  #rowAt(clientY: number): Row | undefined {
    return this.#order[Math.floor((clientY - this.#list.getBoundingClientRect().top + this.#list.scrollTop) / rowHeight)];
  }

  #listenToList(tip: Tip): void {
    const list = this.#list;
    list.addEventListener('scroll', () => this.#draw(this.#store.view), { passive: true });
    list.addEventListener('click', (event) => this.#choose(this.#rowAt(event.clientY)));
    list.addEventListener('mousemove', (event) => {
      const stage = this.#stage();
      const x = event.clientX - list.getBoundingClientRect().left;
      const row = this.#rowAt(event.clientY);
      const perPixel = (stage.to - stage.from) / Math.max(1, stage.width);
      tip.show(row && x > stage.headWidth ? tipAt(row, timeAt(x, stage), perPixel) : null, event);
    });
    list.addEventListener('mouseleave', () => tip.show(null));
    list.addEventListener(
      'wheel',
      (event) => {
        if (!event.ctrlKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY) && !event.shiftKey) return;
        event.preventDefault();
        if (event.ctrlKey) return this.zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2);
        const { from, to } = this.#span;
        const by = ((event.deltaX || event.deltaY) * (to - from)) / list.clientWidth;
        this.#show(from + by, to + by);
      },
      { passive: false },
    );
  }

  #listenToAxis(): void {
    const axis = this.#axis;
    const seek = (event: PointerEvent): void => {
      const x = event.clientX - axis.getBoundingClientRect().left;
      this.#store.set({ at: timeAt(x, this.#stage()), isPlaying: false });
    };
    axis.addEventListener('pointerdown', (event) => {
      axis.setPointerCapture(event.pointerId);
      seek(event);
    });
    axis.addEventListener('pointermove', (event) => {
      if (event.buttons > 0) seek(event);
    });
  }

  #follow(now: View, changed: ReadonlySet<keyof View>): void {
    if (changed.has('shown')) {
      const chosen = new Set(now.shown);
      this.#order = [...this.#rows.top, ...this.#rows.lines.filter(({ line }) => line !== null && chosen.has(line))];
      this.#space.style.height = `${this.#order.length * rowHeight}px`;
      this.#none.hidden = now.shown.length > 0 || this.#store.trace.lines.length === 0;
    }
    if (changed.has('chosen') && now.chosen !== null) {
      const i = this.#order.findIndex((row) => isChosen(row, now));
      if (i >= 0) this.#reveal(i);
    }
    // While the run plays, the span moves with the moment.
    const { from, to } = this.#span;
    if (changed.has('at') && now.isPlaying && (now.at > to || now.at < from)) this.#span = { from: now.at, to: now.at + (to - from) };
    this.#draw(now);
  }
}
