import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planOf } from '../../bench/plans.ts';
import { independent } from '../../bench/wants.ts';
import { readPlainYaml } from './plain-yaml.ts';
import { readAnyYaml } from './read-yaml.ts';
import type { Tree } from './tree.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The tree as the full parser reads it; `null` where it finds a mistake. */
function readFully(text: string): unknown {
  try {
    const { root: tree, problems } = readAnyYaml(text, 'p.yaml');
    return problems.size === 0 ? told(tree) : null;
  } catch {
    return null;
  }
}

/** All that a tree says, with every place. */
function told(tree: Tree): unknown {
  const { kind, place } = tree;
  if (tree.kind === 'map')
    return { kind, place, entries: tree.entries.map((entry) => ({ key: entry.key, place: entry.place, value: told(entry.value) })) };
  if (tree.kind === 'list') return { kind, place, items: tree.items.map(told) };
  return { kind, place, value: tree.value, source: tree.source };
}

/** Characters and beginnings that mean something in YAML, next to such as do not. */
const pieces = fc.constantFrom(
  ...[
    'a',
    'b',
    'key',
    '1',
    '-1',
    '1.10',
    'null',
    '~',
    'true',
    '.5',
    '..',
    '...',
    '---',
    '$',
    '${x}',
    'é',
    '😀',
    '/a/{id}',
    'http://x:80/y',
  ],
  ...[
    ':',
    ': ',
    ' :',
    '::',
    '-',
    '- ',
    '-a',
    '?',
    '? ',
    '#',
    ' #',
    ' # c',
    '&',
    '&a ',
    '*a',
    '!',
    '!!str ',
    '|',
    '>',
    '%',
    '@',
    '`',
    '<<',
    '=',
  ],
  ...[',', ', ', '[', ']', '{', '}', '{ ', ' }', '"', "'", "''", '""', '\\', '\\n', '\\u00e9', '\\x41', '"a"', "'b'", '{ a: b }', '[a, b]'],
  ...[
    ' ',
    '  ',
    '\n',
    '\n  ',
    '\n    ',
    '\n- ',
    '\n  - ',
    '\na: ',
    '\n  b: ',
    '\n#c',
    '\n\n',
    '\t',
    '\r\n',
    '__proto__',
    '.inf',
    'x '.repeat(3),
  ],
);

const scalar = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('x', 'shop-1', '/things/{id}', 'a b', '7', '1.10', 'true', '~', "it's", 'a#b', 'http://h/p?q=1'),
  },
  { weight: 1, arbitrary: fc.constantFrom('&x x', '*x', '&y "y"', '*y') },
  { weight: 2, arbitrary: fc.constantFrom("'a: b'", '"${ctx.scope}"', '"a\\"b"', "'it''s'", '""', '"\\u00e9\\n"', '"#"') },
  { weight: 1, arbitrary: pieces },
);
const keys = fc.constantFrom('id', 'find', 'path', 'a b', '"q"', "'s'", '/fields/x', 'x-y', 'k1', 'k2', 'k3', '-k');

interface Shape {
  block(indent: number): string;
  flow(): string;
}

/** Values as a person may write them: by indentation or in braces, in one line or in several, with comments between. */
const { value: shapes } = fc.letrec<{ value: Shape }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'depth' },
    scalar.map((text): Shape => ({ block: () => ` ${text}\n`, flow: () => text })),
    fc
      .tuple(
        fc.array(fc.tuple(keys, tie('value')), { minLength: 1, maxLength: 4 }),
        fc.constantFrom('block', 'flow', 'below'),
        fc.constantFrom(1, 2, 4),
      )
      .map(
        ([entries, how, step]): Shape => ({
          block: (indent) =>
            how === 'flow'
              ? ` { ${entries.map(([key, value]) => `${key}: ${value.flow()}`).join(', ')} } # c\n`
              : `\n${entries.map(([key, value]) => `${' '.repeat(indent + step)}${key}:${value.block(indent + step)}`).join(how === 'below' ? '# c\n' : '')}`,
          flow: () => `{${entries.map(([key, value]) => `${key}: ${value.flow()}`).join(how === 'below' ? ',\n      ' : ',')}}`,
        }),
      ),
    fc.tuple(fc.array(tie('value'), { maxLength: 4 }), fc.constantFrom('block', 'flow', 'level'), fc.constantFrom(1, 2, 3)).map(
      ([items, how, gap]): Shape => ({
        block: (indent) => {
          if (how === 'flow' || items.length === 0) return ` [${items.map((item) => item.flow()).join(', ')}]\n`;
          const at = how === 'level' ? Math.max(indent, 0) : indent + 2;
          const begin = `${' '.repeat(at)}-${' '.repeat(gap)}`;
          return `\n${items.map((item) => `${begin}${item.block(at + gap).replace(/^\n? */, '')}`).join('')}`;
        },
        flow: () => `[ ${items.map((item) => item.flow()).join(' , ')} ]`,
      }),
    ),
  ),
}));

const documents = fc
  .array(fc.tuple(keys, shapes), { minLength: 1, maxLength: 4 })
  .map((entries) => entries.map(([key, value]) => `${key}:${value.block(0)}`).join(''));

/** Documents with a key of which the value is left out, as the first or the last of them. */
const withId = fc
  .tuple(documents, shapes, fc.boolean())
  .map(([text, value, isFirst]) => (isFirst ? `id:${value.block(0)}${text}` : `${text}id:${value.block(0)}`));

/** Such texts with something put in, taken out or doubled at any place. */
const spoiledOf = (texts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(texts, fc.array(fc.tuple(fc.nat(), fc.nat({ max: 3 }), pieces), { minLength: 1, maxLength: 3 })).map(([text, edits]) =>
    edits.reduce((now, [at, length, piece]) => {
      const from = at % (now.length + 1);
      return now.slice(0, from) + piece + now.slice(from + length);
    }, text),
  );
const spoiled = spoiledOf(documents);
const noise = fc.array(pieces, { maxLength: 14 }).map((all) => `a: ${all.join('')}`);

function mustAgree(text: string): void {
  const plain = readPlainYaml(text, 'p.yaml');
  if (plain !== null) expect(told(plain)).toStrictEqual(readFully(text));
}

/** Whatever it reads without the value of a key stands so in the whole text as well. */
function mustAgreeWithout(text: string): boolean {
  const plain = readPlainYaml(text, 'p.yaml', { without: 'id' });
  const whole = readFully(text);
  // A mistake may stand in what was not looked at.
  if (plain === null || whole === null) return false;
  const others = (tree: unknown): unknown[] => (tree as { entries: { key: string }[] }).entries.filter(({ key }) => key !== 'id');
  expect(others(told(plain))).toStrictEqual(others(whole));
  return true;
}

describe('what the reader of plain YAML reads', () => {
  it('is what the full parser reads, places included', () => {
    fc.assert(fc.property(documents, mustAgree), { numRuns: 600 });
  });

  it('is never a text that the full parser refuses or reads otherwise', () => {
    fc.assert(fc.property(fc.oneof(spoiled, noise), mustAgree), { numRuns: 3000 });
  });

  it('is the same without the value of a key, wherever that stands', () => {
    let read = 0;
    const check = (text: string): void => {
      if (mustAgreeWithout(text)) read += 1;
    };
    fc.assert(fc.property(withId, check), { numRuns: 2000 });
    expect(read).toBeGreaterThan(100);
    fc.assert(fc.property(spoiledOf(withId), check), { numRuns: 3000 });
  });

  it.each([
    'id:\n- a: 1\n  b: [\n    c ]\n# d\n\n- e\nz: 1\n',
    'id:\n  - a: 1\n  - b: |\n      c: d\n     # e\nz: 1\n',
    'id: [{ a: 1,\n  b: 2 }]\nz: 1',
    'id: {\nz: 1\n',
    'id: "a\nz: 1\n',
    'z: 1\nid: [a, b]',
    'z: 1\nid: [',
  ])('without the value of its key is the rest of %j', (text) => {
    const tree = readPlainYaml(text, 'p.yaml', { without: 'id' });
    if (tree?.kind !== 'map') throw new Error('no map');
    expect(tree.entries.map(({ key }) => key).sort()).toEqual(['id', 'z']);
    expect(tree.entry('id')?.value).toMatchObject({ kind: 'list', items: [] });
    expect(tree.entry('z')).toMatchObject({ place: { line: text.split('\n').indexOf('z: 1') + 1, column: 1 }, value: { value: 1 } });
  });

  it('is not left out where the key stands further in', () => {
    const text = 'z: { id: 1 }\ny:\n  id: 2\n';
    expect(told(readPlainYaml(text, 'p.yaml', { without: 'id' }) as Tree)).toStrictEqual(readFully(text));
  });

  it.each(['id: 1\n---\nz: 1\n', 'id: 1\n-\nz: 1\n', 'id: 1\n}\n', 'id: 1\nid: 2\n'])(
    'of %j is nothing without the value either',
    (text) => {
      expect(readPlainYaml(text, 'p.yaml', { without: 'id' })).toBeNull();
    },
  );

  it('is every plan of the examples, and every line of a large plan', async () => {
    const large = planOf({ wanted: independent(300), ledger: 'local', concurrency: 4 }, 'http://127.0.0.1:1/x');
    const texts = [large];
    for await (const file of glob('*/release.plan.yaml', { cwd: join(root, 'examples') }))
      texts.push(await readFile(join(root, 'examples', file), 'utf8'));
    expect(texts.length).toBeGreaterThan(5);
    // A plan that is still marked is not run, and its marks are found by the lexer.
    const finished = texts.map((text) => text.replaceAll('TODO', 'Note:'));
    for (const text of finished) {
      expect(readPlainYaml(text, 'p.yaml')).not.toBeNull();
      mustAgree(text);
    }
  });

  it.each([
    'a: b\n',
    'a: b',
    '# first\n\na: 1 # one\n\n# last',
    'a:\n  b: { c: [1, "x", \'y\'], d: {} }\n  e: []\n',
    'a:\n- b: 1\n  c:\n  - x\n  - y\nd: 2\n',
    'a:\n  - {b: 1,\n     c: [ 2, # two\n    3,\n     ] }\n',
    'a: { "b":1, \'c\': 2 , "d":\n   3 }\n',
    'a: &x 1\nb: { c: *x, d: &x "2", e: [*x] }\nf:\n  - *x\n  - &y z # y\n  - *y # z\n',
    'a: http://x:80/y#z\nb: -1\nc: -x\nd: .5\ne: a - b\nf: x, y\ng: [-1, .5]\n',
    'a: "\\"\\\\\\/\\n\\u00e9\\ud83d\\ude00"\n',
    `a: { ${Array.from({ length: 40 }, (_, i) => `k${i}: ${i}`).join(', ')} }\n`,
  ])('holds %j', (text) => {
    expect(readPlainYaml(text, 'p.yaml')).not.toBeNull();
    mustAgree(text);
  });

  it.each([
    ['a tab', 'a:\tb\n'],
    ['a carriage return', 'a: b\r\n'],
    ['an anchor of more than a scalar', 'a: &x [b]\n'],
    ['an alias of nothing', 'a: *x\n'],
    ['a tag', 'a: !!str 1\n'],
    ['a block of text', 'a: |\n  b\n'],
    ['a second line of a scalar', 'a: b\n  c\n'],
    ['a second document', 'a: b\n---\nc: d\n'],
    ['a marked value', 'a: b # TODO\n'],
    ['a key given twice', 'a: b\na: c\n'],
    ['a merge', 'a: { <<: b }\n'],
    ['a value that is missing', 'a:\nb: c\n'],
    ['an explicit key', '? a\n: b\n'],
    ['a number that JSON does not know', 'a: .inf\n'],
    ['half a character', 'a: "\\ud800"\n'],
    ['a list that is the whole file', '- a\n'],
    ['braces that end too far left', 'a: {\n  b: c\n}\n'],
    ['values nested beyond reason', `a: ${'['.repeat(65)}${']'.repeat(65)}\n`],
  ])('is left to the full parser with %s', (_, text) => {
    expect(readPlainYaml(text, 'p.yaml')).toBeNull();
  });
});
