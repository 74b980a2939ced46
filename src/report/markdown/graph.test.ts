import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GraphNode, graph } from './graph.ts';

const node = (id: string, after: readonly string[] = []): GraphNode => ({ id, word: 'create', tone: 'add', after });

/** The chart alone. */
const chart = (text: string): string[] => text.split('\n').slice(3, -3);

describe('the graph', () => {
  it('has a node for each line, and an arrow between two lines where one comes after the other', () => {
    expect(chart(graph([node('db'), { ...node('url', ['db']), word: 'failed', tone: 'bad' }]))).toEqual([
      'flowchart LR',
      '  n0(["db<br/>create"])',
      '  n1>"url<br/>failed"]',
      '  n0 --> n1',
      '  classDef add fill:#dafbe1,stroke:#1a7f37,color:#1f2328',
      '  classDef bad fill:#ffebe9,stroke:#cf222e,color:#1f2328,stroke-width:3px',
      '  class n0 add',
      '  class n1 bad',
    ]);
  });

  it('is left out when no line comes after another, and skips lines that the document does not have', () => {
    expect(graph([node('a'), node('b')])).toBe('');
    expect(graph([node('a', ['of another environment'])])).toBe('');
    expect(graph([])).toBe('');
  });

  it('is a sentence when there are more than sixty lines', () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => node(`l${at}`, at > 0 ? ['l0'] : []));
    expect(graph(many(60))).toContain('```mermaid');
    expect(graph(many(61))).toBe('The graph of 61 lines is too large to be drawn here.');
  });

  it.each([
    ['a quote that ends the label', 'a"] --> evil'],
    ['a line break and a click', 'a\nclick n0 "javascript:alert(1)"'],
    ['a directive', '%%{init: {"securityLevel": "loose"}}%%'],
    ['a fence', '```\n# heading'],
    ['HTML', '<img src=x onerror=alert(1)>'],
    ['an entity of Mermaid', '#quot;#60;script#62;'],
    ['its placeholder for one', 'ﬂ°°60¶ßscript'],
    ['a formula and an icon', '$$x$$ fa:fa-car'],
    ['a Markdown string', '`**a**`'],
    ['a direction override', 'a\u202eb'],
  ])('shows %s as text of a label', (_, id) => {
    const lines = chart(graph([node(id), node('b', [id])]));
    expect(lines).toHaveLength(6);
    expect(lines[1]).toMatch(/^ {2}n0\(\["(?:[A-Za-z0-9 ]|#\d+;)+<br\/>create"\]\)$/);
  });

  it('has only its own lines, whatever the ids are', () => {
    const own =
      /^(?:flowchart LR| {2}n\d+\(\["(?:[A-Za-z0-9 ]|#\d+;)*<br\/>create"\]\)| {2}n\d+ --> n\d+| {2}classDef add [a-z0-9:#,]+| {2}class n[\dn,]+ add)$/;
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 5 }), (ids) => {
        const text = graph(ids.map((id, at) => node(id, ids.slice(0, at))));
        for (const line of chart(text)) expect(line).toMatch(own);
      }),
    );
  });
});
