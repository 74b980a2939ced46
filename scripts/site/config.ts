import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../tasks.ts';
import { base } from './places.ts';
import type { Sidebars } from './sidebar.ts';

/** Allows nothing from another origin, and only pictures from `data:`. VitePress needs inline scripts in its pages. */
const policy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'";

/** Colours of code with high contrast, for people with weak eyes. */
const theme = { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' };

/** Writes VitePress's configuration. A dead link fails the build, because no option here allows dead links. */
export function configText(sidebar: Sidebars): string {
  const config = {
    title: 'pilotfish',
    description: 'Keeps the state that ships beside a release.',
    lang: 'en',
    base,
    outDir: '../html',
    cacheDir: '../cache',
    head: [
      ['meta', { 'http-equiv': 'Content-Security-Policy', content: policy }],
      // Without this link every browser requests an icon.
      ['link', { rel: 'icon', href: 'data:,' }],
    ],
    themeConfig: {
      nav: [
        { text: 'Quick start', link: '/guide/quick-start' },
        { text: 'Documentation', link: '/documentation' },
        { text: 'Providers', link: '/recipes/' },
      ],
      sidebar,
      search: { provider: 'local' },
      outline: [2, 3],
      docFooter: { prev: false, next: false },
    },
  };
  // The anchors follow those of code hosts, so the same links work in both places.
  const source = (path: string): string => JSON.stringify(pathToFileURL(join(root, path)).pathname);
  const markdown = `{ anchor: { slugify: slugOf }, config: literalBraces, theme: ${JSON.stringify(theme)} }`;
  return `import { slugOf } from ${source('scripts/docs/slugs.ts')};
import { literalBraces } from ${source('scripts/site/literal-braces.ts')};
export default { ...${JSON.stringify(config, null, 2)}, markdown: ${markdown} };
`;
}

/** The theme with the fonts of the system. */
export const themeText = `import Theme from 'vitepress/theme-without-fonts';\nimport './style.css';\nexport default Theme;\n`;

export const styleText = `:root {
  --vp-font-family-base: system-ui, sans-serif;
  --vp-font-family-mono: ui-monospace, monospace;
  --vp-code-lang-color: var(--vp-c-text-2);
  --vp-code-copy-code-active-text: var(--vp-c-text-1);
}
/* The name of a button must contain its visible text, and the name of this one is "Search". */
.DocSearch-Button-Keys { display: none !important; }
.picture { overflow-x: auto; }
.picture img { max-width: 1000px; }
.picture img.dark, .dark .picture img.light { display: none; }
.dark .picture img.dark { display: inline; }
.vp-doc table { display: block; overflow-x: auto; }
`;
