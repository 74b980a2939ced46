import { marked as readMarkdown } from 'marked';
import { describe, expect, it } from 'vitest';
import { type CommentMark, isSameComment, marked, markOf } from './comment-mark.ts';

const mark: CommentMark = {
  environment: 'preview',
  plan: null,
  scope: 'pr-12',
  run: '0123456789ab',
  endedAt: '2026-11-21T12:00:00.000Z',
  receipt: { branch: 'pilotfish-receipts/preview/pr-12', commit: 'a'.repeat(40) },
};

const hostile = [
  '-->',
  '--!>',
  '--><script>alert(1)</script><!--',
  '<!-- pilotfish {} -->',
  'a"}\n -->\nhello',
  '\u2028--\u2029>',
  '@everyone',
  '🐟 ‮fish',
  '\\u002d->',
  '*/ ]]> %2D%2D%3E',
];

describe('the mark of a comment', () => {
  it.each(hostile)('holds the name %j, shows none of it, and gives it back', (name) => {
    const told = { ...mark, scope: name, plan: name, environment: name, receipt: { branch: name, commit: 'b'.repeat(40) } };
    const body = marked(told, 'the text');
    expect(markOf(body)).toEqual(told);
    expect(body).toMatch(/^<!-- pilotfish [\x20-\x7e]+ -->\nthe text$/);
    // A reader of Markdown sees a comment, and the text.
    const shown = String(readMarkdown(body)).replace(/^<!--[^>]*-->/, '');
    expect(shown.trim().replace(/<\/?p>/g, '')).toBe('the text');
  });

  it('is read where a host writes its lines in another way', () => {
    expect(markOf(marked(mark, 'one\ntwo').replaceAll('\n', '\r\n'))).toEqual(mark);
  });

  it.each([
    '',
    'hello',
    ` ${marked(mark, 'x')}`,
    `> ${marked(mark, 'x')}`,
    marked(mark, 'x').replace('"preview"', '{'),
    '<!-- pilotfish {} -->\n',
    '<!-- pilotfish not json -->\n',
    marked(mark, 'x').replace('2026', 'then'),
    marked(mark, 'x').replace('a'.repeat(40), ''),
  ])('is not seen in %j', (body) => {
    expect(markOf(body)).toBeNull();
  });

  it('belongs to one comment for each environment and plan, whatever the scope', () => {
    expect(isSameComment(mark, { ...mark, scope: 'other', run: null })).toBe(true);
    expect(isSameComment(mark, { ...mark, plan: 'api' })).toBe(false);
    expect(isSameComment(mark, { ...mark, environment: 'staging' })).toBe(false);
  });
});
