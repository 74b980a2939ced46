import { counted } from '../../../text.ts';
import { stateWords } from '../../../verdicts.ts';
import { verdictWord, wordsOf } from '../filter.ts';
import { stateAt } from '../moment.ts';
import { el, fitCanvas } from './dom.ts';
import { type Camera, drawGraph } from './graph-draw.ts';
import { card, graphOf, isOf, nextCard } from './graph-model.ts';
import { palette } from './palette.ts';
import type { Store, View } from './store.ts';
import { shortName } from './timeline-draw.ts';
import type { Tip } from './tip.ts';

export interface GraphView {
  readonly element: HTMLElement;
  showAll(): void;
  zoom(by: number): void;
}

const nearest = 2;

/** The lines and what they come after, as a picture that can be moved and brought nearer. */
export function graph(store: Store, tip: Tip): GraphView {
  const { trace } = store;
  const picture = graphOf(trace);
  let camera: Camera = { scale: 1, x: 0, y: 0 };
  let isFitted = true;
  const canvas = el('canvas', {
    tabindex: 0,
    role: 'application',
    'aria-roledescription': 'graph',
    'aria-label': `Graph of ${counted(trace.lines.length, 'line')} and ${counted(trace.parents.length, 'shared object')}. Arrow keys follow the arrows; the list below has the same lines.`,
  });
  const said = el('p', { class: 'unseen', 'aria-live': 'polite' });
  const button = (text: string, name: string, act: () => void): HTMLButtonElement =>
    el('button', { type: 'button', class: 'quiet', 'aria-label': name, onclick: act }, text);
  const box = el('div', { class: 'canvas' }, canvas);
  const element = el(
    'section',
    { class: 'graph', 'aria-labelledby': 'graph-title' },
    el(
      'div',
      { class: 'bar' },
      el('h2', { id: 'graph-title' }, 'Lines'),
      button('−', 'Move the graph away', () => zoom(1 / 1.3)),
      button('+', 'Bring the graph nearer', () => zoom(1.3)),
      button('All', 'All of the graph', () => showAll()),
    ),
    box,
    said,
  );

  const draw = (view: View): void => {
    const size = { width: box.clientWidth, height: box.clientHeight };
    drawGraph(fitCanvas(canvas, size.width, size.height), { trace, graph: picture, camera, view, colours: palette(), size });
  };
  const showAll = (): void => {
    const [width, height] = [box.clientWidth, box.clientHeight];
    const scale = Math.min(1.1, (width - 40) / Math.max(1, picture.width), (height - 32) / Math.max(1, picture.height));
    camera = { scale: Math.max(scale, 0.02), x: (width - picture.width * scale) / 2, y: (height - picture.height * scale) / 2 };
    isFitted = true;
    draw(store.view);
  };
  const zoomAt = (by: number, x: number, y: number): void => {
    const scale = Math.min(nearest, Math.max(0.03, camera.scale * by));
    const ratio = scale / camera.scale;
    camera = { scale, x: x - (x - camera.x) * ratio, y: y - (y - camera.y) * ratio };
    isFitted = false;
    draw(store.view);
  };
  const zoom = (by: number): void => zoomAt(by, box.clientWidth / 2, box.clientHeight / 2);
  const cardAt = (event: MouseEvent): number => {
    const { left, top } = canvas.getBoundingClientRect();
    const [x, y] = [(event.clientX - left - camera.x) / camera.scale, (event.clientY - top - camera.y) / camera.scale];
    return picture.cards.findIndex((one) => x >= one.x && x <= one.x + card.width && y >= one.y && y <= one.y + card.height);
  };
  const chooseCard = (i: number): void => {
    const one = picture.cards[i];
    store.set({ chosen: one ? { kind: one.kind, index: one.index } : null });
  };
  /** A card that is chosen elsewhere comes into sight. */
  const reveal = (view: View): void => {
    const one = picture.cards.find((each) => isOf(each, view.chosen));
    if (!one || isFitted) return;
    const [x, y] = [one.x * camera.scale + camera.x, one.y * camera.scale + camera.y];
    const [wide, high] = [card.width * camera.scale, card.height * camera.scale];
    if (x >= 0 && y >= 0 && x + wide <= box.clientWidth && y + high <= box.clientHeight) return;
    camera = { ...camera, x: camera.x + (box.clientWidth - wide) / 2 - x, y: camera.y + (box.clientHeight - high) / 2 - y };
  };

  let drag: { readonly x: number; readonly y: number; readonly camera: Camera; isMoved: boolean } | null = null;
  canvas.addEventListener('pointerdown', (event) => {
    drag = { x: event.clientX, y: event.clientY, camera, isMoved: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (drag === null) {
      const one = picture.cards[cardAt(event)];
      const line = one?.kind === 'line' ? trace.lines[one.index] : undefined;
      const parent = one?.kind === 'parent' ? trace.parents[one.index] : undefined;
      const { at } = store.view;
      canvas.style.cursor = one ? 'pointer' : 'grab';
      if (line) return tip.show([shortName(line.name), line.kind, wordsOf(verdictWord(line, at), stateWords(stateAt(line, at)))], event);
      return tip.show(
        parent ? [shortName(parent.name), `shared by ${counted(parent.lines.length, 'line')}`, stateWords(stateAt(parent, at))] : null,
        event,
      );
    }
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.isMoved && Math.hypot(dx, dy) < 4) return;
    drag.isMoved = true;
    isFitted = false;
    camera = { ...drag.camera, x: drag.camera.x + dx, y: drag.camera.y + dy };
    draw(store.view);
  });
  const drop = (event: PointerEvent): void => {
    if (drag && !drag.isMoved) chooseCard(cardAt(event));
    drag = null;
  };
  canvas.addEventListener('pointerup', drop);
  canvas.addEventListener('pointercancel', () => {
    drag = null;
  });
  canvas.addEventListener('pointerleave', () => tip.show(null));
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const { left, top } = canvas.getBoundingClientRect();
      if (event.ctrlKey || event.deltaX === 0) zoomAt(Math.exp(-event.deltaY / 400), event.clientX - left, event.clientY - top);
      else {
        camera = { ...camera, x: camera.x - event.deltaX, y: camera.y - event.deltaY };
        draw(store.view);
      }
    },
    { passive: false },
  );
  const directions = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' } as const;
  canvas.addEventListener('keydown', (event) => {
    const direction = Object.entries(directions).find(([key]) => key === event.key)?.[1];
    if (direction === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    const next = nextCard(
      picture,
      picture.cards.findIndex((one) => isOf(one, store.view.chosen)),
      direction,
    );
    if (next !== null) chooseCard(next);
  });
  new ResizeObserver(() => (isFitted ? showAll() : draw(store.view))).observe(box);

  store.listen((view, changed) => {
    if (changed.has('chosen')) {
      reveal(view);
      const line = view.chosen?.kind === 'line' ? trace.lines[view.chosen.index] : undefined;
      said.textContent = line ? `${line.name}, ${verdictWord(line, view.at)}, ${stateWords(stateAt(line, view.at))}` : '';
    }
    draw(view);
  });
  return { element, showAll, zoom };
}
