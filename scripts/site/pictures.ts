import { renderMermaidSVG } from 'beautiful-mermaid';

export interface Picture {
  /** Its file name without the ending; the dark one ends in `-dark`. */
  readonly name: string;
  readonly light: string;
  readonly dark: string;
}

/** A Mermaid diagram as two pictures that need neither a script nor a network. */
export const pictureOf = (name: string, diagram: string): Picture => ({
  name,
  light: drawn(diagram, { bg: '#ffffff', fg: '#27272a' }),
  dark: drawn(diagram, { bg: '#1b1b1f', fg: '#e4e4e7' }),
});

const drawn = (diagram: string, colours: { readonly bg: string; readonly fg: string }): string =>
  renderMermaidSVG(diagram, { ...colours, font: 'system-ui', layerSpacing: 32, nodeSpacing: 20 })
    // The library asks a font service for the font.
    .replace(/^\s*@import .*$/gm, '');
