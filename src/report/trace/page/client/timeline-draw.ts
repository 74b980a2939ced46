import { stateWords } from '../../../verdicts.ts';
import type { Request } from '../model.ts';
import { isEnd, type Tone, toneOf } from '../tones.ts';
import { cutEnd } from './dom.ts';
import type { Palette } from './palette.ts';
import { endMarks } from './signs.ts';
import type { Row } from './timeline-rows.ts';

export const rowHeight = 30;
const barTop = 5;
const barHeight = 14;

export interface Scale {
  readonly x: (at: number) => number;
  readonly width: number;
}

/** Draws one row. Everything after `at` is faint. */
export function drawRow(context: CanvasRenderingContext2D, row: Row, y: number, { x, width }: Scale, at: number, colours: Palette): void {
  const bar = (from: number, to: number): { left: number; wide: number } | null => {
    const [left, right] = [Math.max(x(from), -4), Math.min(x(to), width + 4)];
    return right < 0 || left > width ? null : { left, wide: Math.max(right - left, 1.5) };
  };
  for (const { from, to, state, isOpen } of row.bars) {
    const tone = toneOf(state);
    const place = bar(from, to);
    if (place === null) continue;
    context.globalAlpha = from > at ? 0.28 : 1;
    if (isEnd(state)) drawEnd(context, place.left, y, tone, row, colours, width);
    else {
      drawBar(context, place, y, tone, colours);
      if (place.wide > 34) label(context, stateWords(state), place, y, colours);
      if (isOpen && row.isCut) drawCut(context, place.left + place.wide, y, colours);
    }
  }
  for (const { from, to, text } of row.spans) {
    const place = bar(from, to);
    if (place === null) continue;
    context.globalAlpha = from > at ? 0.28 : 1;
    drawBar(context, { ...place, wide: Math.max(place.wide, 4) }, y, row.key === 'run' ? 'wait' : 'record', colours);
    if (place.wide > 34) label(context, text, place, y, colours);
  }
  for (const request of row.requests) {
    const place = bar(request.from, request.to);
    if (place === null) continue;
    context.globalAlpha = request.from > at ? 0.28 : 1;
    drawRequest(context, request, place, y, colours);
  }
  for (const { at: when } of row.waits) {
    const left = x(when);
    if (left < 0 || left > width) continue;
    context.globalAlpha = when > at ? 0.28 : 1;
    context.fillStyle = colours.ink.wait;
    context.beginPath();
    context.moveTo(left - 4, y + 1);
    context.lineTo(left + 4, y + 1);
    context.lineTo(left, y + 6);
    context.fill();
  }
  context.globalAlpha = 1;
}

interface Place {
  readonly left: number;
  readonly wide: number;
}

function drawBar(context: CanvasRenderingContext2D, { left, wide }: Place, y: number, tone: Tone, colours: Palette): void {
  context.fillStyle = colours.fill[tone];
  context.fillRect(left, y + barTop, wide, barHeight);
  if (tone === 'idle') return;
  context.fillStyle = colours.ink[tone];
  context.fillRect(left, y + barTop, Math.min(2, wide), barHeight);
  if (wide < 8) return;
  context.save();
  context.beginPath();
  context.rect(left, y + barTop, wide, barHeight);
  context.clip();
  context.strokeStyle = colours.ink[tone];
  context.globalAlpha *= 0.3;
  context.lineWidth = 1;
  context.beginPath();
  // Textures say the same as colours. The texture of a wide bar begins at its start, so it stands still while the bar grows.
  if (tone === 'write')
    for (let at = left - barHeight; at < left + wide; at += 6) line(context, at, y + barTop + barHeight, at + barHeight, y + barTop);
  if (tone === 'wait') for (let at = left + 5; at < left + wide; at += 5) line(context, at, y + barTop, at, y + barTop + barHeight);
  if (tone === 'record') line(context, left, y + barTop + barHeight - 2.5, left + wide, y + barTop + barHeight - 2.5);
  context.stroke();
  context.restore();
}

function line(context: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
}

function label(context: CanvasRenderingContext2D, text: string, { left, wide }: Place, y: number, colours: Palette): void {
  const from = Math.max(left, 0) + 6;
  const room = left + wide - from - 4;
  if (room < 18) return;
  context.fillStyle = colours.colour.text;
  context.fillText(cutEnd(context, text, room), from, y + barTop + barHeight / 2 + 0.5);
}

function drawEnd(context: CanvasRenderingContext2D, left: number, y: number, tone: Tone, row: Row, colours: Palette, width: number): void {
  const mark = endMarks[tone];
  const state = row.bars.at(-1)?.state ?? '';
  if (mark === undefined) return;
  context.save();
  context.translate(left + 9, y + barTop + barHeight / 2);
  context.scale(5, 5);
  context.lineWidth = 0.38;
  context.lineCap = 'round';
  context.strokeStyle = colours.ink[tone];
  context.stroke(new Path2D(mark));
  context.restore();
  const text = row.isRestored ? 'settled by an earlier run' : stateWords(state);
  const wide = context.measureText(text).width;
  context.fillStyle = tone === 'good' ? colours.colour.muted : colours.ink[tone];
  // Without room behind the mark the word is left out, because the row's head has it too.
  if (left + 18 + wide < width) context.fillText(text, left + 18, y + barTop + barHeight / 2 + 0.5);
}

/** Draws a torn edge: the events ended before the state did. */
function drawCut(context: CanvasRenderingContext2D, right: number, y: number, colours: Palette): void {
  context.fillStyle = colours.ink.bad;
  context.beginPath();
  context.moveTo(right, y + barTop - 1);
  for (let i = 0; i <= 4; i += 1) context.lineTo(right - (i % 2 === 0 ? 0 : 4), y + barTop - 1 + (i * (barHeight + 2)) / 4);
  context.lineTo(right + 2, y + barTop + barHeight + 1);
  context.lineTo(right + 2, y + barTop - 1);
  context.fill();
}

/** Draws a request. A read is hollow, a write is full, a refused request is taller and crossed, and a retry has a notch. */
function drawRequest(context: CanvasRenderingContext2D, request: Request, { left, wide }: Place, y: number, colours: Palette): void {
  const ink = request.isBad ? colours.ink.bad : request.isWrite ? colours.ink.write : colours.ink.look;
  const top = y + barTop + barHeight + 2;
  context.strokeStyle = ink;
  context.fillStyle = ink;
  context.lineWidth = 1;
  if (request.isWrite) context.fillRect(left, top, Math.max(wide, 2), 4);
  else context.strokeRect(left + 0.5, top + 0.5, Math.max(wide - 1, 1), 3);
  if (request.attempt > 1) context.fillRect(left - 0.5, top - 1, 1.5, 6);
  if (!request.isBad) return;
  const right = left + Math.max(wide, 2);
  context.lineWidth = 1.6;
  context.beginPath();
  line(context, right - 2, top - 1, right + 4, top + 5);
  line(context, right - 2, top + 5, right + 4, top - 1);
  context.stroke();
}
