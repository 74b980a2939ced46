import { stateWords, verdictSigns } from '../../../verdicts.ts';
import { wordsOf } from '../filter.ts';
import type { RunTrace } from '../model.ts';
import { isRestored, stateAt, verdictAt } from '../moment.ts';
import { outlineOf, outlines } from '../shapes.ts';
import { isEnd, toneOf } from '../tones.ts';
import { cutText } from './dom.ts';
import { type Arrow, type Card, card, type Graph, isOf } from './graph-model.ts';
import type { Palette } from './palette.ts';
import { endMarks, glyphOf } from './signs.ts';
import type { View } from './store.ts';
import { shortName } from './timeline-draw.ts';

/** Where the picture stands: its scale, and the place of its corner on the canvas. */
export interface Camera {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export interface Scene {
  readonly trace: RunTrace;
  readonly graph: Graph;
  readonly camera: Camera;
  readonly view: View;
  readonly colours: Palette;
  readonly size: { readonly width: number; readonly height: number };
}

const paths = new Map(Object.entries(outlines).map(([name, d]) => [name, new Path2D(d)]));
const names = new Map<string, string>();

/** Draws what is in sight. From far away cards are areas with their sign: a thousand texts nobody can read are not drawn. */
export function drawGraph(context: CanvasRenderingContext2D, scene: Scene): void {
  const { graph, camera, view, size } = scene;
  const isInSight = ({ x, y }: Card): boolean =>
    x * camera.scale + camera.x < size.width &&
    (x + card.width) * camera.scale + camera.x > 0 &&
    y * camera.scale + camera.y < size.height &&
    (y + card.height) * camera.scale + camera.y > 0;
  const shown = new Set(view.shown);
  const isLoud = ({ kind, index }: Card): boolean => kind === 'parent' || shown.has(index);
  context.save();
  context.translate(camera.x, camera.y);
  context.scale(camera.scale, camera.scale);
  drawArrows(context, scene, isLoud);
  const inSight = graph.cards.filter(isInSight);
  for (const [alpha, cards] of [
    [0.16, inSight.filter((one) => !isLoud(one))],
    [1, inSight.filter(isLoud)],
  ] as const) {
    context.globalAlpha = alpha;
    if (camera.scale < tiny) drawAreas(context, cards, scene);
    else for (const one of cards) drawCard(context, one, scene);
  }
  context.restore();
}

/** Below this a sign is a dot or two: only what a line is about can be told. */
const tiny = 0.2;

/** All cards of a tone in one go. What is chosen and what went wrong stand out by their edges, too. */
function drawAreas(context: CanvasRenderingContext2D, cards: readonly Card[], { trace, view, colours, camera }: Scene): void {
  const byTone = Map.groupBy(cards, ({ kind, index }) => {
    const actor = kind === 'line' ? trace.lines[index] : trace.parents[index];
    return actor ? toneOf(stateAt(actor, view.at)) : 'idle';
  });
  for (const [tone, all] of byTone) {
    context.beginPath();
    for (const { x, y } of all) context.rect(x, y, card.width, card.height);
    context.fillStyle = colours.fill[tone];
    context.fill();
    context.lineWidth = (tone === 'bad' ? 1.8 : 0.8) / camera.scale;
    context.strokeStyle = colours.ink[tone];
    context.stroke();
    if (tone !== 'bad') continue;
    context.beginPath();
    for (const { x, y } of all) {
      context.moveTo(x, y);
      context.lineTo(x + card.width, y + card.height);
    }
    context.lineWidth = 0.8 / camera.scale;
    context.stroke();
  }
  const chosen = cards.find((one) => isOf(one, view.chosen));
  if (!chosen) return;
  context.lineWidth = 3 / camera.scale;
  context.strokeStyle = colours.colour.accent;
  context.strokeRect(
    chosen.x - 2 / camera.scale,
    chosen.y - 2 / camera.scale,
    card.width + 4 / camera.scale,
    card.height + 4 / camera.scale,
  );
}

function drawArrows(context: CanvasRenderingContext2D, { graph, view, colours, camera }: Scene, isLoud: (one: Card) => boolean): void {
  const touches = ({ from, to }: Arrow): boolean => [from, to].some((i) => isTouched(graph.cards[i], view));
  const trace = (arrow: Arrow): void => {
    const [from, to] = [graph.cards[arrow.from], graph.cards[arrow.to]];
    if (!from || !to) return;
    const [x1, y1, x2, y2] = [from.x + card.width, from.y + card.height / 2, to.x, to.y + card.height / 2];
    const bend = card.gapX * 0.6;
    context.moveTo(x1, y1);
    if (x2 - x1 > card.gapX * 1.5) {
      // A long one runs between two rows: behind cards it would look like a chain of them.
      const row = y1 + ((y2 > y1 ? 1 : -1) * (card.height + card.gapY)) / 2;
      context.bezierCurveTo(x1 + bend / 2, y1, x1 + bend / 2, row, x1 + bend, row);
      context.lineTo(x2 - bend * 1.1, row);
      context.bezierCurveTo(x2 - bend / 2, row, x2 - bend, y2, x2, y2);
    } else context.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
  };
  const stroke = (arrows: readonly Arrow[], dash: readonly number[]): void => {
    // A thousand dashed curves take longer than all the rest.
    context.setLineDash(camera.scale < tiny ? [] : dash.map((n) => n / camera.scale));
    context.beginPath();
    for (const arrow of arrows) trace(arrow);
    context.stroke();
  };
  const loud = graph.arrows.filter(({ from, to }) => [from, to].every((i) => graph.cards[i] === undefined || isLoud(graph.cards[i])));
  const [near, far] = [loud.filter(touches), loud.filter((arrow) => !touches(arrow))];
  context.lineWidth = 1.2 / Math.max(camera.scale, 0.35);
  context.strokeStyle = colours.colour.line;
  context.globalAlpha = graph.arrows.length > 400 && camera.scale < 0.4 ? 0.45 : 0.9;
  stroke(
    far.filter(({ isShared }) => !isShared),
    [],
  );
  stroke(
    far.filter(({ isShared }) => isShared),
    [5, 4],
  );
  context.globalAlpha = 1;
  context.lineWidth *= 1.5;
  context.strokeStyle = colours.colour.accent;
  stroke(
    near.filter(({ isShared }) => !isShared),
    [],
  );
  stroke(
    near.filter(({ isShared }) => isShared),
    [5, 4],
  );
  context.setLineDash([]);
  if (camera.scale < 0.3) return;
  for (const [arrows, colour] of [
    [far, colours.colour.muted],
    [near, colours.colour.accent],
  ] as const) {
    context.fillStyle = colour;
    context.beginPath();
    for (const { to } of arrows) head(context, graph.cards[to]);
    context.fill();
  }
}

const isTouched = (one: Card | undefined, { chosen }: View): boolean => one !== undefined && chosen !== null && isOf(one, chosen);

function head(context: CanvasRenderingContext2D, to: Card | undefined): void {
  if (!to) return;
  const y = to.y + card.height / 2;
  context.moveTo(to.x, y);
  context.lineTo(to.x - 7, y - 3.5);
  context.lineTo(to.x - 7, y + 3.5);
}

function drawCard(context: CanvasRenderingContext2D, one: Card, { trace, view, camera, colours }: Scene): void {
  const line = one.kind === 'line' ? trace.lines[one.index] : undefined;
  const actor = line ?? trace.parents[one.index];
  if (!actor) return;
  const state = stateAt(actor, view.at);
  const tone = toneOf(state);
  const verdict = line ? (verdictAt(line, view.at)?.verdict ?? null) : null;
  const restored = line ? isRestored(line) : false;
  const isFar = camera.scale < 0.42;
  const { x, y } = one;

  context.beginPath();
  context.roundRect(x, y, card.width, card.height, 8);
  context.fillStyle = isFar ? colours.fill[tone] : colours.colour.surface;
  context.fill();
  context.lineWidth = isFar ? 2 : 1;
  context.strokeStyle = tone === 'idle' ? colours.colour.line : colours.ink[tone];
  if (tone === 'idle') context.setLineDash([4, 3]);
  context.stroke();
  context.setLineDash([]);
  if (tone === 'bad') {
    context.beginPath();
    context.roundRect(x + 2.5, y + 2.5, card.width - 5, card.height - 5, 6);
    context.stroke();
  }
  if (isOf(one, view.chosen)) {
    context.beginPath();
    context.roundRect(x - 3, y - 3, card.width + 6, card.height + 6, 10);
    context.lineWidth = isFar ? 8 : 2.5;
    context.strokeStyle = colours.colour.accent;
    context.stroke();
  }
  const radius = isFar ? 15 : 10;
  const middle = isFar ? x + card.width / 2 : x + 22;
  sign(
    context,
    line ? outlineOf(verdict, restored) : 'lock',
    line ? glyphOf(verdict, restored) : '',
    { x: middle, y: y + card.height / 2, radius },
    {
      fill: isFar ? colours.colour.surface : colours.fill[tone],
      ink: colours.ink[tone],
    },
  );
  if (isFar) return;
  if (!isFar && isEnd(state)) mark(context, endMarks[tone], x + card.width - 14, y + 14, colours.ink[tone]);
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  context.fillStyle = colours.colour.text;
  context.font = '600 12.5px system-ui, sans-serif';
  context.fillText(name(context, shortName(actor.name)), x + 40, y + 15);
  context.fillStyle = colours.colour.muted;
  context.font = '11.5px system-ui, sans-serif';
  const word = line ? (verdict === null ? (restored ? 'restored' : '') : verdictSigns[verdict].word) : 'shared';
  context.fillText(wordsOf(word, stateWords(state)), x + 40, y + 30);
}

/** Cut once: measuring a thousand names in each frame takes longer than drawing them. */
function name(context: CanvasRenderingContext2D, text: string): string {
  const cut = names.get(text) ?? cutText(context, text, card.width - 66);
  names.set(text, cut);
  return cut;
}

interface SignPlace {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

function sign(
  context: CanvasRenderingContext2D,
  outline: string,
  glyph: string,
  at: SignPlace,
  colour: { readonly fill: string; readonly ink: string },
): void {
  const path = paths.get(outline);
  if (!path) return;
  context.save();
  context.translate(at.x, at.y);
  context.scale(at.radius, at.radius);
  context.fillStyle = outline === 'dot' || outline === 'lock' ? colour.ink : colour.fill;
  context.fill(path, 'evenodd');
  context.lineWidth = 1.5 / at.radius;
  context.strokeStyle = colour.ink;
  context.stroke(path);
  context.restore();
  if (outline === 'dot' || outline === 'lock') return;
  context.fillStyle = colour.ink;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.font = `700 ${at.radius * (glyph.length > 1 ? 0.85 : 1.3)}px ui-monospace, monospace`;
  context.fillText(glyph, at.x, at.y + at.radius * 0.06);
}

function mark(context: CanvasRenderingContext2D, d: string | undefined, x: number, y: number, ink: string): void {
  if (d === undefined) return;
  context.save();
  context.translate(x, y);
  context.scale(4.5, 4.5);
  context.lineWidth = 0.42;
  context.lineCap = 'round';
  context.strokeStyle = ink;
  context.stroke(new Path2D(d));
  context.restore();
}
