import type { Fact, FactReader } from '../../facts.ts';
import { linesOf, matchesOf, useOfSettings, withoutComments } from '../source.ts';

const configurations: readonly (readonly [site: string, file: RegExp])[] = [
  ['docusaurus', /(?:^|\/)docusaurus\.config\.[cm]?[jt]s$/],
  ['vitepress', /(?:^|\/)\.vitepress\/config(?:\/[\w-]+|\.[\w-]+)?\.[cm]?[jt]s$/],
];

/** A key with an object, and the provider that an object chooses: `algolia: {`, `search: { provider: 'algolia'`. */
const key = /(?<![\w$.])["']?([A-Za-z]\w{0,60})["']?\s*:\s*\{(?:\s*["']?provider["']?\s*:\s*["'`]([\w-]{1,60})["'`])?/g;

/**
 * Sites of documentation say in code which services their theme uses. The facts are `docusaurus.<key>`, and `vitepress.<key>.<provider>`
 * where a key has one.
 */
export const docsSites: FactReader = {
  name: 'configurations of documentation sites',
  endings: ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'],
  takes: (path) => (path.includes('docusaurus.') || path.includes('.vitepress/')) && configurations.some(([, file]) => file.test(path)),
  read: ({ path, text }) => {
    const [site] = configurations.find(([, file]) => file.test(path)) ?? [];
    const code = withoutComments(text, 'slashes');
    const lineOf = linesOf(code);
    const use = useOfSettings(path);
    const facts = new Map<string, Fact>();
    for (const match of matchesOf(code, key, 2_000)) {
      const [, own = '', provider] = match;
      const name = [site, own, ...(provider === undefined ? [] : [provider])].join('.');
      if (!facts.has(name)) facts.set(name, { kind: 'setting', name, file: path, line: lineOf(match.index), use });
    }
    return { facts: [...facts.values()] };
  },
};
