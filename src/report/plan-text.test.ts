import { describe, expect, it } from 'vitest';
import { Failure } from '../core/errors.ts';
import type { PlanDoc, PlanLineDoc, Verdict } from '../engine/document.ts';
import { planText } from './plan-text.ts';
import { createStyles, plainStyles } from './styles.ts';
import { verdictSigns } from './verdicts.ts';

const line = (over: Partial<PlanLineDoc> & { id: string }): PlanLineDoc => ({
  adapter: 'neon',
  op: 'branch',
  verdict: 'none',
  drift: 'none',
  changes: [],
  inputs: {},
  ...over,
});

const doc = (over: Partial<PlanDoc>): PlanDoc => ({
  schema: 1,
  ok: true,
  command: 'plan',
  environment: 'preview',
  scope: 'pr-12',
  digest: 'd1',
  lines: [],
  orphans: [],
  warnings: [],
  summary: {},
  ...over,
});

const next = { apply: 'pilotfish apply --scope pr-12', prune: 'pilotfish apply --prune --scope pr-12', isDestroy: false };
const show = (over: Partial<PlanDoc>) => planText(doc(over), plainStyles, next);

describe('the plan as text', () => {
  it('aligns glyph, word, line and kind, and shows each change', () => {
    const text = show({
      lines: [
        line({
          id: 'db',
          verdict: 'create',
          changes: [{ field: 'name', before: { state: 'absent' }, after: { state: 'literal', value: 'app-pr-12' } }],
        }),
        line({ id: 'callback', adapter: 'http', op: 'list_item', recipe: 'auth0.callback_url', verdict: 'none' }),
      ],
      summary: { create: 1, none: 1 },
    });
    expect(text).toBe(
      [
        'Plan for preview/pr-12',
        '',
        '  +  create  db        neon.branch',
        '      + name:  "app-pr-12"',
        '  =  none    callback  auth0.callback_url',
        '',
        '1 to create, 1 unchanged',
        'Digest d1',
        '',
        'Next: pilotfish apply --scope pr-12 --expect d1',
        '',
      ].join('\n'),
    );
  });

  it.each([
    ['create', '+ '],
    ['update', '~ '],
    ['replace', '-/+ '],
    ['delete', '- '],
    ['none', '= '],
    ['pending', '? '],
    ['refused', '! '],
    ['send', '> '],
    ['claim', '< '],
    ['adopt', '< '],
  ] as const)('%s has the glyph %s', (verdict, glyph) => {
    expect(show({ lines: [line({ id: 'x', verdict })] })).toContain(`\n  ${glyph} ${verdict}`);
  });

  it('has a sign for every verdict, in a count of every verdict', () => {
    const counts = Object.fromEntries(Object.keys(verdictSigns).map((verdict, i) => [verdict, i + 1])) as Record<Verdict, number>;
    const text = show({ summary: counts });
    for (const [verdict, { counted }] of Object.entries(verdictSigns)) expect(text).toContain(`${counts[verdict as Verdict]} ${counted}`);
  });

  it('shows pending, secret, sensitive and kept as words, even if the change holds a value', () => {
    const value = 'hunter2-hunter2';
    const states = ['pending', 'secret', 'sensitive', 'kept'] as const;
    const text = show({
      lines: [
        line({
          id: 'x',
          verdict: 'update',
          changes: states.map((state) => ({ field: state, before: { state: 'absent' as const }, after: { state, value } })),
        }),
      ],
    });
    expect(text).not.toContain(value);
    for (const word of ['(not known yet)', '(secret)', '(sensitive)', '(kept as it is)']) expect(text).toContain(word);
  });

  it('says that a secret changed, although both sides read alike', () => {
    const secret = { state: 'secret' } as const;
    expect(show({ lines: [line({ id: 'x', verdict: 'update', changes: [{ field: 'value', before: secret, after: secret }] })] })).toContain(
      'value:  (secret), changed',
    );
  });

  it('says what others changed and is left so, with what stands there and what the plan has', () => {
    const literal = (value: string) => ({ state: 'literal', value }) as const;
    const left = { field: 'target', before: literal('theirs'), after: literal('ours'), left: true } as const;
    const mine = { field: 'ttl', before: { state: 'literal', value: 1 }, after: { state: 'literal', value: 300 } } as const;
    const told = { drift: 'changed', driftLeft: true, why: 'changed outside, and left so' } as const;
    const text = show({ lines: [line({ id: 'a', verdict: 'none', ...told, changes: [left] })] });
    expect(text).toContain('[drift: changed outside]');
    expect(text).toContain('changed outside, and left so');
    expect(text).toContain('= target:  "theirs", left so; the plan has "ours"');
    expect(text).toContain('Nothing to do: what others changed is left so.');
    expect(show({ lines: [line({ id: 'a', ...told })], putBack: 'pilotfish apply --put-back' })).toContain(
      'What others changed is left so. To write it back: pilotfish apply --put-back',
    );
    const both = show({ lines: [line({ id: 'a', verdict: 'update', ...told, changes: [left, mine] })] });
    expect(both).toContain('~ ttl:     1 -> 300');
    expect(both).not.toContain('Nothing to do');
  });

  it('says drift, the lines that a line waits for, and unmanaged entries', () => {
    const text = show({
      lines: [
        line({ id: 'a', verdict: 'update', drift: 'changed' }),
        line({ id: 'b', verdict: 'create', drift: 'missing' }),
        line({ id: 'c', verdict: 'pending', waitingOn: ['a', 'b'] }),
        line({ id: 'd', unmanaged: ['https://x', 'https://y'] }),
      ],
    });
    expect(text).toContain('[drift: changed outside]');
    expect(text).toContain('[drift: missing]');
    expect(text).toContain('waits for a, b');
    expect(text).toContain('unmanaged: 2 entries left as they are: https://x, https://y');
  });

  it('shows the error of a refused line, and asks to correct it next', () => {
    const error = new Failure('RESOURCE_FOREIGN', { detail: 'A branch app-pr-12 exists.' }).toData();
    const text = show({ ok: false, lines: [line({ id: 'db', verdict: 'refused', error })], error });
    expect(text.match(/RESOURCE_FOREIGN/g)).toHaveLength(1);
    expect(text).toContain('        A branch app-pr-12 exists.\n        Fix: ');
    expect(text).toContain('Next: correct');
    expect(text).not.toContain('--expect');
  });

  it('has parts of their own for orphans and warnings', () => {
    const text = show({
      orphans: [{ line: 'old', adapter: 'vercel', op: 'env', recordId: 'DELETE /v9/env/1', verdict: 'delete', why: 'no line names it' }],
      warnings: ['The clone is shallow.'],
    });
    expect(text).toContain(
      '1 orphan, left alone by apply; `pilotfish apply --prune --scope pr-12` removes what was made:\n  old  vercel.env  DELETE /v9/env/1',
    );
    expect(text).toContain('Warning: The clone is shallow.');
  });

  it('says that it plans a destroy, also when there is nothing left to remove', () => {
    const text = planText(doc({}), plainStyles, { ...next, apply: 'pilotfish apply --destroy --scope pr-12', isDestroy: true });
    expect(text).toContain('Plan to destroy preview/pr-12');
    expect(text).toContain('Next: pilotfish apply --destroy --scope pr-12 --expect d1');
  });

  it('says when nothing changes', () => {
    expect(show({ lines: [line({ id: 'a' })], summary: { none: 1 } })).toContain('Nothing to do');
  });

  it('lets no control character of a provider reach the terminal', () => {
    const text = show({ lines: [line({ id: 'x', verdict: 'update', why: 'bad \u001b[2J\u202e text' })] });
    expect(text).toContain('bad \\u001b[2J\\u202e text');
    expect(text).not.toContain('\u001b');
  });

  it('cuts a long value and says how long it is', () => {
    const after = { state: 'literal', value: 'v'.repeat(500) } as const;
    const text = show({ lines: [line({ id: 'x', changes: [{ field: 'f', before: { state: 'absent' }, after }] })] });
    expect(text).toContain('… (502 characters)');
  });
});

describe('the plan in a window', () => {
  const window = { columns: 80, rows: 24 };
  const shown = (lines: readonly PlanLineDoc[], more: Partial<PlanDoc> = {}) =>
    planText(doc({ lines, ...more }), plainStyles, next, window);
  const many = (count: number, over: Partial<PlanLineDoc> = {}) => Array.from({ length: count }, (_, i) => line({ id: `l${i}`, ...over }));
  const error = new Failure('RESOURCE_FOREIGN', { detail: 'A branch app-pr-12 exists.' }).toData();

  it('is complete in a pipe, and in a window that it fits', () => {
    const lines = many(10);
    expect(shown(lines)).toBe(show({ lines }));
    expect(show({ lines: many(500) }).split('\n').length).toBeGreaterThan(500);
  });

  it('counts unchanged lines when it does not fit, and ends with refused lines and the summary', () => {
    const [first, ...others] = many(500);
    const lines = [line({ ...first, id: 'bad', verdict: 'refused', error }), ...others, line({ id: 'new', verdict: 'create', after: [] })];
    const text = shown(lines, { ok: false, summary: { create: 1, none: 499, refused: 1 }, warnings: ['The clone is shallow.'] });
    const order = [
      '=  499 lines unchanged',
      '+  create  new',
      'Warning: ',
      '!  refused  bad',
      'RESOURCE_FOREIGN',
      '1 to create, 499',
      'Next: ',
    ];
    expect(order.map((part) => text.indexOf(part)).every((at, i, all) => at > (all[i - 1] ?? 0))).toBe(true);
    expect(text.split('\n').length).toBeLessThan(24);
  });

  it('keeps every change readable, however many there are', () => {
    const text = shown(many(500, { verdict: 'update', drift: 'changed' }));
    expect(text.match(/ {2}~ {2}update {2}l\d+/g)).toHaveLength(500);
  });

  it('says a reason once for all lines that are refused for it', () => {
    const text = shown(many(500, { verdict: 'refused', error }), { ok: false });
    expect(text.match(/RESOURCE_FOREIGN/g)).toHaveLength(1);
    expect(text).toContain('!  refused  l0, l1, l2 and 497 more');
    const each = many(500, { verdict: 'refused' }).map((of) => line({ ...of, error: { ...error, detail: `${of.id} exists.` } }));
    const mixed = shown(each, { ok: false });
    expect(mixed.split('\n').length).toBeLessThan(24);
    expect(mixed).toMatch(/l10 .*RESOURCE_FOREIGN: l10 exists\.\n {2}… and 489 more: l\d+, l\d+, l\d+ and \d+ more/);
  });

  it('has no row that is wider than a narrow window, except the command to copy', () => {
    const after = { state: 'literal', value: 'word '.repeat(60) } as const;
    const change = { field: 'description', before: { state: 'absent' } as const, after };
    const lines = [line({ id: 'environment-variable-database-url', verdict: 'update', why: 'because '.repeat(20), changes: [change] })];
    const text = planText(doc({ lines, warnings: ['A warning of many words, which is longer than the window.'] }), plainStyles, next, {
      columns: 40,
      rows: 10,
    });
    const rows = text.split('\n').filter((row) => !row.startsWith('Next: '));
    expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(40);
  });
});

describe('colours', () => {
  const tty = { isTTY: true };
  it.each([
    [tty, {}, false, true],
    [{}, {}, false, false],
    [tty, {}, true, false],
    [tty, { NO_COLOR: '1' }, false, false],
    [tty, { NO_COLOR: '' }, false, true],
    [tty, { TERM: 'dumb' }, false, false],
    [{}, { FORCE_COLOR: '1' }, false, true],
    [{}, { FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
    [tty, { FORCE_COLOR: '0' }, false, false],
    [{}, { FORCE_COLOR: '1' }, true, false],
  ])('stream %j, environment %j, --no-color %j: %j', (stream, env, isPlain, isColored) => {
    const styles = createStyles(stream, env, isPlain);
    expect(styles.isColored).toBe(isColored);
    expect(styles.paint('bad', 'x') !== 'x').toBe(isColored);
  });
});
