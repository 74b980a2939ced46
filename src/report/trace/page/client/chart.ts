import { stateWords } from '../../../verdicts.ts';
import type { Chart, ChartEdge, ChartState } from '../charts.ts';
import type { Actor } from '../model.ts';
import { stateAt, stepsUntil } from '../moment.ts';
import { toneOf } from '../tones.ts';
import { el, svg } from './dom.ts';

const cell = { width: 146, height: 58 } as const;
const box = { width: 116, height: 32 } as const;

/** Draws the picture of a machine, with the way that one actor took until a moment. */
export function chartPicture(chart: Chart, actor: Actor | null, at: number): HTMLElement {
  const columns = Math.max(...chart.states.map(({ column }) => column)) + 1;
  const rows = Math.max(...chart.states.map(({ row }) => row)) + 1;
  const places = new Map(chart.states.map((state) => [state.name, state]));
  const steps = actor ? stepsUntil(actor, at) : [];
  const current = actor ? stateAt(actor, at) : null;
  const visits = new Map<string, number[]>();
  if (actor)
    for (const [i, name] of [actor.initial, ...steps.map(({ to }) => to)].entries()) visits.set(name, [...(visits.get(name) ?? []), i + 1]);
  const taken = new Map<string, number>();
  for (const { from, to } of steps) taken.set(`${from} ${to}`, (taken.get(`${from} ${to}`) ?? 0) + 1);

  const picture = svg('svg', {
    class: 'chart',
    viewBox: `0 0 ${columns * cell.width} ${rows * cell.height}`,
    width: columns * cell.width,
    role: 'img',
    'aria-label': `${chart.title}: ${chart.states.length} states${current === null ? '' : `, now ${stateWords(current)}`}`,
  });
  picture.append(svg('defs', {}, tipOf(chart, 'edge'), tipOf(chart, 'taken')));
  // Arrows that were taken are drawn last, above the others.
  const drawn = chart.edges
    .filter((edge) => !edge.isCommon || taken.has(keyOf(edge)))
    .sort((a, b) => Number(taken.has(keyOf(a))) - Number(taken.has(keyOf(b))));
  for (const edge of drawn) {
    const [from, to] = [places.get(edge.from), places.get(edge.to)];
    if (!from || !to) continue;
    picture.append(arrowOf(edge, { way: wayOf(from, to, places), times: taken.get(keyOf(edge)) ?? 0, chart }));
  }
  for (const state of chart.states)
    picture.append(stateBox(state, { isCurrent: state.name === current, visits: visits.get(state.name) ?? [] }));
  return el('div', { class: 'chart-box' }, picture);
}

/** The tip of an arrow. */
const tipOf = ({ name }: Chart, kind: 'edge' | 'taken'): SVGElement =>
  svg(
    'marker',
    {
      id: `tip-${name}-${kind}`,
      class: kind,
      viewBox: '0 0 8 8',
      refX: 7,
      refY: 4,
      markerWidth: 9,
      markerHeight: 9,
      markerUnits: 'userSpaceOnUse',
      orient: 'auto-start-reverse',
    },
    svg('path', { d: 'M0 .6L7.4 4L0 7.4Z' }),
  );

function arrowOf(
  { from, to, by }: ChartEdge,
  { way, times, chart }: { readonly way: string; readonly times: number; readonly chart: Chart },
): SVGElement {
  const path = svg('path', {
    d: way,
    class: times > 0 ? 'edge taken' : 'edge',
    'marker-end': `url(#tip-${chart.name}-${times > 0 ? 'taken' : 'edge'})`,
  });
  const title = svg('title');
  title.textContent = `${stateWords(from)} to ${stateWords(to)}: ${by.join(', or ')}${times > 1 ? `, ${times} times` : ''}`;
  path.append(title);
  return path;
}

const keyOf = ({ from, to }: ChartEdge): string => `${from} ${to}`;

function stateBox(
  state: ChartState,
  { isCurrent, visits }: { readonly isCurrent: boolean; readonly visits: readonly number[] },
): SVGElement {
  const { x, y } = middleOf(state);
  const text = svg('text', { x, y: y + 4, 'text-anchor': 'middle', class: state.name.length > 17 ? 'long' : '' });
  text.textContent = stateWords(state.name);
  const shape = { x: x - box.width / 2, y: y - box.height / 2, width: box.width, height: box.height, rx: state.isFinal ? 16 : 7 };
  const group = svg(
    'g',
    { class: ['state', `tone-${toneOf(state.name)}`, isCurrent ? 'current' : '', visits.length > 0 ? 'visited' : ''].join(' ') },
    svg('rect', shape),
    state.isFinal &&
      svg('rect', { ...shape, x: shape.x + 3, y: shape.y + 3, width: shape.width - 6, height: shape.height - 6, rx: 13, class: 'inner' }),
    text,
  );
  if (visits.length > 0) {
    const order = svg('text', { x: x + box.width / 2 - 3, y: y - box.height / 2 + 4, 'text-anchor': 'end', class: 'order' });
    order.textContent = visits.length > 3 ? `${visits.slice(0, 2).join(' ')} … ${visits.at(-1)}` : visits.join(' ');
    group.append(order);
  }
  return group;
}

const middleOf = ({ column, row }: ChartState): { x: number; y: number } => ({
  x: (column + 0.5) * cell.width,
  y: (row + 0.5) * cell.height,
});

/** A curve from one state to another that passes beside the states between them. */
function wayOf(from: ChartState, to: ChartState, places: ReadonlyMap<string, ChartState>): string {
  const [a, b] = [middleOf(from), middleOf(to)];
  const [dc, dr] = [to.column - from.column, to.row - from.row];
  const [w, h] = [box.width / 2, box.height / 2];
  if (dr === 0 && Math.abs(dc) === 1) {
    // The shift keeps two arrows between neighbours apart.
    const [side, shift] = dc > 0 ? [w, -5] : [-w, 5];
    return `M${a.x + side} ${a.y + shift}L${b.x - side} ${b.y + shift}`;
  }
  if (dr === 0) return `M${a.x} ${a.y - h}C${a.x} ${a.y - h - 22} ${b.x} ${b.y - h - 22} ${b.x} ${b.y - h}`;
  if (dc === 0) {
    const isFree = ![...places.values()].some(
      ({ column, row }) => column === from.column && row > Math.min(from.row, to.row) && row < Math.max(from.row, to.row),
    );
    if (isFree && dr > 0) return `M${a.x - 6} ${a.y + h}L${b.x - 6} ${b.y - h}`;
    if (isFree) return `M${a.x + 6} ${a.y - h}L${b.x + 6} ${b.y + h}`;
    // A longer arrow passes further out and begins lower, so that several arrows lie side by side.
    const side = dr > 0 ? 1 : -1;
    const out = a.x + side * (w + 1.33 * Math.min(24, 4 + 4 * Math.abs(dr)));
    const shift = Math.min(9, 2 * Math.abs(dr)) * side;
    return `M${a.x + side * w} ${a.y + shift}C${out} ${a.y + dr * 12} ${out} ${b.y - dr * 12} ${b.x + side * w} ${b.y - shift}`;
  }
  if (Math.abs(dr) === 1) {
    const [top, bottom] = dr > 0 ? [h, -h] : [-h, h];
    const [start, end] = [a.x + Math.sign(dc) * w * 0.45, b.x - Math.sign(dc) * w * 0.45];
    return `M${start} ${a.y + top}C${start} ${a.y + top * 2.1} ${end} ${b.y + bottom * 2.1} ${end} ${b.y + bottom}`;
  }
  const side = Math.sign(dc) * w;
  const turn = a.x + side + Math.sign(dc) * (cell.width - box.width) * 0.5;
  const end = dr > 0 ? -h : h;
  return Math.abs(dc) === 1
    ? `M${a.x + side} ${a.y}C${turn + 6 * Math.sign(dc)} ${a.y} ${turn} ${b.y} ${b.x - side} ${b.y}`
    : `M${a.x + side} ${a.y}C${b.x} ${a.y} ${b.x} ${a.y} ${b.x} ${b.y + end}`;
}
