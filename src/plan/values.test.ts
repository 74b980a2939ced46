import { describe, expect, it } from 'vitest';
import { codesOf, failuresOf, fullContext, paramOf, readText, withParams } from '../../test/support/read-plan.ts';
import { type Context, FromRef, KeepRef, SecretRef } from './types.ts';

const emptyContext: Context = { environment: 'preview', scope: null, git: { sha: null, branch: null }, pr: { number: null } };

describe('forms', () => {
  it('{ from } becomes a reference with the place of its text', () => {
    const ref = paramOf(withParams('v: { from: db.connection_uri }'), 'v');
    expect(ref).toBeInstanceOf(FromRef);
    expect(ref).toMatchObject({ line: 'db', output: 'connection_uri', place: { line: 5, column: 16 } });
  });

  it('{ secret } becomes a reference, context in it included', () => {
    const ref = paramOf(withParams('v: { secret: "op://app/${ctx.environment}/key" }'), 'v');
    expect(ref).toBeInstanceOf(SecretRef);
    expect(ref).toMatchObject({ reference: 'op://app/preview/key' });
  });

  it('{ keep: true } takes the live value, also deep inside', () => {
    const value = paramOf(withParams('v: [{ n: { keep: true } }]'), 'v');
    expect(value).toEqual([{ n: expect.any(KeepRef) }]);
  });

  it('{ public } is plain text, remembered as public', () => {
    const [line] = readText(withParams('token: { public: "pk-${ctx.scope}" }', 'other: x')).plan.lines;
    expect(line?.params.token).toBe('pk-pr-12');
    expect(line?.isPublic(['token'])).toBe(true);
    expect(line?.isPublic(['other'])).toBe(false);
    expect(line?.textOf(['token'])).toBe('pk-pr-12');
  });

  it.each([
    ['from without an output', '{ from: db }', '5:16'],
    ['from with an empty output', '{ from: db. }', '5:16'],
    ['from with a number', '{ from: 5 }', '5:16'],
    ['from with a list', '{ from: [a.b] }', '5:16'],
    ['from beside another key', '{ from: a.b, other: c }', '5:21'],
    ['secret with a number', '{ secret: 5 }', '5:18'],
    ['secret without a scheme', '{ secret: NAME }', '5:18'],
    ['secret beside another key', '{ secret: env://A, url: x }', '5:27'],
    ['keep with false', '{ keep: false }', '5:16'],
    ['keep beside another key', '{ keep: true, x: 1 }', '5:22'],
    ['public with a list', '{ public: [a] }', '5:18'],
  ])('refuses %s at its place', (_what, value, place) => {
    // The reference itself may name no line; only the form is looked at here.
    expect(codesOf(withParams(`v: ${value}`)).filter((code) => !code.startsWith('REF'))).toEqual([`PLAN_INVALID ${place}`]);
  });

  it('refuses { param: … }, which is for recipes', () => {
    const [failure] = failuresOf(withParams('v: { param: name }'));
    expect(failure?.code).toBe('PLAN_INVALID');
    expect(failure?.detail).toContain('only inside a recipe');
  });

  it('leaves maps alone that only share a key with a form', () => {
    const values = [
      '{ from: "A <a@b.c>", to: [x] }',
      '{ keep: 5, days: 3 }',
      '{ secret: { secret: "env://X" }, url: y }',
      '{ from: { a: 1 } }',
    ];
    for (const value of values) expect(codesOf(withParams(`v: ${value}`)), value).toEqual([]);
    expect(paramOf(withParams(`v: ${values[2]}`), 'v')).toEqual({ secret: expect.any(SecretRef), url: 'y' });
  });

  it('never shows the text of a malformed secret reference', () => {
    expect(failuresOf(withParams('v: { secret: hunter2 }'))[0]?.message).not.toContain('hunter2');
  });
});

describe('context', () => {
  it('puts every value of the run into text and keys', () => {
    const text = withParams(
      'v: "${ctx.scope} ${ctx.git.sha} ${ctx.git.branch} ${ctx.pr.number} ${ctx.environment}"',
      '"w":',
      '  "/on/${ctx.scope}": x',
    );
    const [line] = readText(text).plan.lines;
    expect(line?.params.v).toBe(`pr-12 ${'a'.repeat(40)} feat/x 12 preview`);
    expect(line?.params.w).toEqual({ '/on/pr-12': 'x' });
    expect(line?.placeOf(['w', '/on/pr-12'])).toMatchObject({ line: 7, column: 27 });
  });

  it('gives text even where the value is a number', () => {
    expect(paramOf(withParams('v: ${ctx.pr.number}'), 'v')).toBe('12');
  });

  it('$${ stands for ${', () => {
    expect(paramOf(withParams('v: "$${ctx.scope} $${HOME} $${{ x }} $5 $${}"'), 'v')).toBe('${ctx.scope} ${HOME} ${{ x }} $5 ${}');
  });

  it('does not look for context values in what it has put in', () => {
    const context: Context = { ...fullContext, scope: '${ctx.git.sha}$&' };
    expect(paramOf(withParams('v: a-${ctx.scope}'), 'v', context)).toBe('a-${ctx.git.sha}$&');
  });

  it.each([
    ['${ctx.scop}', 'ctx.scope'],
    ['${ctx.git.brnch}', 'ctx.git.branch'],
    ['${ctx.pr.nummer}', 'ctx.pr.number'],
    ['${context.scope}', null],
    ['${ctx}', null],
    ['${ctx.constructor}', null],
  ])('refuses %s', (value, nearest) => {
    const [failure, ...rest] = failuresOf(withParams(`v: ${value}`));
    expect(rest).toEqual([]);
    expect(failure?.code).toBe('PLAN_INVALID');
    expect(failure?.place).toMatchObject({ line: 5, column: 8 });
    if (nearest !== null) expect(failure?.detail).toContain(`Did you mean "${nearest}"?`);
  });

  it('refuses one that is not closed', () => {
    expect(failuresOf(withParams('v: "a ${ctx.scope b"'))[0]?.detail).toContain('not closed');
  });

  it.each([
    ['ctx.scope', '--scope'],
    ['ctx.git.sha', '--sha'],
    ['ctx.git.branch', '--branch'],
    ['ctx.pr.number', '--pr'],
  ])('a ${%s} that the run lacks names the flag %s', (name, flag) => {
    const failures = failuresOf(withParams(`v: x-\${${name}}`, `w: y-\${${name}}`), emptyContext);
    expect(failures.map((f) => f.code)).toEqual(['CTX_NULL']);
    expect(failures[0]?.fix).toContain(flag);
    expect(failures[0]?.detail).toContain('2 places');
    expect(failures[0]?.place).toMatchObject({ line: 5, column: 8 });
  });

  it('a line of another environment needs no value of the run, but its names are checked', () => {
    const text = withParams('v: ${ctx.scope}', 'w: ${ctx.scop}', 'environments: [production]');
    expect(codesOf(text, emptyContext)).toEqual(['PLAN_INVALID 6:8']);
  });

  it('refuses keys that become equal', () => {
    expect(codesOf(withParams('v:', '  pr-12: 1', '  "${ctx.scope}": 2'))).toEqual(['PLAN_INVALID 7:7']);
  });
});

describe('the parts of a line', () => {
  const text = withParams('port: 8080', 'ok: True', 'name: "x"', 'fields:', '  /url: { from: db.url }', '  /n: [1.10, 7]');
  const line = readText(text).plan.lines[0];

  it('textOf gives an unquoted number as the plan writes it', () => {
    expect(line?.textOf(['port'])).toBe('8080');
    expect(line?.textOf(['ok'])).toBe('True');
    expect(line?.textOf(['name'])).toBe('x');
    expect(line?.textOf(['fields', '/n', 0])).toBe('1.10');
    expect(line?.textOf(['fields', '/n', 1])).toBe('7');
  });

  it('textOf is null for what is no scalar', () => {
    expect(line?.textOf(['fields'])).toBeNull();
    expect(line?.textOf(['fields', '/url'])).toBeNull();
    expect(line?.textOf(['nothing'])).toBeNull();
    expect(line?.textOf(['toString'])).toBeNull();
  });

  it('placeOf falls back to the nearest parent, at last to the line', () => {
    expect(line?.placeOf(['fields', '/url'])).toMatchObject({ line: 9, column: 13 });
    expect(line?.placeOf(['fields', '/n', 1])).toMatchObject({ line: 10, column: 18 });
    expect(line?.placeOf(['fields', '/nothing', 'x'])).toMatchObject({ line: 9, column: 7 });
    expect(line?.placeOf(['nothing'])).toEqual(line?.place);
  });
});
