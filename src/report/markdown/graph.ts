import type { Tone } from '../styles.ts';
import { counted, oneLine } from '../text.ts';

export interface GraphNode {
  readonly id: string;
  /** What became of it. */
  readonly word: string;
  readonly tone: Tone;
  readonly after?: readonly string[];
}

/** More lines than this are a thicket that nobody reads. */
const most = 60;

/** The order of the lines as a Mermaid flowchart, folded; nothing where no line comes after another. */
export function graph(nodes: readonly GraphNode[]): string {
  const names = new Map(nodes.map(({ id }, at) => [id, `n${at}`]));
  const edges = nodes.flatMap(({ id, after = [] }) => after.flatMap((before) => edge(names.get(before), names.get(id))));
  if (edges.length === 0) return '';
  if (nodes.length > most) return `The graph of ${counted(nodes.length, 'line')} is too large to be drawn here.`;
  const tones = [...new Set(nodes.map(({ tone }) => tone))];
  const chart = [
    'flowchart LR',
    ...nodes.map((node, at) => `  n${at}${shaped(node)}`),
    ...edges.map((line) => `  ${line}`),
    ...tones.map((tone) => `  classDef ${tone} ${colours[tone]}`),
    ...tones.map((tone) => `  class ${nodes.flatMap((node, at) => (node.tone === tone ? [`n${at}`] : [])).join(',')} ${tone}`),
  ];
  return ['<details><summary>Graph</summary>', '', '```mermaid', ...chart, '```', '', '</details>'].join('\n');
}

const edge = (from: string | undefined, to: string | undefined): string[] => (from && to ? [`${from} --> ${to}`] : []);

function shaped({ id, word, tone }: GraphNode): string {
  const [open, close] = shapes[tone];
  const name = id.length > 40 ? `${id.slice(0, 40).replace(/[\ud800-\udbff]$/, '')}…` : id;
  return `${open}"${label(name)}<br/>${label(word)}"${close}`;
}

/**
 * A label as Mermaid's own character codes (`#35;`), for all but ASCII letters and digits: quotes, brackets, `%%`, backticks, `$$`,
 * icons and the placeholders it puts in for such codes itself can then not be written.
 */
const label = (text: string): string => oneLine(text).replace(/[^A-Za-z0-9 ]/gu, (c) => `#${c.codePointAt(0) ?? 0};`);

/** Shape and colour say the same as the word. */
const shapes: { readonly [tone in Tone]: readonly [string, string] } = {
  add: ['([', '])'],
  change: ['{{', '}}'],
  remove: ['[[', ']]'],
  warn: ['(', ')'],
  bad: ['>', ']'],
  quiet: ['[', ']'],
  strong: ['[', ']'],
};

const colours: { readonly [tone in Tone]: string } = {
  add: 'fill:#dafbe1,stroke:#1a7f37,color:#1f2328',
  change: 'fill:#fff8c5,stroke:#9a6700,color:#1f2328',
  remove: 'fill:#ffe2d9,stroke:#bc4c00,color:#1f2328',
  warn: 'fill:#fff8c5,stroke:#9a6700,color:#1f2328,stroke-dasharray:4',
  bad: 'fill:#ffebe9,stroke:#cf222e,color:#1f2328,stroke-width:3px',
  quiet: 'fill:#f6f8fa,stroke:#818b98,color:#1f2328',
  strong: 'fill:#f6f8fa,stroke:#1f2328,color:#1f2328',
};
