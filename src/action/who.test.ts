import { describe, expect, it } from 'vitest';
import { matchesOne } from './path-globs.ts';
import { everybody, readWho, type Who } from './who.ts';

const run: Parameters<typeof readWho>[1] = { env: 'preview', scope: null, closed: false };

/** The answer for these inputs, and what is refused about them. */
function read(inputs: Readonly<Record<string, string>>, of: Partial<typeof run> = {}): [Who, string[]] {
  const refused: string[] = [];
  const reading = {
    text: (name: string) => inputs[name] ?? null,
    list: (name: string) => inputs[name]?.split(',') ?? [],
    choice: (name: string) => (inputs[name] === undefined ? null : inputs[name] === 'true'),
    refuse: (detail: string, fix: string) => void refused.push(`${detail} ${fix}`),
  };
  return [readWho(reading, { ...run, ...of }), refused];
}

describe('who gets a preview', () => {
  it('is everybody but bots, where nothing is given', () => {
    expect(read({})).toEqual([everybody, []]);
    expect(read({ drafts: 'true', bots: 'false' }, { env: 'production' })).toEqual([everybody, []]);
  });

  it.each([['0'], ['-1'], ['1.5'], ['ten'], ['1e3']])('is no number of previews: %s', (given) => {
    expect(read({ 'max-previews': given })[1]).toEqual([expect.stringContaining(`"${given}"`)]);
  });

  it.each([['!docs/**'], ['[ab].md'], ['{a,b}.md']])('is no pattern that pilotfish reads: %s', (given) => {
    expect(read({ paths: given })[1]).toEqual([expect.stringContaining('Use only')]);
  });

  it.each([[{ env: 'production-eu' }], [{ scope: 'one' }]])('is nothing that a run of %j could ask', (of) => {
    expect(read({ label: 'preview' }, of)[1]).toEqual([expect.stringMatching(/`label`.*Leave .*`label`.* out/)]);
  });

  it('is told to a sweep by label and drafts alone', () => {
    const [who, refused] = read({ label: 'preview', drafts: 'false' }, { closed: true });
    expect([who, refused]).toEqual([{ ...everybody, label: 'preview', drafts: false }, []]);
    expect(read({ label: 'preview', authors: 'ann', 'max-previews': '3' }, { closed: true })[1]).toEqual([
      '`authors`, `max-previews` decide about a first apply, and `closed` only ends previews. Leave `authors`, `max-previews` out of this step.',
    ]);
  });
});

it.each<readonly [pattern: string, yes: readonly string[], no: readonly string[]]>([
  ['apps/web/**', ['apps/web/a.ts', 'apps/web/src/a.ts'], ['apps/webb/a.ts', 'x/apps/web/a.ts']],
  ['**/*.sql', ['a.sql', 'db/x/a.sql'], ['a.sqlite']],
  ['*.lock', ['yarn.lock'], ['web/yarn.lock']],
  ['./a?c.md', ['abc.md'], ['a/c.md', 'abcc.md']],
  ['a+(b).md', ['a+(b).md'], ['aab.md']],
])('the pattern %s matches as in a workflow', (pattern, yes, no) => {
  expect([...yes, ...no].filter((path) => matchesOne(path, [pattern]))).toEqual(yes);
});
