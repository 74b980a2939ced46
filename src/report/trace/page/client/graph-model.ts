import { layered } from '../layout.ts';
import type { RunTrace } from '../model.ts';
import type { Chosen } from './store.ts';

export const card = { width: 186, height: 42, gapX: 74, gapY: 12 } as const;

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
  /** It leads to an object that lines share. */
  readonly isShared: boolean;
}

export interface Graph {
  readonly cards: readonly Card[];
  readonly arrows: readonly Arrow[];
  readonly width: number;
  readonly height: number;
}

/** Lines in the order of what they come after, from left to right; shared objects stand after the lines that are entries of theirs. */
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

/** The card next to one in a direction: along an arrow to the left and right, in the column up and down. */
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
