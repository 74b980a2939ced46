import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../scripts/tasks.ts';

const text = await readFile(join(root, 'README.md'), 'utf8');
const [screen = '', ...rest] = text.split(/^(?=## Test it$)/m);

/** The text as a reader sees it: without pictures and without the addresses of links. */
const seen = screen.replace(/^\[?!\[.*$\n/gm, '').replace(/\[([^\]]+)\]\([^)]*\)/g, '$1');

/** Rows of a paragraph at 100 columns; a row of code and of a list begins anew. */
const rowsOf = (part: string): number =>
  part.startsWith('```')
    ? part.split('\n').length
    : part
        .split(/\n(?=- )/)
        .map((item) => Math.ceil(item.replaceAll('\n', ' ').length / 100))
        .reduce((sum, rows) => sum + rows, 0);

describe('the README', () => {
  it('says in one screen what pilotfish is, and leaves the tests for the end', () => {
    const parts = seen.trim().split(/\n\n+/);
    expect(parts.map(rowsOf).reduce((sum, rows) => sum + rows, 0) + parts.length - 1).toBeLessThanOrEqual(46);
    expect(rest).toHaveLength(1);
  });

  it('shows a plan and a run, each by a picture that a script draws', () => {
    expect([...screen.matchAll(/!\[[^\]]{20,}\]\(([^)]+)\)/g)].map(([, path]) => path)).toEqual([
      'docs/pictures/plan.svg',
      'docs/pictures/run.svg',
    ]);
  });
});
