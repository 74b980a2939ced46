import { describe, expect, it } from 'vitest';
import { codesOf, failuresOf, paramOf, readText, withParams } from '../../test/support/read-plan.ts';
import { readYaml } from './read-yaml.ts';
import type { Tree } from './tree.ts';

describe('scalars', () => {
  it.each(['012', '0x10', '0o7', '1e3', '1.10', '1.0', '-0', '+1', '12345678901234567890', '9007199254740993', '1_000'])(
    'an unquoted %s stays the text it is, because a number would lose characters',
    (source) => expect(paramOf(withParams(`v: ${source}`), 'v')).toBe(source),
  );

  it.each([
    ['8080', 8080],
    ['-7', -7],
    ['0', 0],
    ['1.5', 1.5],
    ['9007199254740991', 9007199254740991],
  ])('an unquoted %s is a number, because it reads the same when written again', (source, number) => {
    expect(paramOf(withParams(`v: ${source}`), 'v')).toBe(number);
  });

  it.each(['no', 'yes', 'on', 'off', 'y', '2026-11-21', '2026-11-21T10:00:00Z', '12:30:45'])('an unquoted %s is text', (source) =>
    expect(paramOf(withParams(`v: ${source}`), 'v')).toBe(source),
  );

  it('keeps text when the file asks for YAML 1.1', () => {
    expect(paramOf(`%YAML 1.1\n---\n${withParams('v: no', 'w: 012')}`, 'v')).toBe('no');
  });

  it.each(['.nan', '.inf', '-.inf', '.NaN', '+.INF'])('refuses %s, which JSON cannot carry', (source) =>
    expect(codesOf(withParams(`v: ${source}`))).toEqual(['PLAN_PARSE 5:8']),
  );

  it('reads null, booleans, quotes and blocks as YAML says', () => {
    const text = withParams('a: ~', 'b: True', 'c: "007"', "d: 'it''s'", 'e: |', '  two', '  lines', 'f: !!str 012', 'g: "null"');
    const [line] = readText(text).plan.lines;
    expect(line?.params).toEqual({ a: null, b: true, c: '007', d: "it's", e: 'two\nlines\n', f: '012', g: 'null' });
  });
});

it('knows where each part stands, whatever form it has', () => {
  const text = `# one
a:
- b: &x 1
  "c":
    - 'it''s'
    - { d: [ 2, # two
        *x, -y ],
       e: {} }
f: http://x:80/y#z # last
`;
  const told = (tree: Tree): string => {
    const at = `${tree.place.line}:${tree.place.column}`;
    if (tree.kind === 'scalar') return `${at} ${JSON.stringify(tree.value)}`;
    if (tree.kind === 'list') return `${at} [${tree.items.map(told).join(', ')}]`;
    return `${at} {${tree.entries.map(({ key, place, value }) => ` ${place.line}:${place.column} ${key}: ${told(value)}`).join(',')} }`;
  };
  // An alias stands where its value does.
  expect(told(readYaml(text, 'p.yaml').root)).toBe(
    `2:1 { 2:1 a: 3:1 [3:3 { 3:3 b: 3:9 1, 4:3 c: 5:5 [5:7 "it's", 6:7 { 6:9 d: 6:12 [6:14 2, 3:9 1, 7:13 "-y"], 8:8 e: 8:11 { } }] }], 9:1 f: 9:4 "http://x:80/y#z" }`,
  );
});

describe('syntax', () => {
  it.each(['v: "\\uD800"', 'v: { "\\udc00x": 1 }'])('refuses half a character: %s', (row) => {
    const [failure] = failuresOf(withParams(row));
    expect(failure?.code).toBe('PLAN_PARSE');
    expect(failure?.detail).toContain('half a character');
    expect(failure?.place?.line).toBe(5);
    expect(codesOf(withParams('v: "\\uD83D\\uDC1F"'))).toEqual([]);
  });

  it('reports every broken line with its place', () => {
    expect(codesOf('changes:\n\t- id: a\n  - b: [1\n')).toEqual(expect.arrayContaining(['PLAN_PARSE 2:1']));
    expect(codesOf('changes:\n  - id: a\n   op: x\n  foo: "abc\n')).toEqual(['PLAN_PARSE 3:1', 'PLAN_PARSE 4:1', 'PLAN_PARSE 5:1']);
  });

  it('names the place of a mistake in a file with CRLF line ends', () => {
    expect(codesOf(withParams('v: .nan').replaceAll('\n', '\r\n'))).toEqual(['PLAN_PARSE 5:8']);
  });

  it('refuses a key that is given twice and names the line of the first', () => {
    const [failure] = failuresOf(withParams('v: 1', 'w: 2', '"v": 3'));
    expect(failure?.code).toBe('PLAN_PARSE');
    expect(failure?.place).toMatchObject({ line: 7, column: 5 });
    expect(failure?.detail).toContain('line 5');
  });

  it('refuses a second document', () => {
    const [failure] = failuresOf('changes: []\n---\nchanges: []\n');
    expect(failure?.detail).toContain('more than one YAML document');
    expect(failure?.place?.line).toBe(2);
  });

  it.each([
    ['a tag', 'v: !vault x'],
    ['a typed tag', 'v: !!int 5'],
    ['a binary', 'v: !!binary aGk='],
    ['a set', 'v: !!set { a }'],
    ['a timestamp', 'v: !!timestamp 2026-11-21'],
    ['a list as a key', '? [a]\n    : 1'],
    ['a value without a key', ': 1'],
    ['a key that reaches a prototype', '__proto__: { a: 1 }'],
  ])('refuses %s', (_what, param) => expect(codesOf(withParams(param))[0]).toMatch(/^PLAN_PARSE 5:/));

  it('shows no text of the file in a syntax error', () => {
    const texts = [
      'v: "hunter2secret\\q"',
      'v: *hunter2secret:',
      'v: !hunter2secret x',
      'v: |hunter2secret',
      'v: {a: b} hunter2secret',
      'v: @hunter2secret',
      'v: "hunter2secret',
    ];
    for (const text of texts) {
      const failures = failuresOf(withParams(text));
      expect(failures.length, text).toBeGreaterThan(0);
      expect(failures.map((f) => f.detail + f.fix).join(), text).not.toContain('hunter2');
    }
  });

  it('reports a mistake in a line of thousands of braces without delay', () => {
    const began = process.cpuUsage();
    expect(codesOf(withParams(`v: "x" ${'{"a":'.repeat(6_000)}1`))).toEqual([expect.stringMatching(/^PLAN_PARSE 5:/)]);
    expect(process.cpuUsage(began).user).toBeLessThan(4_000_000);
  });

  it('explains an unquoted context value inside braces', () => {
    expect(failuresOf(withParams('v: { x: ${ctx.scope} }'))[0]?.fix).toContain('quotes');
  });
});

describe('aliases', () => {
  it('follows anchors, aliases and merges, where the map itself wins', () => {
    const text = withParams('a: &base { x: 1, y: 2 }', 'b: *base', 'c: { <<: *base, y: 3 }', 'd: { <<: [{ z: 9, x: 8 }, *base] }');
    expect(readText(text).problems).toEqual([]);
    expect(readText(text).plan.lines[0]?.params).toEqual({
      a: { x: 1, y: 2 },
      b: { x: 1, y: 2 },
      c: { y: 3, x: 1 },
      d: { z: 9, x: 8, y: 2 },
    });
  });

  it('a quoted << is a key like any other', () => {
    expect(paramOf(withParams('v: { "<<": 1 }'), 'v')).toEqual({ '<<': 1 });
  });

  it('refuses aliases that multiply to billions of values, and fast', () => {
    const rows = Array.from(
      { length: 12 },
      (_, i) =>
        `a${i}: &a${i} [${Array(10)
          .fill(i === 0 ? '1' : `*a${i - 1}`)
          .join(', ')}]`,
    );
    expect(failuresOf(withParams(...rows))[0]?.detail).toContain('once its aliases are followed');
  });

  it.each([
    ['an alias inside its own anchor', 'v: &v [*v]', 'would never end'],
    ['an alias of no anchor', 'v: *nothing', 'names no anchor'],
    ['a merge of something that is no map', 'v: { <<: 5 }', 'is not a map'],
  ])('refuses %s', (_what, param, sentence) => expect(failuresOf(withParams(param))[0]?.detail).toContain(sentence));

  it.each([200, 20_000])('refuses %i levels of nesting without running out of stack', (depth) => {
    const failures = failuresOf(withParams(`v: ${'['.repeat(depth)}${']'.repeat(depth)}`));
    expect(failures.map((f) => f.code)).toContain('PLAN_PARSE');
    expect(failures.map((f) => f.detail).join()).toContain('nested');
  });

  it('refuses lists in lists that use up the stack of the parser itself', () => {
    const [failure] = failuresOf(withParams('v: 1').concat(`  ${'- '.repeat(12_000)}1\n`));
    expect(failure?.code).toBe('PLAN_PARSE');
    expect(failure?.detail).toContain('nested');
    expect(failure?.place?.line).toBeGreaterThan(1);
  });
});

describe('# TODO', () => {
  it.each([
    ['behind a value', ['v: x # TODO look it up'], '5:8'],
    ['above a value', ['# TODO look it up', 'v: x'], '6:8'],
    ['above a value, with more words', ['# Where it runs', '# TODO look', '# it up', 'v: x'], '8:8'],
    ['behind a key without a value', ['v: # TODO look it up'], '5:8'],
    ['behind an item', ['v:', '  - x # TODO look it up'], '6:9'],
    ['above an item', ['v:', '  - y', '  # TODO: look it up', '  - x'], '8:9'],
    ['behind the dash of an item', ['v:', '  - # TODO look it up', '    n: x'], '7:9'],
    ['behind braces', ['v: { n: x, m: [a, b] } # TODO look it up'], '5:8'],
    ['behind braces of an item', ['v:', '  - { n: [x] } # TODO look it up'], '6:9'],
    ['behind an item within brackets', ['v: [{ n: x }, y, # TODO look it up', '    z]'], '5:19'],
    ['behind braces within brackets', ['v: [y, { n: "}" }, # TODO look it up', '    z]'], '5:12'],
    ['behind brackets that end on another line', ['v: [', '    x', '    ] # TODO look it up'], '5:8'],
    ['inside braces', ['v: { n: x, # TODO look it up', '     m: y }'], '5:13'],
  ])('%s refuses the plan there and gives the hint', (_where, params, place) => {
    const failures = failuresOf(withParams(...params));
    expect(failures.map((f) => `${f.code} ${f.place?.line}:${f.place?.column}`)).toEqual([`PLAN_TODO ${place}`]);
    expect(failures[0]?.detail).toContain('look it up');
  });

  it.each([
    ['inside a text', ['v: "# TODO"', 'w: |', '  # TODO x', 'x: a#TODO']],
    ['with an empty line below it', ['# TODO later', '', 'v: x']],
    ['in the middle of a comment', ['# nothing TODO here', 'v: x']],
    ['below the last value', ['v: x', '# TODO more']],
  ])('%s marks no value', (_where, params) => expect(codesOf(withParams(...params))).toEqual([]));

  it('counts only in lines of this environment', () => {
    const line = (environment: string): string => withParams('v: x # TODO', `environments: [${environment}]`);
    expect(codesOf(line('production'))).toEqual([]);
    expect(codesOf(line('preview'))).toEqual(['PLAN_TODO 5:8']);
  });

  it('counts where an active line uses it through an alias', () => {
    const text = `${withParams('v: &v { n: x } # TODO', 'environments: [production]')}  - id: b\n    adapter: n\n    op: o\n    w: *v\n`;
    expect(codesOf(text)).toEqual(['PLAN_TODO 5:11']);
  });

  it('counts in the settings of a provider', () => {
    expect(codesOf('providers:\n  neon:\n    # TODO your project\n    project: x\nchanges: []\n')).toEqual(['PLAN_TODO 4:14']);
  });
});
