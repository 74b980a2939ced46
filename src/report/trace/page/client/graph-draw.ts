import { type Arrow, type Card, card, isOf } from '../graph-model.ts';
import { stateAt } from '../moment.ts';
import { toneOf } from '../tones.ts';
import { drawCard, type Scene } from './graph-card.ts';
import type { View } from './store.ts';

/** Draws the cards in sight. From far away a card is an area with a sign: nobody could read a thousand tiny texts. */
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

/** Below this scale a sign is a dot or two, so only the tone of a line is visible. */
const tiny = 0.2;

/** Draws all cards of a tone at once. Chosen and failed cards also stand out by their edges. */
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
      // A long arrow runs between two rows. Behind cards it would look as if it connected them.
      const row = y1 + ((y2 > y1 ? 1 : -1) * (card.height + card.gapY)) / 2;
      context.bezierCurveTo(x1 + bend / 2, y1, x1 + bend / 2, row, x1 + bend, row);
      context.lineTo(x2 - bend * 1.1, row);
      context.bezierCurveTo(x2 - bend / 2, row, x2 - bend, y2, x2, y2);
    } else context.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
  };
  const stroke = (arrows: readonly Arrow[], dash: readonly number[]): void => {
    // A thousand dashed curves take longer to draw than everything else, so far-away arrows have no dashes.
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
