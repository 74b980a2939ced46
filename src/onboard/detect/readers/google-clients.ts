import type { Fact, FactReader } from '../facts.ts';
import { linesOf, matchesOf, useOfCode, withoutComments } from './source.ts';

/** `build("youtube", "v3")` of Python's client, `google.youtube({ version: 'v3' })` of JavaScript's. */
const forms = {
  hash: { mark: /googleapiclient/, client: /\bbuild\(\s*(?:serviceName\s*=\s*)?["']([a-z]{3,40})["']\s*,\s*(?:version\s*=\s*)?["']v\d/g },
  slashes: { mark: /["']googleapis["']/, client: /\bgoogle\.([a-z]{3,40})\(\s*(?:\{\s*(?:auth\b[^{}\n]{0,80},\s*)?version|["']v\d)/g },
};

/** One package reaches every API of Google, so it proves none of them. The client that code makes names one, as a module: `google:youtube`. */
export const googleClients: FactReader = {
  name: 'clients of Google in code',
  isCode: true,
  endings: ['py', 'js', 'ts', 'mjs', 'cjs', 'mts', 'cts', 'jsx', 'tsx'],
  takes: (path) => /\.(?:py|[cm]?[jt]sx?)$/.test(path),
  read: ({ path, text }, asked) => {
    const style = path.endsWith('.py') ? 'hash' : 'slashes';
    const { mark, client } = forms[style];
    if (!mark.test(text)) return {};
    const code = withoutComments(text, style);
    const lineOf = linesOf(code);
    const found = [...matchesOf(code, client)].map((match): Fact => {
      const name = `google:${match[1] ?? ''}`;
      return { kind: 'module', name, file: path, line: lineOf(match.index), use: useOfCode(path) };
    });
    return { facts: found.filter(({ name }) => asked.modules.includes(name)) };
  },
};
