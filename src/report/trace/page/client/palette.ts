import type { Tone } from '../tones.ts';

const names = ['page', 'surface', 'line', 'faint', 'text', 'muted', 'accent', 'onfill'] as const;
const tones: readonly Tone[] = ['idle', 'look', 'write', 'wait', 'record', 'good', 'bad', 'open'];

export interface Palette {
  readonly colour: { readonly [name in (typeof names)[number]]: string };
  /** Soft areas. */
  readonly fill: { readonly [tone in Tone]: string };
  /** Edges, signs and text on the page. */
  readonly ink: { readonly [tone in Tone]: string };
}

/** Reads the colours of the style sheet for a canvas, in the scheme that is shown now. */
export function readPalette(): Palette {
  const probe = document.createElement('span');
  probe.hidden = true;
  document.body.append(probe);
  const read = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const all = <K extends string>(keys: readonly K[], prefix: string): { readonly [key in K]: string } =>
    Object.fromEntries(keys.map((key) => [key, read(prefix + key)])) as { readonly [key in K]: string };
  const palette = { colour: all(names, ''), fill: all(tones, 'fill-'), ink: all(tones, 'ink-') };
  probe.remove();
  return palette;
}

let current: Palette | null = null;
export const palette = (): Palette => (current ??= readPalette());
export const forgetPalette = (): void => {
  current = null;
};
