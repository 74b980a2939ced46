import { describe, expect, it } from 'vitest';
import { Failure } from '../core/errors.ts';
import type { RunEvent } from '../engine/document.ts';
import { createLiveProgress } from './progress-live.ts';
import { plainStyles } from './styles.ts';

const moved = (line: string, to: string, from = 'waiting'): RunEvent => ({ type: 'line', line, from, to, event: 'e', at: 0 });
const linesOf = (...ids: (string | readonly [string, ...string[]])[]): RunEvent => ({
  type: 'lines',
  lines: ids
    .map((of) => (typeof of === 'string' ? { id: of, after: [] } : { id: of[0], after: of.slice(1) }))
    .map((of) => ({ ...of, adapter: 'neon', op: 'branch' })),
  at: 0,
});
const judged = (line: string, verdict: 'create' | 'none', lock: string | null = null): RunEvent => ({
  type: 'verdict',
  line,
  verdict,
  why: '',
  drift: 'none',
  changes: [],
  lock,
  at: 0,
});

const esc = '\u001b';

/** A terminal that keeps its screen as rows, so that tests see what a person sees, and what is switched in it. */
function terminal(size: { columns?: number; rows?: number } = {}) {
  let screen: string[] = [''];
  let row = 0;
  const on = new Set(['7', '25']);
  const written: string[] = [];
  const listeners = new Set<() => void>();
  const write = (text: string): void => {
    written.push(text);
    for (const part of text.split(new RegExp(`(${esc}\\[[?0-9]*[A-Za-z]|\n|\r)`))) {
      const switched = new RegExp(`^${esc}\\[\\?(\\d+)([hl])$`).exec(part);
      if (switched) on[switched[2] === 'h' ? 'add' : 'delete'](switched[1] ?? '');
      else if (part === '\n') {
        row += 1;
        screen[row] ??= '';
      } else if (part === `${esc}[0J`) screen = [...screen.slice(0, row), ''];
      else if (part === `${esc}[2K`) screen[row] = '';
      else if (part.startsWith(esc)) {
        row -= Number(part.slice(2, -1));
        expect(row).toBeGreaterThanOrEqual(0);
      } else if (part !== '\r') screen[row] = (screen[row] ?? '') + part;
    }
    // A process that is killed now leaves the terminal as it was.
    expect([...on].sort()).toEqual(['25', '7']);
  };
  const stream = {
    isTTY: true,
    ...size,
    writableNeedDrain: false,
    write,
    on: (_: 'resize', listener: () => void) => listeners.add(listener),
    off: (_: 'resize', listener: () => void) => listeners.delete(listener),
  };
  return { stream, rowsShown: () => screen.filter((text) => text !== ''), written, listeners };
}

function live(size: { columns?: number; rows?: number } = {}, staysAtEnd = false) {
  const screen = terminal(size);
  let time = 0;
  let draw = (): void => {};
  let isRepeating = true;
  const progress = createLiveProgress({
    stream: screen.stream,
    styles: plainStyles,
    now: () => time,
    staysAtEnd,
    repeat: (next) => {
      draw = next;
      return () => {
        isRepeating = false;
      };
    },
  });
  const tell = (...events: RunEvent[]): void => {
    for (const event of events) progress.listen(event);
    draw();
  };
  return { screen, progress, tell, draw: () => draw(), pass: (ms: number) => (time += ms), isRepeating: () => isRepeating };
}

describe('live progress', () => {
  it('shows one row per line with its state, its seconds and the reason of its wait, redrawn in place', () => {
    const { screen, tell, draw, pass } = live();
    tell(linesOf('db', ['callback', 'db']), moved('db', 'creating'));
    pass(3_400);
    draw();
    expect(screen.rowsShown()).toEqual([
      '> db        creating  3 s',
      '  callback  waiting        for db',
      '3 s: 0 of 2 done, 1 in work, 1 waiting',
    ]);
    tell(moved('db', 'awaiting', 'creating'), { type: 'wait', line: 'db', detail: 'branch is init', at: 0 });
    expect(screen.rowsShown()[0]).toBe('> db        awaiting  0 s  branch is init');
    tell(judged('db', 'create'), moved('db', 'settled', 'awaiting'));
    expect(screen.rowsShown()).toEqual(['= db        created  3 s', '  callback  waiting', '3 s: 1 of 2 done, 1 waiting']);
  });

  it('says what it does before the first line, once that takes long', () => {
    const { screen, draw, pass } = live();
    draw();
    expect(screen.rowsShown()).toEqual([]);
    pass(2_000);
    draw();
    expect(screen.rowsShown()).toEqual(['2 s: reading the plan and the ledger']);
  });

  it('says why a line failed', () => {
    const { screen, tell } = live();
    const error = new Failure('PROVIDER_QUOTA', { detail: 'The project has 10 branches.' }).toData();
    tell(linesOf('db'), { type: 'failure', line: 'db', error, at: 0 }, moved('db', 'failed', 'creating'));
    expect(screen.rowsShown()).toEqual(['! db  failed  PROVIDER_QUOTA: The project has 10 branches.', '0 s: 0 of 1 done, 1 failed']);
  });

  it('says that another run locks the list of a line, and until when the run waits for a lease', () => {
    const { screen, tell } = live({ columns: 60 });
    const lock: RunEvent = { type: 'machine', machine: 'parent', actor: 'apps/1', from: 'reading', to: 'locking', event: 'e', at: 0 };
    tell(linesOf('callback'), judged('callback', 'create', 'apps/1'), moved('callback', 'creating'), lock);
    expect(screen.rowsShown()[0]).toBe('> callback  creating  0 s  for the lock on apps/1');
    const detail = 'run r1 of a-laptop holds this scope; if it is dead, this run goes on at 20:33:01 UTC';
    tell({ ...lock, from: 'locking', to: 'writing' }, { type: 'run', state: 'waiting', detail, at: 0 });
    expect(screen.rowsShown()).toEqual([
      '> callback  creating  0 s',
      'waits: run r1 of a-laptop holds this scope; if it is',
      '  dead, this run goes on at 20:33:01 UTC',
      '0 s: 0 of 1 done, 1 in work',
    ]);
    tell({ type: 'ledger', what: 'push', ms: 1, at: 0 });
    expect(screen.rowsShown()).toHaveLength(2);
  });

  it('collapses lines that do not fit by state: failures first, then work, and a count of each kind', () => {
    const { screen, tell, draw } = live({ rows: 10 });
    tell(linesOf(...Array.from({ length: 30 }, (_, i) => `l${i}`)));
    for (let i = 0; i < 20; i += 1) tell(moved(`l${i}`, 'settled'));
    tell(moved('l19', 'creating'), moved('l18', 'updating'), moved('l3', 'failed'));
    expect(screen.rowsShown()).toEqual([
      '! l3   failed',
      '> l18  updating  0 s',
      '> l19  creating  0 s',
      '  l20  waiting',
      '  l21  waiting',
      '  l22  waiting',
      '  … 7 more: waiting',
      '= … 17 lines: settled',
      '0 s: 17 of 30 done, 1 failed, 2 in work, 10 waiting',
    ]);
    const { length } = screen.written;
    draw();
    expect(screen.written).toHaveLength(length);
  });

  it('leaves half of the window to the lines in work, however many failed', () => {
    const { screen, tell } = live({ rows: 10 });
    tell(linesOf(...Array.from({ length: 40 }, (_, i) => `l${i}`)));
    for (let i = 0; i < 40; i += 1) tell(moved(`l${i}`, i < 30 ? 'failed' : 'creating'));
    expect(screen.rowsShown()).toEqual([
      '! l0   failed',
      '! l1   failed',
      '! l2   failed',
      '! … 27 more: failed',
      '> l30  creating  0 s',
      '> l31  creating  0 s',
      '> l32  creating  0 s',
      '> … 7 more: creating',
      '0 s: 0 of 40 done, 30 failed, 10 in work',
    ]);
    for (let i = 32; i < 40; i += 1) tell(moved(`l${i}`, 'failed'));
    expect(screen.rowsShown().slice(-4, -1)).toEqual(['! … 33 more: failed', '> l30  creating  0 s', '> l31  creating  0 s']);
  });

  it.each([1, 2, 3, 4, 5, 6, 24])('never draws more than fits a window of %i rows, with every kind of line in it', (rows) => {
    const { screen, tell } = live({ rows, columns: 30 });
    const states = ['failed', 'refused', 'creating', 'observing', 'waiting', 'settled', 'skipped', 'interrupted'];
    tell(linesOf(...Array.from({ length: 40 }, (_, i) => `line-${i}`)));
    for (let i = 0; i < 40; i += 1) tell(moved(`line-${i}`, states[i % states.length] ?? ''));
    expect(screen.rowsShown().length).toBeLessThanOrEqual(rows - 1);
    if (rows > 1) expect(screen.rowsShown().at(-1)).toContain('of 40 done');
  });

  it('cuts a row before the window would wrap it, and a long name in its middle', () => {
    const { screen, tell } = live({ columns: 40 });
    tell(linesOf('environment-variable-database-url'), moved('environment-variable-database-url', 'recordingIntent'));
    expect(screen.rowsShown()).toEqual(['> environm…ase-url  recording intent  …', '0 s: 0 of 1 done, 1 in work']);
  });

  it('keeps the columns of wide characters, and lets text of a provider move no cursor', () => {
    const { screen, tell } = live({ columns: 80 });
    tell(linesOf('大小', 'name'), moved('大小', 'awaiting'), moved('name', 'awaiting'));
    tell({ type: 'wait', line: 'name', detail: 'a\u001b[2Jb\r\nc', at: 0 });
    expect(screen.rowsShown().slice(0, 2)).toEqual(['> 大小  awaiting  0 s', '> name  awaiting  0 s  a\\u001b[2Jb c']);
  });

  it('erases the picture at the end, once', () => {
    const { screen, progress, tell, draw, isRepeating } = live();
    tell(moved('db', 'creating'));
    progress.stop();
    const writes = screen.written.length;
    progress.stop();
    draw();
    expect(screen.written).toHaveLength(writes);
    expect(screen.rowsShown()).toEqual([]);
    expect(isRepeating()).toBe(false);
    expect(screen.listeners.size).toBe(0);
  });

  it('keeps the last picture when the report goes elsewhere', () => {
    const { screen, progress, tell } = live({}, true);
    tell(linesOf('db'), moved('db', 'creating'));
    progress.listen(moved('db', 'settled'));
    progress.stop();
    progress.stop();
    expect(screen.rowsShown()).toEqual(['= db  settled', '0 s: 1 of 1 done']);
  });

  it('puts a message above the picture, where it stays', () => {
    const { screen, progress, tell, draw } = live();
    tell(moved('db', 'creating'));
    progress.print('stopping on SIGINT');
    draw();
    expect(screen.rowsShown()).toEqual(['stopping on SIGINT', '> db  creating  0 s', '0 s: 0 of 1 done, 1 in work']);
    progress.stop();
    expect(screen.rowsShown()).toEqual(['stopping on SIGINT']);
  });

  it('sends no picture to a terminal that does not keep up, until it does', () => {
    const { screen, tell } = live();
    screen.stream.writableNeedDrain = true;
    tell(moved('db', 'creating'));
    expect(screen.written).toEqual([]);
    screen.stream.writableNeedDrain = false;
    tell();
    expect(screen.rowsShown()).toHaveLength(2);
  });

  it('draws anew at once when the window changes its size', () => {
    const { screen, tell } = live({ columns: 20 });
    tell(linesOf('database'));
    expect(screen.rowsShown().at(-1)).toBe('0 s: 0 of 1 done, …');
    screen.stream.columns = 80;
    for (const listener of screen.listeners) listener();
    expect(screen.rowsShown()).toEqual(['  database  waiting', '0 s: 0 of 1 done, 1 waiting']);
  });
});
