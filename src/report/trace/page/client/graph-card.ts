import { stateWords, verdictSigns } from '../../../verdicts.ts';
import { cutMiddle } from '../../../width.ts';
import { wordsOf } from '../filter.ts';
import { type Camera, type Card, card, type Graph, isOf, nameOn } from '../graph-model.ts';
import type { RunTrace } from '../model.ts';
import { isRestored, stateAt, verdictAt } from '../moment.ts';
import { outlineOf, outlines } from '../shapes.ts';
import { isEnd, type Tone, toneOf } from '../tones.ts';
import type { Palette } from './palette.ts';
import { endMarks, glyphOf } from './signs.ts';
import type { View } from './store.ts';
import { shortName } from './timeline-rows.ts';

export interface Scene {
  readonly trace: RunTrace;
  readonly graph: Graph;
  readonly camera: Camera;
  readonly view: View;
  readonly colours: Palette;
  readonly size: { readonly width: number; readonly height: number };
}

const paths = new Map(Object.entries(outlines).map(([name, d]) => [name, new Path2D(d)]));

/** Draws a card: its sign, and as much of its name and state as a person can read at this scale. */
export function drawCard(context: CanvasRenderingContext2D, one: Card, scene: Scene): void {
  const { trace, view, camera, colours } = scene;
  const line = one.kind === 'line' ? trace.lines[one.index] : undefined;
  const actor = line ?? trace.parents[one.index];
  if (!actor) return;
  const state = stateAt(actor, view.at);
  const tone = toneOf(state);
  const verdict = line ? (verdictAt(line, view.at)?.verdict ?? null) : null;
  const restored = line ? isRestored(line) : false;
  const named = nameOn(camera.scale);
  const isNear = named?.hasState === true;
  const { x, y } = one;

  drawFrame(context, one, tone, scene);
  sign(
    context,
    line ? outlineOf(verdict, restored) : 'lock',
    line ? glyphOf(verdict, restored) : '',
    { x: x + (named ? named.left / 2 + 1 : card.width / 2), y: y + card.height / 2, radius: named ? 10 : 15 },
    { fill: isNear ? colours.fill[tone] : colours.colour.surface, ink: colours.ink[tone] },
  );
  if (!named) return;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  context.fillStyle = colours.colour.text;
  context.font = `600 ${named.size}px system-ui, sans-serif`;
  context.fillText(cutMiddle(shortName(actor.name), named.letters), x + named.left, y + (isNear ? 15 : card.height / 2), named.width);
  if (!isNear) return;
  if (isEnd(state)) mark(context, endMarks[tone], x + card.width - 14, y + 14, colours.ink[tone]);
  context.fillStyle = colours.colour.muted;
  context.font = '11.5px system-ui, sans-serif';
  const word = line ? (verdict === null ? (restored ? 'restored' : '') : verdictSigns[verdict].word) : 'shared';
  context.fillText(wordsOf(word, stateWords(state)), x + named.left, y + 30);
}

/** Draws the card itself. From far away its area shows the state. A chosen card has a broad edge. */
function drawFrame(context: CanvasRenderingContext2D, one: Card, tone: Tone, { view, camera, colours }: Scene): void {
  const { x, y } = one;
  const isFar = nameOn(camera.scale)?.hasState !== true;
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
  if (!isOf(one, view.chosen)) return;
  context.beginPath();
  context.roundRect(x - 3, y - 3, card.width + 6, card.height + 6, 10);
  context.lineWidth = isFar ? 8 : 2.5;
  context.strokeStyle = colours.colour.accent;
  context.stroke();
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
