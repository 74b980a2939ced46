import { renderMermaidSVG } from 'beautiful-mermaid';

export interface Picture {
  /** The file name without the ending. The dark picture's name ends with `-dark`. */
  readonly name: string;
  readonly light: string;
  readonly dark: string;
}

/** Draws a Mermaid diagram as two pictures that need no script and no network. */
export const pictureOf = (name: string, diagram: string): Picture => ({
  name,
  light: drawn(diagram, { bg: '#ffffff', fg: '#27272a' }),
  dark: drawn(diagram, { bg: '#1b1b1f', fg: '#e4e4e7' }),
});

const drawn = (diagram: string, colours: { readonly bg: string; readonly fg: string }): string =>
  renderMermaidSVG(diagram, { ...colours, font: 'system-ui', layerSpacing: 32, nodeSpacing: 20 })
    // The library would load the font from a font service.
    .replace(/^\s*@import .*$/gm, '');
