import type { Verdict } from '../../../../engine/document.ts';
import { verdictSigns } from '../../../verdicts.ts';
import { outlineOf, outlines } from '../shapes.ts';
import { type Tone, toneOf } from '../tones.ts';
import { svg } from './dom.ts';

/** The sign of a verdict as text. A line without a verdict has no sign. */
export const glyphOf = (verdict: Verdict | null, isRestored: boolean): string =>
  verdict === null ? (isRestored ? '=' : '·') : verdictSigns[verdict].glyph;

/** The marks for the ends of lines, as strokes within a square from -1 to 1. */
export const endMarks: { readonly [tone in Tone]?: string } = {
  good: 'M-.8 .05L-.2 .65L.85 -.6',
  bad: 'M-.65 -.65L.65 .65M.65 -.65L-.65 .65',
  open: 'M-.75 0H.75',
};

/** The outline and sign of a verdict as an element. */
export function verdictSign(verdict: Verdict | null, isRestored = false): SVGElement {
  const mark = svg('text', { y: 0.42, 'text-anchor': 'middle', 'font-size': glyphOf(verdict, isRestored).length > 1 ? 0.85 : 1.25 });
  mark.textContent = glyphOf(verdict, isRestored);
  return svg(
    'svg',
    { viewBox: '-1.3 -1.3 2.6 2.6', class: `sign ${verdict ?? 'none'}`, 'aria-hidden': 'true' },
    svg('path', { d: outlines[outlineOf(verdict, isRestored)] }),
    mark,
  );
}

/** A swatch of a tone with its texture or mark. */
export function toneSign(tone: Tone): SVGElement {
  const mark = endMarks[tone];
  const texture: { readonly [tone in Tone]?: string } = {
    write: 'M-1.2 1L-.2 -1M-.4 1L.6 -1M.4 1L1.4 -1',
    wait: 'M-.8 -1V1M0 -1V1M.8 -1V1',
    record: 'M-1.4 .6H1.4',
  };
  return svg(
    'svg',
    { viewBox: '-1.5 -1.1 3 2.2', class: `swatch tone-${tone}`, 'aria-hidden': 'true' },
    mark === undefined && svg('rect', { x: -1.4, y: -1, width: 2.8, height: 2, rx: 0.4 }),
    svg('path', { d: mark ?? texture[tone] ?? '' }),
  );
}

export const stateSign = (state: string): SVGElement => toneSign(toneOf(state));
