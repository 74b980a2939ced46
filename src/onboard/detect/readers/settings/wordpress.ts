import type { Fact, FactReader } from '../../facts.ts';
import { baseOf, linesOf, matchesOf, withoutComments } from '../source.ts';

/** Constants of WordPress: `wp-config.DB_HOST`. Their values are not looked at. */
export const wpConfig: FactReader = {
  name: 'wp-config.php',
  takes: (path) => /^wp-config(?:-sample)?\.php$/.test(baseOf(path)),
  endings: ['php'],
  read: ({ path, text }) => {
    const code = withoutComments(text, 'slashes');
    const lineOf = linesOf(code);
    const facts = [...matchesOf(code, /\bdefine\s*\(\s*["']([A-Z][A-Z0-9_]{0,60})["']/g, 500)].map(
      (match): Fact => ({ kind: 'setting', name: `wp-config.${match[1]}`, file: path, line: lineOf(match.index), use: 'runtime' }),
    );
    return { facts };
  },
};
