import { describe, expect, it } from 'vitest';
import type { RunEvent } from './document.ts';
import { chooseProgress } from './progress.ts';
import { createLiveProgress } from './progress-live.ts';
import { createPlainProgress } from './progress-plain.ts';
import { plainStyles } from './styles.ts';

const moved = (line: string, to: string, from = 'waiting'): RunEvent => ({ type: 'line', line, from, to, event: 'e', at: 0 });

const esc = '\u001b';

/** A terminal that keeps its screen as rows, so that tests see what a person sees. */
function terminal(size: { columns?: number; rows?: number } = {}) {
  let screen: string[] = [''];
  let cursor = 0;
  let isHidden = false;
  const scrolled: string[] = [];
  const write = (text: string): void => {
    for (const part of text.split(new RegExp(`(${esc}\\[[?0-9]*[A-Za-z]|\n)`))) {
      if (part === '\n') {
        cursor += 1;
        screen[cursor] ??= '';
      } else if (part === '\u001b[?25l') isHidden = true;
      else if (part === '\u001b[?25h') isHidden = false;
      else if (part === '\u001b[0J') screen = [...screen.slice(0, cursor), ''];
      else if (part.startsWith(`${esc}[`)) {
        cursor -= Number(part.slice(2, -1));
        expect(cursor).toBeGreaterThanOrEqual(0);
      } else screen[cursor] = (screen[cursor] ?? '') + part;
    }
    scrolled.push(text);
  };
  return { isTTY: true, ...size, write, rowsShown: () => screen.filter((row) => row !== ''), isHidden: () => isHidden, written: scrolled };
}

function live(size: { columns?: number; rows?: number } = {}) {
  const screen = terminal(size);
  let time = 0;
  let draw = (): void => {};
  let isRepeating = true;
  const progress = createLiveProgress({
    stream: screen,
    styles: plainStyles,
    now: () => time,
    repeat: (next) => {
      draw = next;
      return () => {
        isRepeating = false;
      };
    },
  });
  return { screen, progress, draw: () => draw(), pass: (ms: number) => (time += ms), isRepeating: () => isRepeating };
}

describe('live progress', () => {
  it('shows one row a line with its state and seconds, redrawn in place', () => {
    const { screen, progress, draw, pass } = live();
    progress.listen(moved('db', 'creating'));
    progress.listen(moved('callback', 'waiting', ''));
    draw();
    pass(3_400);
    draw();
    expect(screen.rowsShown()).toEqual(['> db        creating  3 s', '  callback  waiting']);
    progress.listen(moved('db', 'settled', 'creating'));
    progress.listen({ type: 'wait', line: 'callback', detail: 'for db', at: 0 });
    draw();
    expect(screen.rowsShown()).toEqual(['= db        settled', '  callback  waiting  for db']);
  });

  it('collapses what does not fit the window, and keeps the lines in work', () => {
    const { screen, progress, draw } = live({ rows: 5 });
    for (let i = 0; i < 20; i += 1) progress.listen(moved(`l${i}`, i < 15 ? 'settled' : 'waiting'));
    progress.listen(moved('l19', 'creating'));
    progress.listen(moved('l3', 'failed'));
    draw();
    const rows = screen.rowsShown();
    expect(rows).toHaveLength(4);
    expect(rows.join('\n')).toContain('> l19  creating');
    expect(rows.join('\n')).toContain('! l3');
    expect(rows.at(-1)).toBe('  … 17 more lines: 14 settled, 3 waiting');
    draw();
    expect(screen.rowsShown()).toEqual(rows);
  });

  it('cuts a row before the window would wrap it', () => {
    const { screen, progress, draw } = live({ columns: 20 });
    progress.listen(moved('a-very-long-line-name', 'recordingIntent'));
    draw();
    expect(screen.rowsShown().map((row) => row.length)).toEqual([19]);
  });

  it('erases the picture and shows the cursor again at the end, once', () => {
    const { screen, progress, draw, isRepeating } = live();
    progress.listen(moved('db', 'creating'));
    draw();
    expect(screen.isHidden()).toBe(true);
    progress.stop();
    const writes = screen.written.length;
    progress.stop();
    draw();
    expect(screen.written).toHaveLength(writes);
    expect(screen.isHidden()).toBe(false);
    expect(screen.rowsShown()).toEqual([]);
    expect(isRepeating()).toBe(false);
  });

  it('a message stands above the picture and stays', () => {
    const { screen, progress, draw } = live();
    progress.listen(moved('db', 'creating'));
    draw();
    progress.print('stopping: SIGINT was received');
    draw();
    expect(screen.rowsShown()).toEqual(['stopping: SIGINT was received', '> db  creating  0 s']);
    progress.stop();
    expect(screen.rowsShown()).toEqual(['stopping: SIGINT was received']);
  });
});

describe('plain progress', () => {
  it('tells states of interest, notes, waits once, and repeated requests', () => {
    const screen = terminal();
    let time = 0;
    const progress = createPlainProgress({ stream: screen, styles: plainStyles, now: () => time });
    const request = { type: 'request', line: 'db', method: 'POST', url: 'https://api/x', ms: 1, at: 0 } as const;
    progress.listen(moved('db', 'observing'));
    time = 1_500;
    progress.listen(moved('db', 'creating'));
    progress.listen({ ...request, status: 503, attempt: 1 });
    progress.listen({ ...request, status: null, attempt: 2 });
    progress.listen({ type: 'wait', line: 'db', detail: 'branch is init', at: 0 });
    progress.listen({ type: 'wait', line: 'db', detail: 'branch is init', at: 0 });
    progress.listen({ type: 'note', line: 'db', text: 'built\nagain', at: 0 });
    progress.listen({ type: 'run', state: 'awaitingLease', detail: 'another run holds it', at: 0 });
    progress.listen({ type: 'ledger', what: 'push', ms: 1, at: 0 });
    expect(screen.rowsShown()).toEqual([
      '[  1.5 s] db: creating',
      '[  1.5 s] db: POST https://api/x: no answer on attempt 2',
      '[  1.5 s] db: waits: branch is init',
      '[  1.5 s] db: built again',
      '[  1.5 s] awaiting lease: another run holds it',
    ]);
  });
});

describe('which progress is shown', () => {
  const choose = (mode: string | undefined, stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv) => {
    let written = '';
    const progress = chooseProgress({
      mode,
      stream: { ...stream, write: (text) => (written += text) },
      env,
      styles: plainStyles,
      now: () => 0,
    });
    progress.listen(moved('db', 'creating'));
    // Live progress draws on its own time or for a message; plain progress at once.
    const isPlain = written !== '';
    progress.print('x');
    progress.stop();
    return isPlain ? 'plain' : written.includes('\u001b') ? 'live' : 'none';
  };

  it.each([
    [undefined, { isTTY: true }, {}, 'live'],
    ['live', { isTTY: true }, {}, 'live'],
    ['live', {}, {}, 'plain'],
    ['live', { isTTY: true }, { CI: 'true' }, 'plain'],
    [undefined, { isTTY: true }, { TERM: 'dumb' }, 'plain'],
    [undefined, { isTTY: true }, { CI: 'false' }, 'live'],
    [undefined, {}, {}, 'plain'],
    ['plain', { isTTY: true }, {}, 'plain'],
    ['none', { isTTY: true }, {}, 'none'],
  ])('--progress %s, stream %j, environment %j: %s', (mode, stream, env, shown) => {
    expect(choose(mode, stream, env)).toBe(shown);
  });
});
