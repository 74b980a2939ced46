import { clockTime } from '../times.ts';
import { el } from './dom.ts';
import type { Store } from './store.ts';

const speeds = [
  { name: 'in 10 s', take: (): number => 10_000 },
  { name: 'in 30 s', take: (): number => 30_000 },
  { name: 'as it was', take: (ms: number): number => Math.max(1, ms) },
] as const;

export interface Transport {
  readonly element: HTMLElement;
  toggle(): void;
  /** Goes to the next or the previous moment with an event. */
  step(by: 1 | -1): void;
  leap(part: number): void;
}

/** Play, step and the slider. Only here a person sets the time. */
export function transport(store: Store): Transport {
  const { trace } = store;
  let speed: (typeof speeds)[number] = speeds[0];
  const play = el('button', { type: 'button', class: 'play', onclick: () => toggle() });
  const slider = el('input', { type: 'range', min: 0, max: Math.max(1, trace.ms), step: 'any', 'aria-label': 'Time of the run' });
  const now = el('output', { class: 'now' });
  const pace = el('select', { 'aria-label': 'Speed of playing' }, ...speeds.map(({ name }, i) => el('option', { value: i }, name)));
  pace.addEventListener('change', () => {
    speed = speeds[Number(pace.value)] ?? speeds[0];
  });
  slider.addEventListener('input', () => store.set({ at: Number(slider.value), isPlaying: false }));

  let last = 0;
  const tick = (time: number): void => {
    const { isPlaying, at } = store.view;
    if (!isPlaying) return;
    const next = at + ((time - last) * trace.ms) / speed.take(trace.ms);
    last = time;
    store.set({ at: next, isPlaying: next < trace.ms });
    requestAnimationFrame(tick);
  };
  const toggle = (): void => {
    const { isPlaying, at } = store.view;
    if (isPlaying) {
      store.set({ isPlaying: false });
      return;
    }
    store.set({ isPlaying: true, at: at >= trace.ms ? 0 : at });
    requestAnimationFrame((time) => {
      last = time;
      tick(time);
    });
  };
  const step = (by: 1 | -1): void => {
    const next = momentBeside(trace.moments, store.view.at, by);
    if (next !== undefined) store.set({ at: next, isPlaying: false });
  };

  store.listen((view, changed) => {
    if (changed.has('isPlaying')) {
      play.textContent = view.isPlaying ? '❚❚' : '▶';
      play.setAttribute('aria-label', view.isPlaying ? 'Pause' : 'Play');
    }
    if (!changed.has('at')) return;
    const text = clockTime(view.at);
    if (Number(slider.value) !== view.at) slider.value = String(view.at);
    slider.setAttribute('aria-valuetext', `${text} of ${clockTime(trace.ms)}`);
    now.textContent = `${text} / ${clockTime(trace.ms)}`;
  });
  const parts = [play, stepButton('‹', 'Back to the moment before', () => step(-1)), slider];
  parts.push(
    stepButton('›', 'On to the next moment', () => step(1)),
    now,
    pace,
  );
  const element = el('div', { class: 'transport', role: 'group', 'aria-label': 'Time' }, ...parts);
  return { element, toggle, step, leap: (part) => store.set({ at: part * trace.ms, isPlaying: false }) };
}

const stepButton = (text: string, name: string, act: () => void): HTMLElement =>
  el('button', { type: 'button', class: 'quiet', 'aria-label': name, onclick: act }, text);

/** Slider positions are not exact, so a moment within a thousandth of a millisecond counts as the current one. */
const momentBeside = (moments: readonly number[], at: number, by: 1 | -1): number | undefined =>
  by > 0 ? moments.find((moment) => moment > at + 0.001) : moments.findLast((moment) => moment < at - 0.001);
