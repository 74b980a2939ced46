import { layered } from './layout.ts';
import type { RunTrace } from './model.ts';

export const card = { width: 186, height: 42, gapX: 74, gapY: 12 } as const;

/** The line or shared object that a person chose. */
export type Chosen = Pick<Card, 'kind' | 'index'> | null;

/** A line, or an object that lines share, at its place. */
export interface Card {
  readonly kind: 'line' | 'parent';
  readonly index: number;
  readonly x: number;
  readonly y: number;
}

export interface Arrow {
  readonly from: number;
  readonly to: number;
  /** The arrow leads to an object that lines share. */
  readonly isShared: boolean;
}

export interface Graph {
  readonly cards: readonly Card[];
  readonly arrows: readonly Arrow[];
  readonly width: number;
  readonly height: number;
}

/** Places the lines in their order from left to right. A shared object stands after the lines that share it. */
export function graphOf(trace: RunTrace): Graph {
  const { lines, parents } = trace;
  const lineId = (index: number): string => `line ${index}`;
  const layout = layered([
    ...lines.map(({ index, after }) => ({ id: lineId(index), after: after.map(lineId) })),
    ...parents.map(({ index, lines: entries }) => ({ id: `parent ${index}`, after: entries.map(lineId) })),
  ]);
  const at = (i: number): { x: number; y: number } => {
    const { column, row } = layout.places[i] ?? { column: 0, row: 0 };
    return { x: column * (card.width + card.gapX), y: row * (card.height + card.gapY) };
  };
  return {
    cards: [
      ...lines.map(({ index }): Card => ({ kind: 'line', index, ...at(index) })),
      ...parents.map(({ index }): Card => ({ kind: 'parent', index, ...at(lines.length + index) })),
    ],
    arrows: [
      ...lines.flatMap(({ index, after }) => after.map((producer): Arrow => ({ from: producer, to: index, isShared: false }))),
      ...parents.flatMap((parent) => parent.lines.map((from): Arrow => ({ from, to: lines.length + parent.index, isShared: true }))),
    ],
    width: layout.columns * (card.width + card.gapX) - card.gapX,
    height: layout.rows * (card.height + card.gapY) - card.gapY,
  };
}

export const isOf = ({ kind, index }: Card, chosen: Chosen): boolean => chosen?.kind === kind && chosen.index === index;

/** Finds the next card in a direction: along an arrow to the left or right, within the column up or down. */
export function nextCard({ cards, arrows }: Graph, from: number, direction: 'left' | 'right' | 'up' | 'down'): number | null {
  const here = cards[from];
  if (!here) return cards.length > 0 ? 0 : null;
  const connected =
    direction === 'right'
      ? arrows.filter((arrow) => arrow.from === from).map((arrow) => arrow.to)
      : direction === 'left'
        ? arrows.filter((arrow) => arrow.to === from).map((arrow) => arrow.from)
        : cards.flatMap((other, i) => (other.x === here.x && (direction === 'up' ? other.y < here.y : other.y > here.y) ? [i] : []));
  const distance = (i: number): number => Math.abs((cards[i]?.y ?? 0) - here.y);
  return connected.reduce<number | null>((nearest, i) => (nearest === null || distance(i) < distance(nearest) ? i : nearest), null);
}

/** The view of the picture: its scale, and its corner on the canvas. */
export interface Camera {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

/** Shows the whole picture in the middle. If it is larger than the canvas at scale `least`, it begins at the left or upper edge. */
export function cameraOn(picture: Pick<Graph, 'width' | 'height'>, canvas: Pick<Graph, 'width' | 'height'>, least: number): Camera {
  const { width, height } = picture;
  const scale = Math.max(least, Math.min(1.1, (canvas.width - 40) / Math.max(1, width), (canvas.height - 32) / Math.max(1, height)));
  const corner = (room: number, taken: number, edge: number): number => (taken > room ? edge : (room - taken) / 2);
  return { scale, x: corner(canvas.width, width * scale, 20), y: corner(canvas.height, height * scale, 16) };
}

/** The first view of a run with few lines shows all names. More lines leave no room for names, so a person zooms in. */
export const leastScale = ({ cards }: Graph): number => (cards.length <= mostNamed ? farthestName : farthest);
const mostNamed = 100;
const farthestName = 0.26;
export const farthest = 0.02;

export interface Name {
  /** The font size, start and room of the name, in units of the card. */
  readonly size: number;
  readonly left: number;
  readonly width: number;
  /** The number of letters that fit. */
  readonly letters: number;
  /** The state fits below the name. */
  readonly hasState: boolean;
}

/** The name on a card at a scale. From far away the name is shorter and larger than its card's scale. `null` if nobody could read it. */
export function nameOn(scale: number): Name | null {
  if (scale < farthestName) return null;
  const hasState = scale >= 0.7;
  const size = hasState ? 12.5 : Math.min(10, card.height * scale * 0.8) / scale;
  const left = hasState ? 40 : 28;
  const width = card.width - left - (hasState ? 26 : 6);
  return { size, left, width, letters: Math.floor(width / (size * letterWidth)), hasState };
}

/** The mean width of a letter as a part of the font size, in names of small letters, digits and dashes. */
const letterWidth = 0.54;
