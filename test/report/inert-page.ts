import { marked } from 'marked';
import { expect } from 'vitest';
import { readHtml } from './html-reader.ts';

/** In every text that is not ours; it must be seen nowhere but where nothing is interpreted. */
export const mark = 'zqzq';

export interface PageRules {
  /** Addresses that may be linked, and the beginnings of more of them. */
  readonly links: readonly string[];
}

/** Nothing of a page is interpreted but what pilotfish wrote: as rendered, and as a log or a quick action reads its source. */
export function expectInert(markdown: string, { links }: PageRules): void {
  const html = marked.parse(markdown, { gfm: true, async: false });
  const { elements, pieces, faults } = readHtml(html);
  expect(faults).toEqual([]);
  expect([...new Set(elements.map(({ name }) => name))].filter((name) => !ours.has(name))).toEqual([]);
  for (const { name, attributes } of elements)
    expect(attributesAllowed(name, attributes, links), `${name} ${JSON.stringify(attributes)}`).toBe(true);
  // Mentions, references, emoji, addresses and formulas are left alone in these (see `inert.ts`).
  const loose = pieces.filter(
    ({ text, within }) => text.toLowerCase().includes(mark) && !within.includes('code') && !within.includes('pre'),
  );
  expect(loose).toEqual([]);
  for (const { text } of pieces) expect(text).not.toMatch(unseen);
  expect(linesOf(markdown).filter((line) => commands.test(line))).toEqual([]);
  expect(markdown).not.toContain('##[');
  expect(markdown).not.toContain('::');
  expectWhole(markdown);
}

/** No table, fence or block is broken in its middle. */
export function expectWhole(markdown: string): void {
  const lines = linesOf(markdown);
  expect(lines.filter((line) => line.startsWith('```')).length % 2).toBe(0);
  let bars = 0;
  for (const line of lines) {
    const found = line.startsWith('|') ? line.split('|').length : 0;
    if (found > 0 && bars > 0) expect(found).toBe(bars);
    bars = found;
  }
}

const linesOf = (text: string): string[] => text.split('\n');

const ours = new Set('h2 h3 p a code pre table thead tbody tr th td details summary sub br wbr strong ul li blockquote'.split(' '));

function attributesAllowed(name: string, attributes: { readonly [name: string]: string }, links: readonly string[]): boolean {
  return Object.entries(attributes).every(([attribute, value]) => {
    if (name === 'a') return attribute === 'href' && links.some((link) => value.startsWith(link));
    if (name === 'code') return (attribute === 'class' && value === 'language-mermaid') || (attribute === 'dir' && value === 'auto');
    return (name === 'td' || name === 'th') && attribute === 'align' && ['left', 'right'].includes(value);
  });
}

/** A workflow command or a quick action of GitLab at the start of a line. */
const commands = /^\s*(?:::|##\[|\/[a-z])/i;

/** Our own symbols are followed by the selector that makes them pictures. */
const unseen = /(?![\n])(?<![\u23f8\u26a0\u2702])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
