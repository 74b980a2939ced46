import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Row, readRows, rowsIn } from './rows.ts';

const root = join(import.meta.dirname, '../..');
const rows = await readRows();

/** Whether a test of the file has the title: as it is written, or with `%s` where a table fills it in. */
const hasTitle = (text: string, title: string): boolean =>
  ["'", '"', '`'].some((quote) => text.includes(`${quote}${title.replaceAll(quote, `\\${quote}`)}${quote}`));

async function problemOf(given: Row): Promise<string | null> {
  if (!('case' in given)) return null;
  const [file = '', ...rest] = given.case.split(' > ');
  const text = await readFile(join(root, file), 'utf8').catch(() => null);
  if (text === null) return `${given.provider}, ${given.row}: there is no ${file}`;
  return hasTitle(text, rest.join(' > ')) ? null : `${given.provider}, ${given.row}: ${file} has no "${rest.join(' > ')}"`;
}

describe('untidy: the rows', () => {
  test('each has one of the kinds, and either a case that stands in its file or a reason', async () => {
    const problems = await Promise.all(rows.map(problemOf));
    expect(problems.filter((problem) => problem !== null)).toEqual([]);
  });

  test('no row stands twice', () => {
    const all = rows.map(({ provider, row, kind }) => `${provider}: ${row} (${kind})`);
    expect(all.filter((one, i) => all.indexOf(one) !== i)).toEqual([]);
  });
});

describe('untidy: a row', () => {
  const good = { provider: 'neon', row: 'branch, name', kind: 'trimmed' };
  test.each([
    ['another kind', { ...good, kind: 'tidy', reason: 'nobody can tell' }],
    ['neither a case nor a reason', good],
    ['both', { ...good, case: 'test/a.test.ts > it is so', reason: 'nobody can tell' }],
    ['a case without a title', { ...good, case: 'test/a.test.ts' }],
  ])('with %s is refused', (_, wrong) => {
    expect(() => rowsIn([wrong])).toThrow();
  });

  test('whose case is not there is told', async () => {
    const here = 'test/untidy/rows.test.ts';
    const of = (title: string): Row => ({ provider: 'neon', row: 'branch, name', kind: 'trimmed', case: title });
    expect(await problemOf(of(`${here} > no row stands twice`))).toBeNull();
    expect(await problemOf(of(`${here} > no row stands ${'three'} times`))).toContain('has no');
    expect(await problemOf(of('test/untidy/none.test.ts > no row stands twice'))).toContain('there is no');
  });
});
