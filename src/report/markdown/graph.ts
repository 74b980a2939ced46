import type { Tone } from '../styles.ts';
import { counted, oneLine } from '../text.ts';

export interface GraphNode {
  readonly id: string;
  /** The result of the line. */
  readonly word: string;
  readonly tone: Tone;
  readonly after?: readonly string[];
}

/** Nobody can read a graph of more lines than this. */
const most = 60;

/** The order of the lines as a folded Mermaid flowchart; empty if no line comes after another. */
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
 * Writes everything but ASCII letters and digits as Mermaid's own character codes (`#35;`). An id then cannot write quotes, brackets, `%%`,
 * backticks, `$$`, icons, or the placeholders that Mermaid itself uses for such codes.
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
