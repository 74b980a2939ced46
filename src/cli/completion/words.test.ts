import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shells } from '../command-spec.ts';
import { isPlainWord, shortly } from './answer.ts';
import { completionScript } from './scripts.ts';
import { unquoted, wantedOf } from './words.ts';

const offered = (...words: readonly string[]): readonly string[] => wantedOf(words).offers.map(({ value }) => value);

describe('a line asks for', () => {
  it('a command at its first word', () => {
    expect(offered('')).toEqual(expect.arrayContaining(['init', 'plan', 'apply', 'completion']));
    expect(offered('-')).toEqual(['--help', '--version']);
  });

  it('the flags of its command, each once where it takes one value', () => {
    expect(offered('plan', '--')).toContain('--only');
    expect(offered('plan', '--only', 'db', '--')).toContain('--only');
    expect(offered('plan', '--scope', 'pr-1', '--')).not.toContain('--scope');
    expect(offered('plan', '--scope=pr-1', '--json', '')).not.toContain('--json');
    expect(offered('explain', '--')).toEqual(['--json', '--no-color', '--help']);
  });

  it('no flag that its mode refuses', () => {
    expect(offered('apply', '--')).toContain('--recreate');
    expect(offered('apply', '--destroy', '--')).not.toContain('--recreate');
    expect(offered('apply', '--destroy', '--')).toContain('--orphans');
  });

  it.each([
    [['plan', '--only', 'd'], { kind: 'lines', typed: 'd', lead: '' }],
    [['plan', '--only=d'], { kind: 'lines', typed: 'd', lead: '--only=' }],
    [['show', 'pr'], { kind: 'scopes', typed: 'pr', lead: '' }],
    [['show', '--env', 'x', ''], { kind: 'scopes', typed: '', lead: '' }],
    [['live', 'neon'], { kind: 'operations', typed: 'neon', lead: '' }],
    [['plan', '--plan', ''], { kind: 'files', typed: '', lead: '' }],
    [['run', '--scope', 'a', '--', 'npx', ''], { kind: 'files', typed: '', lead: '' }],
    [['apply', '--scope', 'a', '--', ''], { kind: null }],
    [['plan', '--json=x'], { kind: null }],
    [['plan', '--sha', ''], { kind: null }],
    [['nothing', ''], { kind: null }],
    [[], { kind: null, typed: '' }],
  ])('the values of a flag: %j', (words, wanted) => {
    expect(wantedOf(words)).toMatchObject(wanted);
  });

  it('the choices of a flag, and of an argument', () => {
    expect(offered('plan', '--progress', '')).toEqual(['plain', 'live', 'none']);
    expect(offered('completion', '')).toEqual([...shells]);
    expect(offered('completion', 'bash', '')).toEqual(['--json']);
  });

  it('the values beside those of its other flags, without their quotes', () => {
    expect(wantedOf(['plan', '--plan', "'my plan.yaml'", '--env="x y"', '--only', '']).given).toEqual(
      new Map([
        ['plan', ['my plan.yaml']],
        ['env', ['x y']],
      ]),
    );
  });
});

describe('whatever is typed', () => {
  it('is read without an error, and never as more than text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('plan', '--only', '--', '--scope=', '"', "'", '\\', '$(x)')), {
          maxLength: 6,
        }),
        (words) => {
          expect(wantedOf(words)).toBeDefined();
        },
      ),
    );
    expect(['$(x)', '"$(x)"', "'a b'", '"a\\"b"', 'a\\ b', '"open', "'it'\\''s'", "'\\'"].map(unquoted)).toEqual([
      '$(x)',
      '$(x)',
      'a b',
      'a"b',
      'a b',
      'open',
      "it's",
      '\\',
    ]);
  });
});

describe('an offer', () => {
  it('has no character that any shell reads', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        if (isPlainWord(text)) expect(text).toMatch(/^[A-Za-z0-9_][A-Za-z0-9._/:+=@-]*$/);
      }),
    );
    for (const text of [
      '',
      '-x',
      '--destroy',
      'a b',
      'a;b',
      '$x',
      '`x`',
      "a'b",
      'a"b',
      'a\nb',
      'a\n',
      'a\u001b',
      '~a',
      '*',
      '{a}',
      'a%b',
      'a,b',
      'a|b',
      'a&b',
      'a<b',
      'a\\b',
      '@a',
      '=a',
      'ü',
    ]) {
      expect(isPlainWord(text), JSON.stringify(text)).toBe(false);
    }
    for (const text of ['pr-12', 'feature/login', 'Db_1', 'a.b', '4f2a', 'a@b', 'v1.2+3']) expect(isPlainWord(text), text).toBe(true);
  });

  it('has a description on one line, without anything that a terminal obeys', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(shortly(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
    );
    expect(shortly('One sentence. Another one.')).toBe('One sentence.');
    expect(shortly('word '.repeat(40)).length).toBeLessThanOrEqual(72);
  });
});

describe.each(shells)('the script for %s', (shell) => {
  it('says in its first line how to install it, and evaluates nothing', () => {
    const [first, ...rest] = completionScript(shell).split('\n');
    expect(first).toMatch(new RegExp(`^# pilotfish in ${shell}. To install: pilotfish completion ${shell} `));
    expect(rest.join('\n')).not.toMatch(/\beval\b|Invoke-Expression|compgen -W|\biex\b|\\\$/);
    expect(rest.join('\n')).toContain('pilotfish complete');
  });
});
