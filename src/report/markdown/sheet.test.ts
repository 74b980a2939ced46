import { describe, expect, it } from 'vitest';
import { fitInto, type Page, table } from './sheet.ts';

const entries = Array.from({ length: 40 }, (_, at) => `entry-${at}`);

const page: Page = (sheet) => {
  if (!sheet.graph) sheet.leave('the graph');
  if (!sheet.unchanged) sheet.leave('3 unchanged lines');
  if (!sheet.changes) sheet.leave('9 field changes');
  return [
    '## heading',
    table(
      [{ head: 'Entry', cell: sheet.code }],
      sheet.take(entries, 'entry line', (entry) => entry === 'entry-39'),
    ),
    sheet.unchanged ? 'u'.repeat(1_000) : '',
    sheet.changes ? 'c'.repeat(1_000) : '',
    sheet.graph ? 'g'.repeat(1_000) : '',
    sheet.code('t'.repeat(3_000)),
    sheet.rest ? 'r'.repeat(500) : '',
  ];
};

const write = (longest: number): string => fitInto(page, longest, 'All of it is elsewhere.');

describe('a page that is too long', () => {
  it('is whole when it fits, and then says nothing', () => {
    expect(write(100_000)).not.toContain('Left out');
    expect(write(write(100_000).length)).toBe(write(100_000));
  });

  it('loses the graph, then unchanged lines, then field changes, then the ends of texts, then rows, then the rest', () => {
    const lost: string[] = [];
    for (let longest = write(100_000).length; longest > 150; longest -= 25) {
      const said = /Left out here: (.*?)\. All of it is elsewhere\./.exec(write(longest))?.[1] ?? '';
      if (said.replace(/\d+ entry/, 'some entry') !== lost.at(-1)?.replace(/\d+ entry/, 'some entry')) lost.push(said);
    }
    expect(lost.slice(0, 5)).toEqual([
      '',
      'the graph',
      'the graph and 3 unchanged lines',
      'the graph, 3 unchanged lines and 9 field changes',
      'the graph, 3 unchanged lines, 9 field changes and the ends of long texts',
    ]);
    expect(lost[5]).toMatch(/^the graph, 3 unchanged lines, 9 field changes, \d+ entry lines? and the ends of long texts$/);
  });

  it('keeps as many rows as fit, the important ones first', () => {
    const text = write(1_400);
    expect(text.length).toBeGreaterThan(1_350);
    expect(text).toContain('entry-39');
    expect(text).toContain('entry-0<');
    expect(text).not.toContain('entry-38<');
  });

  it('is never longer, counted in bytes', () => {
    for (let longest = 0; longest < 5_000; longest += 41) expect(Buffer.byteLength(write(longest))).toBeLessThanOrEqual(longest);
  });

  it('keeps its heading in little space, and is empty without space', () => {
    expect(write(600)).toMatch(/^## heading/);
    expect(write(10)).toBe('');
  });
});
