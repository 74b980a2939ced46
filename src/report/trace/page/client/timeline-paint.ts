import { clockTime, ticks } from '../times.ts';
import { fitCanvas } from './dom.ts';
import { palette } from './palette.ts';
import type { View } from './store.ts';
import { drawRow, rowHeight, type Scale } from './timeline-draw.ts';
import { type InSight, isChosen } from './timeline-heads.ts';

/** The visible part of the timeline: a span of time, beside the heads of the rows. */
export interface Stage extends InSight {
  readonly from: number;
  readonly to: number;
  readonly width: number;
  readonly height: number;
  /** The scroll offset of the list. */
  readonly top: number;
  readonly headWidth: number;
}

export function scaleOf({ from, to, width, headWidth }: Stage): Scale {
  const room = Math.max(10, width - headWidth - 70);
  return { x: (at) => headWidth + 8 + ((at - from) / (to - from)) * room, width };
}

export function timeAt(x: number, stage: Stage): number {
  const { x: place } = scaleOf(stage);
  const unit = place(stage.to) - place(stage.from);
  return stage.from + ((x - place(stage.from)) / unit) * (stage.to - stage.from);
}

/** Draws the bars of the rows in sight, above the lines of the axis and below the mark of the moment. */
export function paintBars(canvas: HTMLCanvasElement, stage: Stage, now: View): void {
  const { order, first, last, top, width, height, headWidth } = stage;
  const colours = palette();
  const context = fitCanvas(canvas, width, height);
  const place = scaleOf(stage);
  context.font = '11px system-ui, sans-serif';
  context.textBaseline = 'middle';
  const chosen = order.findIndex((row) => isChosen(row, now));
  context.fillStyle = colours.fill.idle;
  if (chosen >= first && chosen < last) context.fillRect(0, chosen * rowHeight - top, width, rowHeight);
  context.save();
  context.beginPath();
  context.rect(headWidth, 0, width - headWidth, height);
  context.clip();
  context.strokeStyle = colours.colour.faint;
  context.lineWidth = 1;
  context.beginPath();
  for (const { at } of ticks(stage.from, stage.to, width / 90)) {
    context.moveTo(Math.round(place.x(at)) + 0.5, 0);
    context.lineTo(Math.round(place.x(at)) + 0.5, height);
  }
  context.stroke();
  for (let i = first; i < last; i += 1) {
    const row = order[i];
    if (row) drawRow(context, row, i * rowHeight - top, place, now.at, colours);
  }
  context.fillStyle = colours.colour.accent;
  context.fillRect(place.x(now.at) - 0.75, 0, 1.5, height);
  context.restore();
}

/** Draws the times along the top, and the moment as a label above them. */
export function paintAxis(canvas: HTMLCanvasElement, stage: Stage, now: View): void {
  const { width, headWidth } = stage;
  const colours = palette();
  const place = scaleOf(stage);
  const context = fitCanvas(canvas, width, 24);
  context.font = '11px system-ui, sans-serif';
  context.textBaseline = 'middle';
  context.textAlign = 'center';
  const here = place.x(now.at);
  const text = clockTime(now.at);
  const wide = context.measureText(text).width + 14;
  context.fillStyle = colours.colour.muted;
  for (const tick of ticks(stage.from, stage.to, width / 90)) {
    const x = place.x(tick.at);
    if (x > headWidth && Math.abs(x - here) > wide / 2 + 18) context.fillText(tick.text, x, 12);
  }
  if (here < headWidth || here > width) return;
  const middle = Math.min(here, width - wide / 2 - 2);
  context.fillStyle = colours.colour.accent;
  context.beginPath();
  context.roundRect(middle - wide / 2, 3, wide, 18, 4);
  context.fill();
  context.fillStyle = colours.colour.onfill;
  context.fillText(text, middle, 12.5);
}
