export const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Colours of both schemes: a code host shows an SVG as an image, whose style follows the reader's scheme. */
const style = `text{font:13px ui-monospace,Menlo,Consolas,monospace;fill:#1f2328;white-space:pre}.page{fill:#f6f8fa;stroke:#d1d9e0}
.add{fill:#1a7f37}.change,.warn{fill:#9a6700}.remove,.bad{fill:#cf222e}.quiet{fill:#59636e}.strong{font-weight:600}
.idle{fill:#d1d9e0}.look{fill:#54aeff}.write{fill:#bf8700}.wait{fill:#c297ff}.record{fill:#4ac26b}.rule{stroke:#d1d9e0}
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.page{fill:#161b22;stroke:#30363d}.add{fill:#3fb950}.change,.warn{fill:#d29922}
.remove,.bad{fill:#f85149}.quiet{fill:#9198a1}.idle{fill:#3d444d}.look{fill:#388bfd}.write{fill:#d29922}.wait{fill:#986ee2}.record{fill:#2ea043}.rule{stroke:#30363d}}`;

/** A picture that holds everything it needs. `title` is what a reader hears who does not see it. */
export const svg = (width: number, height: number, title: string, parts: readonly string[]): string =>
  `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">`,
    `<style>${style}</style>`,
    `<rect class="page" x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="6"/>`,
    ...parts,
    '</svg>',
  ].join('\n')}\n`;
