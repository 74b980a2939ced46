import { marked, type Token, type Tokens } from 'marked';
import { slugOf } from './slugs.ts';

export interface CodeBlock {
  /** The first word after the fence; empty without one. */
  readonly language: string;
  readonly text: string;
  /** The reason why no test checks it, from a comment `<!-- not checked: … -->` before it. */
  readonly unchecked: string | null;
  /** The nearest heading above it. */
  readonly under: string;
}

/** The parts of a Markdown page that tests can check. */
export interface ReadPage {
  /** Every anchor that a link can lead to. */
  readonly anchors: ReadonlySet<string>;
  /** The targets of its links and pictures, as written. */
  readonly links: readonly string[];
  readonly blocks: readonly CodeBlock[];
  readonly headings: readonly { readonly depth: number; readonly text: string }[];
}

export function readPage(markdown: string): ReadPage {
  const links: string[] = [];
  const headings: { depth: number; text: string }[] = [];
  const given: string[] = [];
  const blocks: CodeBlock[] = [];
  const visit = (tokens: readonly Token[]): void => {
    let before: string | null = null;
    for (const token of tokens) {
      if (token.type === 'link' || token.type === 'image') links.push(String(token.href));
      if (token.type === 'heading') headings.push({ depth: Number(token.depth), text: textOf(token.tokens ?? []) });
      if (token.type === 'html') given.push(...[...token.raw.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id ?? ''));
      if (token.type === 'code') blocks.push(blockOf(token, before, headings.at(-1)?.text ?? ''));
      if (token.type !== 'space') before = token.type === 'html' ? token.raw : null;
      visit(childrenOf(token));
    }
  };
  visit(marked.lexer(markdown));
  return { anchors: new Set([...given, ...anchorsOf(headings.map(({ text }) => text))]), links, blocks, headings };
}

function blockOf(token: Token, before: string | null, under: string): CodeBlock {
  const { lang, text } = token as Tokens.Code;
  const [, why] = /<!-- not checked: (.+?) -->/s.exec(before ?? '') ?? [];
  return { language: (lang ?? '').split(' ')[0] ?? '', text, unchecked: why ?? null, under };
}

/** The second heading of a name gets `-1`, the third `-2`. */
function anchorsOf(headings: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return headings.map((heading) => {
    const slug = slugOf(heading);
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
}

/** The visible text of inline tokens. */
const textOf = (tokens: readonly Token[]): string =>
  tokens.map((token) => ('tokens' in token && token.tokens ? textOf(token.tokens) : 'text' in token ? String(token.text) : '')).join('');

/** The tokens inside a token, also of lists and tables. */
function childrenOf(token: Token): readonly Token[] {
  if (token.type === 'list') return (token as Tokens.List).items;
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [...header, ...rows.flat()].flatMap((cell) => cell.tokens);
  }
  return 'tokens' in token ? (token.tokens ?? []) : [];
}
