import { counted } from '../../../text.ts';
import { stateWords } from '../../../verdicts.ts';
import { verdictWord, wordsOf } from '../filter.ts';
import { type Camera, cameraOn, card, farthest, graphOf, isOf, leastScale, nextCard } from '../graph-model.ts';
import type { RunTrace } from '../model.ts';
import { stateAt } from '../moment.ts';
import { el, fitCanvas, titledBar } from './dom.ts';
import { drawGraph } from './graph-draw.ts';
import { palette } from './palette.ts';
import type { Store, View } from './store.ts';
import { shortName } from './timeline-rows.ts';
import type { Tip } from './tip.ts';

export interface GraphView {
  readonly element: HTMLElement;
  showAll(): void;
  zoom(by: number): void;
}

const nearest = 2;
const directions = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' } as const;

/** The lines and their order, as a picture that a person can move and zoom. */
export const graph = (store: Store, tip: Tip): GraphView => new Graph(store, tip);

class Graph implements GraphView {
  readonly element: HTMLElement;
  readonly #store: Store;
  readonly #picture: ReturnType<typeof graphOf>;
  readonly #canvas: HTMLCanvasElement;
  readonly #box: HTMLElement;
  readonly #said = el('p', { class: 'unseen', 'aria-live': 'polite' });
  #camera: Camera = { scale: 1, x: 0, y: 0 };
  /** The least scale of a view of the whole; `null` once a person has moved the view. */
  #fitted: number | null;

  constructor(store: Store, tip: Tip) {
    const { trace } = store;
    this.#store = store;
    this.#picture = graphOf(trace);
    this.#fitted = leastScale(this.#picture);
    this.#canvas = el('canvas', {
      tabindex: 0,
      role: 'application',
      'aria-roledescription': 'graph',
      'aria-label': `Graph of ${counted(trace.lines.length, 'line')} and ${counted(trace.parents.length, 'shared object')}. Arrow keys follow the arrows; the list below has the same lines.`,
    });
    this.#box = el('div', { class: 'canvas' }, this.#canvas);
    const bar = titledBar('graph-title', 'Lines', [
      ['−', 'Zoom the graph out', () => this.zoom(1 / 1.3)],
      ['+', 'Zoom the graph in', () => this.zoom(1.3)],
      ['All', 'All of the graph', () => this.showAll()],
    ]);
    this.element = el('section', { class: 'graph', 'aria-labelledby': 'graph-title' }, bar, this.#box, this.#said);
    this.#listenToPointer(tip);
    this.#listenToWheel();
    this.#listenToKeys();
    new ResizeObserver(() => (this.#fitted === null ? this.#draw(store.view) : this.#fit(this.#fitted))).observe(this.#box);
    store.listen((view, changed) => {
      if (changed.has('chosen')) {
        this.#reveal(view);
        const line = view.chosen?.kind === 'line' ? trace.lines[view.chosen.index] : undefined;
        this.#said.textContent = line ? `${line.name}, ${verdictWord(line, view.at)}, ${stateWords(stateAt(line, view.at))}` : '';
      }
      this.#draw(view);
    });
  }

  showAll(): void {
    this.#fit(farthest);
  }

  #fit(least: number): void {
    const { clientWidth: width, clientHeight: height } = this.#box;
    this.#camera = cameraOn(this.#picture, { width, height }, least);
    this.#fitted = least;
    this.#draw(this.#store.view);
  }

  zoom(by: number): void {
    this.#zoomAt(by, this.#box.clientWidth / 2, this.#box.clientHeight / 2);
  }

  #draw(view: View): void {
    const size = { width: this.#box.clientWidth, height: this.#box.clientHeight };
    const context = fitCanvas(this.#canvas, size.width, size.height);
    const { trace } = this.#store;
    drawGraph(context, { trace, graph: this.#picture, camera: this.#camera, view, colours: palette(), size });
  }

  #zoomAt(by: number, x: number, y: number): void {
    const before = this.#camera;
    const scale = Math.min(nearest, Math.max(0.03, before.scale * by));
    const ratio = scale / before.scale;
    this.#look({ scale, x: x - (x - before.x) * ratio, y: y - (y - before.y) * ratio });
  }

  /** Moves the view for a person. From then on a window of another size no longer changes it. */
  #look(camera: Camera): void {
    this.#camera = camera;
    this.#fitted = null;
    this.#draw(this.#store.view);
  }

  #cardAt(event: MouseEvent): number {
    const { left, top } = this.#canvas.getBoundingClientRect();
    const { x: shiftX, y: shiftY, scale } = this.#camera;
    const [x, y] = [(event.clientX - left - shiftX) / scale, (event.clientY - top - shiftY) / scale];
    return this.#picture.cards.findIndex((one) => x >= one.x && x <= one.x + card.width && y >= one.y && y <= one.y + card.height);
  }

  #choose(i: number): void {
    const one = this.#picture.cards[i];
    this.#store.set({ chosen: one ? { kind: one.kind, index: one.index } : null });
  }

  /** Moves a card into sight that was chosen elsewhere on the page. */
  #reveal(view: View): void {
    const one = this.#picture.cards.find((each) => isOf(each, view.chosen));
    if (!one) return;
    const { clientWidth, clientHeight } = this.#box;
    const camera = this.#camera;
    const [x, y] = [one.x * camera.scale + camera.x, one.y * camera.scale + camera.y];
    const [wide, high] = [card.width * camera.scale, card.height * camera.scale];
    if (x >= 0 && y >= 0 && x + wide <= clientWidth && y + high <= clientHeight) return;
    this.#camera = { ...camera, x: camera.x + (clientWidth - wide) / 2 - x, y: camera.y + (clientHeight - high) / 2 - y };
  }

  #listenToPointer(tip: Tip): void {
    const canvas = this.#canvas;
    let drag: { readonly x: number; readonly y: number; readonly camera: Camera; isMoved: boolean } | null = null;
    canvas.addEventListener('pointerdown', (event) => {
      drag = { x: event.clientX, y: event.clientY, camera: this.#camera, isMoved: false };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (drag === null) {
        const one = this.#picture.cards[this.#cardAt(event)];
        canvas.style.cursor = one ? 'pointer' : 'grab';
        return tip.show(one ? hintOf(one, this.#store.trace, this.#store.view.at) : null, event);
      }
      const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
      if (!drag.isMoved && Math.hypot(dx, dy) < 4) return;
      drag.isMoved = true;
      this.#look({ ...drag.camera, x: drag.camera.x + dx, y: drag.camera.y + dy });
    });
    canvas.addEventListener('pointerup', (event) => {
      if (drag && !drag.isMoved) this.#choose(this.#cardAt(event));
      drag = null;
    });
    canvas.addEventListener('pointercancel', () => {
      drag = null;
    });
    canvas.addEventListener('pointerleave', () => tip.show(null));
  }

  #listenToWheel(): void {
    const canvas = this.#canvas;
    canvas.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        const { left, top } = canvas.getBoundingClientRect();
        if (event.ctrlKey || event.deltaX === 0) {
          return this.#zoomAt(Math.exp(-event.deltaY / 400), event.clientX - left, event.clientY - top);
        }
        const camera = this.#camera;
        this.#camera = { ...camera, x: camera.x - event.deltaX, y: camera.y - event.deltaY };
        this.#draw(this.#store.view);
      },
      { passive: false },
    );
  }

  #listenToKeys(): void {
    this.#canvas.addEventListener('keydown', (event) => {
      const direction = Object.entries(directions).find(([key]) => key === event.key)?.[1];
      if (direction === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      const { cards } = this.#picture;
      const chosen = cards.findIndex((one) => isOf(one, this.#store.view.chosen));
      const next = nextCard(this.#picture, chosen, direction);
      if (next !== null) this.#choose(next);
    });
  }
}

/** The hint for a card under the pointer. */
function hintOf({ kind, index }: { readonly kind: string; readonly index: number }, trace: RunTrace, at: number): readonly string[] | null {
  const line = kind === 'line' ? trace.lines[index] : undefined;
  if (line) return [shortName(line.name), line.kind, wordsOf(verdictWord(line, at), stateWords(stateAt(line, at)))];
  const parent = kind === 'parent' ? trace.parents[index] : undefined;
  return parent ? [shortName(parent.name), `shared by ${counted(parent.lines.length, 'line')}`, stateWords(stateAt(parent, at))] : null;
}
