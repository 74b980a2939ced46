import { describe, expect, it } from 'vitest';
import { Failure } from '../core/errors.ts';
import type { ApplyDoc, ApplyLineDoc, RunStatus } from '../engine/document.ts';
import { applyText } from './apply-text.ts';
import { errorsText } from './errors-text.ts';
import { plainStyles } from './styles.ts';
import { showTime } from './text.ts';
import type { Window } from './window.ts';

const line = (over: Partial<ApplyLineDoc> & { id: string }): ApplyLineDoc => ({
  adapter: 'neon',
  op: 'branch',
  drift: 'none',
  changes: [],
  state: 'settled',
  verdict: 'create',
  ms: 1_200,
  requests: 3,
  ...over,
});

const show = (over: Partial<ApplyDoc>, isDestroy = false, window: Window | null = null) =>
  applyText(
    {
      schema: 1,
      ok: true,
      command: 'apply',
      status: 'complete',
      environment: 'preview',
      scope: 'pr-12',
      runId: 'r1',
      digest: 'abc123',
      lines: [],
      outputs: {},
      receipt: { branch: 'pilotfish-receipts/preview/pr-12', commit: '0123456789abcdef' },
      stats: { requests: 5, writes: 1, fetches: 1, pushes: 2, lockPushes: 0, ms: 61_000 },
      warnings: [],
      orphans: [],
      ...over,
    },
    plainStyles,
    { apply: 'pilotfish apply', prune: 'pilotfish apply --prune', isDestroy },
    window,
  );

describe('the apply as text', () => {
  it('says what others changed and is left so, also where a small window counts the unchanged lines', () => {
    const told = { verdict: 'none', drift: 'missing', driftLeft: true, why: 'deleted outside, and left so' } as const;
    const idle = Array.from({ length: 40 }, (_, i) => line({ id: `line-${i}`, verdict: 'none' }));
    for (const window of [null, { rows: 24, columns: 100 }]) {
      const text = show({ lines: [...idle, line({ id: 'db', ...told })], putBack: 'pilotfish apply --put-back' }, false, window);
      expect(text).toContain('deleted outside, and left so');
      expect(text).toContain('To write it back: pilotfish apply --put-back');
    }
  });

  it('has lines, outputs, the receipt and what it cost', () => {
    const text = show({
      lines: [line({ id: 'db', notes: ['took over an earlier create'] }), line({ id: 'callback', verdict: 'none', requests: 0, ms: 3 })],
      outputs: { db: { host: 'ep-1.example.com' } },
    });
    expect(text).toBe(
      [
        'Apply of preview/pr-12: complete',
        '',
        '  +  create  db        settled  1.2 s  3 requests',
        '      took over an earlier create',
        '  =  none    callback  settled  3 ms',
        '',
        'Outputs:',
        '  db.host  "ep-1.example.com"',
        '',
        'Receipt  pilotfish-receipts/preview/pr-12 at 0123456789ab',
        'Cost     5 requests (1 write), 1 fetch and 2 pushes of the ledger, 1 min 01 s',
        'Run      r1',
        '',
      ].join('\n'),
    );
  });

  it.each(['complete', 'partial', 'failed', 'stale', 'interrupted'] as const)('the first line says %s', (status: RunStatus) => {
    expect(show({ status }).split('\n')[0]).toContain(`preview/pr-12: ${status}`);
  });

  it('shows an error of a line once, under the line, and an error of the run by itself', () => {
    const error = new Failure('PROVIDER_QUOTA', { detail: 'The project has 10 branches.' }).toData();
    const ofLine = show({ status: 'failed', lines: [line({ id: 'db', state: 'failed', verdict: 'failed', error })], error });
    expect(ofLine.match(/PROVIDER_QUOTA/g)).toHaveLength(1);
    expect(show({ status: 'failed', error })).toContain('\nPROVIDER_QUOTA  A limit');
    const lost = new Failure('LEDGER_REFUSED', { detail: 'No push. What it did is kept in .pilotfish/unpushed/r1.json.' }).toData();
    const both = show({ status: 'failed', lines: [line({ id: 'db', state: 'failed', verdict: 'failed', error })], error: lost });
    expect(both).toContain('\nLEDGER_REFUSED  ');
    expect(both).toContain('is kept in .pilotfish/unpushed/r1.json');
  });

  it('a destroy says so', () => {
    expect(show({ lines: [line({ id: 'db', verdict: 'delete' })] }, true)).toMatch(/^Destroy of preview\/pr-12: complete\n/);
    expect(show({}, true)).toMatch(/^Destroy of preview\/pr-12: complete; nothing was recorded for this scope\n/);
    // An apply would leave what still stands.
    expect(show({ status: 'failed' }, true)).toContain('Destroy of preview/pr-12: failed; the next destroy goes on from here');
    expect(show({ status: 'failed' })).toContain('Apply of preview/pr-12: failed; the next apply goes on from here');
  });

  it('a receipt that was not written says so', () => {
    expect(show({ receipt: { branch: 'b', commit: null } })).toContain('Receipt  not written');
  });
});

describe('the apply in a window', () => {
  const windows: readonly Window[] = [
    { columns: 80, rows: 24 },
    { columns: 40, rows: 24 },
    { columns: 200, rows: 60 },
  ];
  const many = (count: number, over: Partial<ApplyLineDoc> = {}) => Array.from({ length: count }, (_, i) => line({ id: `l${i}`, ...over }));
  const failed = (id: string) =>
    line({
      id,
      state: 'failed',
      verdict: 'failed',
      error: new Failure('PROVIDER_QUOTA', { detail: `${id}: the project is full.` }).toData(),
    });
  const skipped = line({
    id: 'later',
    state: 'skipped',
    verdict: 'pending',
    code: 'DEPENDENCY_FAILED',
    because: ['bad'],
  });
  const rowsOf = (text: string, { columns }: Window): number =>
    text.split('\n').reduce((sum, row) => sum + Math.max(1, Math.ceil(row.length / columns)), -1);

  it('is complete in a pipe, and in a window that it fits', () => {
    const lines = many(8);
    expect(show({ lines }, false, { columns: 80, rows: 24 })).toBe(show({ lines }));
    expect(show({ lines: many(500) }).split('\n').length).toBeGreaterThan(500);
  });

  it('counts unchanged lines first, and then all lines that went well', () => {
    const lines = [...many(500, { verdict: 'none' }), line({ id: 'db' })];
    const window = { columns: 80, rows: 24 };
    const few = show({ lines }, false, window);
    expect(few).toContain('  =  500 lines unchanged\n  +  create  db  settled');
    expect(few.trimEnd().split('\n').at(-1)).toBe('Apply of preview/pr-12: complete; 1 created, 500 unchanged');
    expect(show({ lines: [...lines, ...many(50)] }, false, window)).toContain('  =  500 lines unchanged\n  +  51 lines created');
  });

  it.each(windows)('of 500 lines fits a window of %j, and failures stand last, just before the numbers', (window) => {
    const bad = Array.from({ length: 60 }, (_, i) => failed(`bad${i}`));
    const outputs = Object.fromEntries(many(500).map(({ id }) => [id, { url: `https://${id}.example.com` }]));
    const text = show(
      { status: 'failed', lines: [...many(400), skipped, ...bad, ...many(39, { verdict: 'none' })], outputs },
      false,
      window,
    );
    const order = ['Receipt', '400 lines created', 'Outputs:', 'PROVIDER_QUOTA', ' more: bad', 'preview/pr-12: failed;'];
    if (window.columns > 40) expect(rowsOf(text, window)).toBeLessThan(window.rows);
    else expect(rowsOf(text.slice(text.indexOf('400 lines')), window)).toBeLessThan(window.rows);
    expect(order.map((part) => text.indexOf(part)).every((at, i, all) => at > (all[i - 1] ?? -1))).toBe(true);
    expect(text.replace(/\s+/g, ' ')).toContain('60 failed, 1 skipped, 400 created, 39 unchanged');
  });

  it('shows addresses first when not all outputs fit', () => {
    const ids = Object.fromEntries(many(50).map(({ id }) => [id, { id: 'x' }]));
    const outputs = { ...ids, preview: { url: 'https://shop.example.com', id: 'y' } };
    const text = show({ lines: [line({ id: 'db' })], outputs }, false, { columns: 80, rows: 24 });
    expect(text).toContain('Outputs:\n  preview.url  "https://shop.example.com"\n  l0.id        "x"\n');
    expect(text).toMatch(/\n {2}… and \d+ more\n/);
    expect(text.split('\n').length).toBeLessThan(24);
  });

  it('lines that wait for a failed one are a clause of its error', () => {
    const lines = [...many(300, { ...skipped }).map((of, i) => line({ ...of, id: `later${i}` })), failed('bad')];
    const text = show({ status: 'failed', lines }, false, { columns: 80, rows: 24 });
    expect(text).not.toContain('DEPENDENCY_FAILED');
    expect(text.match(/PROVIDER_QUOTA/g)).toHaveLength(1);
    expect(text).toContain('later0, later1, later2 and 297 more  skipped');
    expect(text).toContain('300 more wait for it: later0, later1, later2, …\n');
  });
});

describe('errors as text', () => {
  it('all errors stand in order with aligned columns', () => {
    const place = (at: number) => ({ file: 'release.plan.yaml', line: at, column: 5 });
    const errors = [
      new Failure('USAGE', { detail: 'First.\nWith a second line.', place: place(3) }),
      new Failure('REF_OUTPUT_UNKNOWN', { detail: 'Second.', fix: 'Do this.', place: place(14) }),
    ].map((failure) => failure.toData());
    expect(errorsText(errors, plainStyles)).toBe(
      [
        'USAGE               The command line is wrong    release.plan.yaml:3:5',
        '  First.',
        '  With a second line.',
        '  Fix: Run `pilotfish --help` for the commands and flags.',
        '',
        'REF_OUTPUT_UNKNOWN  A reference names no output  release.plan.yaml:14:5',
        '  Second.',
        '  Fix: Do this.',
        '',
      ].join('\n'),
    );
  });
});

describe('times', () => {
  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [1_000, '1.0 s'],
    [59_900, '59.9 s'],
    [60_000, '1 min 00 s'],
    [185_000, '3 min 05 s'],
  ])('%d ms reads %s', (ms, text) => {
    expect(showTime(ms)).toBe(text);
  });
});
